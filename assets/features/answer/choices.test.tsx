import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Choices } from './choices';

const choice = (label: string) => ({ label, question: `${label}?`, keyword: null });

test('a single reading is asked about as such, and a click takes it', async () => {
  const asked: string[] = [];
  render(<Choices status="clarify" choices={[choice('Orders in March')]} onAsk={(q) => asked.push(q)} />);
  expect(screen.getByRole('list', { name: 'Is this what you mean?' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Orders in March' }));
  expect(asked).toEqual(['Orders in March?']);
});

test('a reading shows what it comes to', () => {
  const choices = [{ ...choice('Orders in March'), figure: '1,204' }, choice('Orders in May')];
  render(<Choices status="clarify" choices={choices} onAsk={() => {}} />);
  expect(screen.getByRole('button', { name: 'Orders in March 1,204' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Orders in May' })).toBeDefined();
});

const meaning = (label: string) => ({
  ...choice(label),
  kind: 'meaning' as const,
  teaches: `“bagged” is ${label}`,
});

test('columns and values that a word may mean are kept for always where the member may', async () => {
  const asked: string[] = [];
  const taught: number[] = [];
  const choices = [choice('Deals in 2024'), meaning('Deal stage is Closed Won'), meaning('Amount in deals')];
  render(
    <Choices
      status="clarify"
      choices={choices}
      onAsk={(q) => asked.push(q)}
      onTeach={(place) => taught.push(place)}
    />,
  );
  const lists = screen.getAllByRole('list').map((list) => within(list).getAllByRole('listitem').length);
  expect(lists).toEqual([1, 2]);
  await userEvent.click(screen.getByRole('button', { name: 'Always: “bagged” is Deal stage is Closed Won' }));
  expect([asked, taught]).toEqual([['Deal stage is Closed Won?'], [1]]);
});

test('a choice is kept for always where the member may', async () => {
  const choices = [
    { ...choice('harvest'), teaches: 'harvest will be taken before picking.' },
    choice('picking'),
  ];
  const taught: number[] = [];
  const { rerender } = render(<Choices status="clarify" choices={choices} onAsk={() => {}} />);
  expect(screen.queryByText(/^“Always” answers/)).toBeNull();
  rerender(
    <Choices status="clarify" choices={choices} onAsk={() => {}} onTeach={(place) => taught.push(place)} />,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Always: harvest will be taken/ }));
  expect(taught).toEqual([0]);
  expect(screen.getByText(/keeps your choice for everybody/)).toBeTruthy();
});

test('none of these puts the question back and says what would help', async () => {
  const { rerender } = render(
    <Choices status="declined" choices={[meaning('Amount')]} onAsk={() => {}} onReword={() => 'bagged'} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'None of these' }));
  expect(screen.getByRole('status').textContent).toContain('with “bagged” selected');
  expect(screen.getByRole('status').textContent).toContain('ask an admin');
  rerender(<Choices status="clarify" choices={[choice('Deals')]} onAsk={() => {}} onReword={() => null} />);
  await userEvent.click(screen.getByRole('button', { name: 'None of these' }));
  expect(screen.getByRole('status').textContent).toContain('name the figure you want');
});

test('an answer and general questions have nothing to put back', () => {
  const ways = { choices: [choice('Deals')], onAsk: () => {}, onReword: () => null };
  const { rerender } = render(<Choices status="answered" {...ways} />);
  expect(screen.queryByRole('button', { name: 'None of these' })).toBeNull();
  rerender(<Choices status="declined" {...ways} />);
  expect(screen.queryByRole('button', { name: 'None of these' })).toBeNull();
});

test('among several readings one is chosen', () => {
  render(<Choices status="clarify" choices={[choice('Orders'), choice('Returns')]} onAsk={() => {}} />);
  expect(screen.getByRole('list', { name: 'Which one do you mean?' })).toBeDefined();
});
