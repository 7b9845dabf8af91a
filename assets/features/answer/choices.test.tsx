import { render, screen } from '@testing-library/react';
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

test('among several readings one is chosen', () => {
  render(<Choices status="clarify" choices={[choice('Orders'), choice('Returns')]} onAsk={() => {}} />);
  expect(screen.getByRole('list', { name: 'Which one do you mean?' })).toBeDefined();
});
