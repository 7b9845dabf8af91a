import { storeCreate } from './store';

/** What stands in the composer, by thread ("new" before there is one). It survives a reload of the tab. */
const KEY = 'drafts';
export const NEW_THREAD = 'new';

function read(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

interface Drafts {
  texts: Record<string, string>;
  /** Counts the times a text was put in from elsewhere: the composer takes the focus then. */
  filled: number;
  /** The stretch of that text that is to be replaced first: it is selected. */
  marked: Stretch | null;
}

interface Stretch {
  start: number;
  end: number;
}

export const useDrafts = storeCreate<Drafts>(() => ({ texts: read(), filled: 0, marked: null }));

export function draftSet(thread: string, text: string): void {
  useDrafts.setState(({ texts }) => {
    const { [thread]: _old, ...others } = texts;
    const next = text ? { ...others, [thread]: text } : others;
    sessionStorage.setItem(KEY, JSON.stringify(next));
    return { texts: next };
  });
}

/** Puts a question into the composer from an example, a topic, a follow-up or an echo; `marked` of it is selected. */
export function draftFill(thread: string, text: string, marked: Stretch | null = null): void {
  draftSet(thread, text);
  useDrafts.setState(({ filled }) => ({ filled: filled + 1, marked }));
}
