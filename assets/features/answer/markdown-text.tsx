/** The door to Markdown: its parser comes in a part of its own; until then, and should it fail, the text stands plain. */
import { unmarked } from 'lib/unmarked';
import { type ComponentType, useEffect, useState } from 'react';
import styles from './markdown-text.module.css';

type Body = ComponentType<{ text: string }>;

let loaded: Body | null = null;
let loading: Promise<Body> | null = null;

function loadMarkdown(): Promise<Body> {
  loading ??= import(/* webpackChunkName: "markdown", webpackPrefetch: true */ './markdown').then(
    (part) => {
      loaded = part.default;
      return part.default;
    },
    (reason: unknown) => {
      loading = null; // the next text tries again
      throw reason;
    },
  );
  return loading;
}

/** Makes the parser ready while an answer is worked on: its file was fetched when the page was idle. */
export function prefetchMarkdown(): void {
  loadMarkdown().catch(() => undefined);
}

export function MarkdownText({ text }: { text: string }) {
  const [Markdown, setBody] = useState<Body | null>(() => loaded);
  const ready = Markdown !== null;
  useEffect(() => {
    if (ready) return;
    let wanted = true;
    loadMarkdown().then(
      (body) => wanted && setBody(() => body),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [ready]);
  return Markdown ? <Markdown text={text} /> : <p className={styles.plain}>{unmarked(text)}</p>;
}
