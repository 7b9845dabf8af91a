import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import HelpPopup from './help-popup';

test('the help document speaks of the product by its name and tells the keys', () => {
  render(<HelpPopup product="Bob" onTry={() => {}} onClose={() => {}} />);
  expect(screen.getByRole('heading', { name: 'How to Make the Most of Bob' })).toBeTruthy();
  expect(screen.getByText('Figures are computed, never guessed')).toBeTruthy();
  for (const does of ['Send the message', 'Start a new line', 'Search the history', 'Start a new chat'])
    expect(screen.getByText(does)).toBeTruthy();
});

test('an example goes into the composer; the contents lead to their part', () => {
  const onTry = vi.fn();
  render(<HelpPopup product="Bob" onTry={onTry} onClose={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'What are our 10 largest open deals?' }));
  expect(onTry).toHaveBeenCalledExactlyOnceWith('What are our 10 largest open deals?');
  fireEvent.click(screen.getByRole('button', { name: 'Your data' }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your data' }));
});

test('the contents say which part is being read', () => {
  render(<HelpPopup product="Bob" onTry={() => {}} onClose={() => {}} />);
  const marked = () =>
    screen.getAllByRole('button').filter((button) => button.getAttribute('aria-current') === 'location');
  expect(marked()).toEqual([screen.getByRole('button', { name: 'What to ask' })]);
  const body = screen.getByRole('navigation', { name: 'Help contents' }).parentElement as HTMLElement;
  for (const heading of screen.getAllByRole('heading', { level: 3 }))
    heading.getBoundingClientRect = () => new DOMRect(0, heading.textContent === 'Keys' ? 900 : -10, 100, 20);
  Object.defineProperty(body, 'scrollHeight', { value: 4000, configurable: true });
  fireEvent.scroll(body);
  expect(marked()).toEqual([screen.getByRole('button', { name: 'Your own words and look' })]);
  Object.defineProperty(body, 'scrollHeight', { value: 0 });
  fireEvent.scroll(body);
  expect(marked()).toEqual([screen.getByRole('button', { name: 'Keys' })]);
});

test('Close, the background and Escape close it', () => {
  const onClose = vi.fn();
  render(<HelpPopup product="Bob" onTry={() => {}} onClose={onClose} />);
  for (const close of screen.getAllByRole('button', { name: 'Close' })) fireEvent.click(close);
  fireEvent.keyDown(document.body, { key: 'Escape' });
  fireEvent.click(screen.getByRole('dialog').previousElementSibling as Element);
  expect(onClose).toHaveBeenCalledTimes(4);
});
