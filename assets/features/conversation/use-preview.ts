import { useEffect, useState } from 'react';
import { loadPreview, type QuestionPreview, type Typed } from './ahead-api';
import { PREVIEW_PAUSE_MS } from './limits';

const NOTHING: QuestionPreview = { chips: [], unread: [], completions: [] };

interface Shown {
  /** The text that the preview is of. */
  of: string;
  preview: QuestionPreview;
}

/**
 * The preview of what stands in the composer, asked for once nothing was typed for a moment. Whatever was asked for an
 * earlier text is ended and dropped; chips stay until the next ones are there, completions only fit their own text.
 */
export function usePreview({ text, before, threadId, files }: Typed): QuestionPreview {
  const [shown, setShown] = useState<Shown>({ of: '', preview: NOTHING });
  const key = `${threadId}\n${files.join('\n')}\n${before}\n${text}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that is typed
  useEffect(() => {
    const ending = new AbortController();
    const pause = window.setTimeout(() => {
      loadPreview({ text, before, threadId, files }, ending.signal)
        .then((preview) => {
          if (!ending.signal.aborted) setShown({ of: key, preview: preview ?? NOTHING });
        })
        .catch(() => {
          if (!ending.signal.aborted) setShown({ of: key, preview: NOTHING });
        });
    }, PREVIEW_PAUSE_MS);
    return () => {
      window.clearTimeout(pause);
      ending.abort();
    };
  }, [key]);
  return shown.of === key ? shown.preview : { ...shown.preview, completions: [] };
}
