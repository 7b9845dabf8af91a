import { useMemo, useSyncExternalStore } from 'react';

/** The theme's colours as hex: drawings need them as attributes, because a picture knows no style sheet. */
export interface Tokens {
  readonly surface: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly axis: string;
  readonly grid: string;
  readonly hover: string;
  readonly font: string;
}

const NAMES: readonly (readonly [keyof Tokens, string, string])[] = [
  ['surface', '--surface', '#ffffff'],
  ['text', '--text', '#211622'],
  ['text2', '--text-2', '#5c4f5e'],
  ['text3', '--text-3', '#6f6271'],
  ['axis', '--border-strong', '#8c7e8e'],
  ['grid', '--grid', '#e9e2e8'],
  ['hover', '--surface-3', '#ebe3ea'],
  ['font', '--font-sans', 'sans-serif'],
];

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

const theme = () => document.documentElement.dataset.theme ?? '';

/** Reads the tokens anew when the theme changes. */
export function useTokens(): Tokens {
  const current = useSyncExternalStore(subscribe, theme, theme);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the style sheet answers for the theme of the moment
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const read = NAMES.map(([key, name, standard]) => [key, style.getPropertyValue(name).trim() || standard]);
    return Object.fromEntries(read) as unknown as Tokens;
  }, [current]);
}
