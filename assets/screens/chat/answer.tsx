import { DEFAULT_PREFERENCES } from 'api/preferences';
import { usePreferences } from 'api/queries';
import type { Message, MessageFile } from 'api/types';
import { pageParams } from 'app/page-params';
import { AnswerBody, type Units } from 'features/answer/answer-body';
import { MarkdownText, prefetchMarkdown } from 'features/answer/markdown-text';
import { ChartViewer, prefetchCharts } from 'features/chart-viewer/chart-viewer';
import { useCallback } from 'react';

interface Props {
  message: Message;
  threadId?: string | null;
  brief?: boolean;
  onAsk(question: string): void;
  onPreview(file: MessageFile): void;
}

/** An answer with its charts: two features that know nothing of each other. */
export default function Answer({ message, threadId, brief, onAsk, onPreview }: Props) {
  const preferences = usePreferences(true).data ?? DEFAULT_PREFERENCES;
  const renderChart = useCallback(
    (file: MessageFile, units: Units) => (
      <ChartViewer file={file} product={pageParams.product} preferences={preferences} units={units} />
    ),
    [preferences],
  );
  return (
    <AnswerBody
      message={message}
      threadId={threadId}
      brief={brief}
      renderChart={renderChart}
      onAsk={onAsk}
      onPreview={onPreview}
    />
  );
}

export { MarkdownText as Trace };

export function prefetchAnswer(): void {
  prefetchMarkdown();
  prefetchCharts();
}
