import { DEFAULT_PREFERENCES } from 'api/preferences';
import type { Preferences, Theme } from 'api/types';
import { storeCreate } from './store';

/** Theme and sound of this browser. What local storage holds goes before the server's preferences (SPEC 4). */
interface Appearance {
  theme: Theme;
  audio: boolean;
}

function stored(): Partial<Appearance> {
  const theme = localStorage.getItem('theme');
  const audio = localStorage.getItem('audio');
  return {
    ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
    ...(audio === 'true' || audio === 'false' ? { audio: audio === 'true' } : {}),
  };
}

function paint(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  const color = theme === 'dark' ? '#171218' : '#fbf9fa';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', color);
}

export const useAppearance = storeCreate<Appearance>(() => ({
  theme: document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light',
  audio: DEFAULT_PREFERENCES.audio,
  ...stored(),
}));

export function themeSet(theme: Theme): void {
  localStorage.setItem('theme', theme);
  paint(theme);
  useAppearance.setState({ theme });
}

export function audioSet(audio: boolean): void {
  localStorage.setItem('audio', String(audio));
  useAppearance.setState({ audio });
}

/** Takes the server's values where this browser has none of its own. */
export function appearanceAdopt({ theme, audio }: Pick<Preferences, 'theme' | 'audio'>): void {
  const merged = { theme, audio, ...stored() };
  paint(merged.theme);
  useAppearance.setState(merged);
}
