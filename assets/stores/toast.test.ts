import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toastClose, toastHold, toastShow, useToast } from './toast';

const shown = () => useToast.getState().toast?.content ?? null;

describe('the toast', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    toastClose();
    vi.useRealTimers();
  });

  test('hides a complete and an error message after 3 s', () => {
    for (const status of ['complete', 'error'] as const) {
      toastShow(status, 'Message copied');
      vi.advanceTimersByTime(2_999);
      expect(shown()).toBe('Message copied');
      vi.advanceTimersByTime(1);
      expect(shown()).toBeNull();
    }
  });

  test('keeps an info message, and one that is asked to stay, for 10 s', () => {
    toastShow('info', 'Loading');
    vi.advanceTimersByTime(9_999);
    expect(shown()).toBe('Loading');
    vi.advanceTimersByTime(1);
    expect(shown()).toBeNull();

    toastShow('error', 'Read me', true);
    vi.advanceTimersByTime(9_999);
    expect(shown()).toBe('Read me');
  });

  test('drops the timer of the message before', () => {
    toastShow('complete', 'first');
    vi.advanceTimersByTime(2_900);
    toastShow('complete', 'second');
    vi.advanceTimersByTime(2_900);
    expect(shown()).toBe('second');
  });

  test('waits while the pointer is on it', () => {
    toastShow('complete', 'hover');
    toastHold(true);
    vi.advanceTimersByTime(60_000);
    expect(shown()).toBe('hover');
    toastHold(false);
    vi.advanceTimersByTime(3_000);
    expect(shown()).toBeNull();
  });
});
