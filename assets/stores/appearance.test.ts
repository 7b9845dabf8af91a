import { describe, expect, test } from 'vitest';
import { appearanceAdopt, audioSet, themeSet, useAppearance } from './appearance';

describe('theme and sound', () => {
  test('come from the server where this browser has no choice of its own', () => {
    appearanceAdopt({ theme: 'dark', audio: false });
    expect(useAppearance.getState()).toEqual({ theme: 'dark', audio: false });
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('theme')).toBeNull();
  });

  test('a choice made here goes before the server', () => {
    themeSet('light');
    audioSet(true);
    appearanceAdopt({ theme: 'dark', audio: false });
    expect(useAppearance.getState()).toEqual({ theme: 'light', audio: true });
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});
