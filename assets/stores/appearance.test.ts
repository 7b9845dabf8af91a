import { DEFAULT_PREFERENCES } from 'api/preferences';
import { describe, expect, test } from 'vitest';
import { appearanceAdopt, audioSet, themeSet, useAppearance } from './appearance';

describe('theme and sound', () => {
  test('come from the server where this browser has no choice of its own', () => {
    appearanceAdopt({ theme: 'dark', audio: false });
    expect(useAppearance.getState()).toEqual({ theme: 'dark', audio: false });
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('theme')).toBeNull();
  });

  test('no sound is played before somebody wished for one: the server and the page start with the same', () => {
    expect(useAppearance.getState().audio).toBe(false);
    expect(DEFAULT_PREFERENCES.audio).toBe(false);
  });

  test('a choice made here goes before the server', () => {
    themeSet('light');
    audioSet(true);
    appearanceAdopt({ theme: 'dark', audio: false });
    expect(useAppearance.getState()).toEqual({ theme: 'light', audio: true });
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});
