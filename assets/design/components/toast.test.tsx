import { act, fireEvent, render, screen } from '@testing-library/react';
import { toastClose, toastShow } from 'stores/toast';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastBar } from './toast';

const rect = (top: number, height: number) => new DOMRect(20, top, 300, height);

/** A field and the bar at these heights of the window, the bar where the page's style puts it. */
function show(fieldTop: number, barTop = 8) {
  render(
    <>
      <input aria-label="Term" />
      <ToastBar />
    </>,
  );
  const field = screen.getByRole('textbox', { name: 'Term' });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this === field ? rect(fieldTop, 44) : rect(barTop, 52);
  });
  return field;
}

const topOf = () => screen.getByRole('status').style.top;

afterEach(() => {
  act(toastClose);
  vi.restoreAllMocks();
});

test('a message stands below the field that somebody is typing in', () => {
  show(40).focus();
  act(() => toastShow('complete', 'Kept'));
  expect(topOf()).toBe('92px'); // 40 and 44 of the field, 8 between
});

test('it goes out of the way of a field that gets the focus later', () => {
  const field = show(40);
  act(() => toastShow('complete', 'Kept'));
  expect(topOf()).toBe('');
  act(() => field.focus());
  fireEvent.focusIn(field);
  expect(topOf()).toBe('92px');
});

test('it stands above a field at the foot of the window', () => {
  show(window.innerHeight - 60, window.innerHeight - 70).focus();
  act(() => toastShow('complete', 'Kept'));
  expect(topOf()).toBe(`${window.innerHeight - 120}px`);
});

test('it stays where no field in use is in its way', () => {
  show(400).focus();
  act(() => toastShow('complete', 'Kept'));
  expect(topOf()).toBe('');
});
