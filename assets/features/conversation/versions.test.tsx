import { fireEvent, render, screen } from '@testing-library/react';
import type { Message } from 'api/types';
import { expect, test, vi } from 'vitest';
import { MarkedQuestion } from './marked-question';
import { VersionSwitch } from './version-switch';
import { versionsOf } from './versions';

const answer = (id: string, run: string, metadata: object = {}): Message =>
  ({ message_id: id, run_id: run, role: 'assistant', metadata, children: [] }) as unknown as Message;
const asked = (...children: Message[]) => ({ message_id: 'q', role: 'user', children }) as unknown as Message;

test('answers of one run are one version: the selected one, else the best', () => {
  const children = [
    answer('a', 'r1'),
    answer('b', 'r1', { is_best_answer: true }),
    answer('c', 'r2', { is_best_answer: true }),
    answer('d', 'r2', { is_selected_assistant: true }),
  ];
  expect(versionsOf(asked(...children)).map(({ message_id: id }) => id)).toEqual(['b', 'd']);
});

test('one answer has no switch', () => {
  const only = answer('a', 'r1');
  render(<VersionSwitch answer={only} question={asked(only)} onVersion={vi.fn()} />);
  expect(screen.queryByRole('group')).toBeNull();
});

test('the former answer stays a click away, and the switch ends at both ends', () => {
  const [first, second] = [answer('a', 'r1'), answer('b', 'r2', { is_selected_assistant: true })];
  const onVersion = vi.fn();
  render(<VersionSwitch answer={second} question={asked(first, second)} onVersion={onVersion} />);
  expect(screen.getByRole('group', { name: 'Answer 2 of 2' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Later answer' }));
  expect(onVersion).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Earlier answer' }));
  expect(onVersion).toHaveBeenCalledExactlyOnceWith(first);
});

test('the switch that was reached by it has the focus', () => {
  const [first, second] = [answer('a', 'r1'), answer('b', 'r2')];
  const question = asked(first, second);
  const { rerender } = render(
    <VersionSwitch key="b" answer={second} question={question} onVersion={vi.fn()} />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Earlier answer' }));
  rerender(<VersionSwitch key="a" answer={first} question={question} onVersion={vi.fn()} />);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Answer 1 of 2' }));
});

test('unread words are marked where they stand, and nothing of the text is lost', () => {
  const text = 'Total glorious sales in Oslo';
  const { container } = render(
    <MarkedQuestion
      text={text}
      unread={[
        { start: 24, end: 28 },
        { start: 6, end: 14 },
        { start: 8, end: 20 },
        { start: 25, end: 99 },
      ]}
    />,
  );
  expect([...container.querySelectorAll('mark')].map((mark) => mark.firstChild?.textContent)).toEqual([
    'glorious',
    'Oslo',
  ]);
  expect(container.textContent?.replaceAll(' (not used)', '')).toBe(text);
});
