import { useQueryClient } from '@tanstack/react-query';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import { keys, preferencesGet, useMe, usePreferences } from 'api/queries';
import { allows, type KeptKeyword, type Message, type MessageFile } from 'api/types';
import { pageParams } from 'app/page-params';
import { AnswerBody, type Units } from 'features/answer/answer-body';
import { MarkdownText, prefetchMarkdown } from 'features/answer/markdown-text';
import { ChartViewer, prefetchCharts } from 'features/chart-viewer/chart-viewer';
import { useSavePreferences } from 'features/company/api';
import { KEYWORD_KEPT, KEYWORDS_FAILED } from 'features/company/copy';
import { useCallback } from 'react';
import { toastShow } from 'stores/toast';
import { useReadings, useRewording, useTeaching } from './use-readings';

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
    (file: MessageFile, units: Units, filters: readonly string[], onTable?: () => void) => (
      <ChartViewer
        file={file}
        product={pageParams.product}
        preferences={preferences}
        units={units}
        filters={filters}
        onTable={onTable}
      />
    ),
    [preferences],
  );
  const onKeep = useKeeping();
  const readings = useReadings(threadId ?? null, message.message_id);
  const onTeach = useTeaching(threadId ?? null, message.message_id);
  const onReword = useRewording(threadId ?? null, message);
  return (
    <AnswerBody
      message={message}
      threadId={threadId}
      brief={brief}
      renderChart={renderChart}
      onAsk={onAsk}
      onKeep={onKeep}
      onTeach={onTeach}
      onReword={onReword}
      onPreview={onPreview}
      readings={readings}
    />
  );
}

/** Adds a keyword to the organization's, as they are at that moment: others may have added theirs meanwhile. */
function useKeeping(): ((keyword: KeptKeyword) => void) | undefined {
  const client = useQueryClient();
  const me = useMe(true).data;
  const { mutate } = useSavePreferences({ saved: KEYWORD_KEPT, failed: KEYWORDS_FAILED }, () => {});
  const keep = useCallback(
    ({ term, definition }: KeptKeyword) => {
      client
        .fetchQuery({ queryKey: keys.preferences, queryFn: preferencesGet, staleTime: 0 })
        .then(({ keywords }) => mutate({ keywords: { ...keywords, [term]: definition } }))
        .catch(() => toastShow('error', KEYWORDS_FAILED));
    },
    [client, mutate],
  );
  return me && allows(me, 'edit_context') ? keep : undefined;
}

export { MarkdownText as Trace };

export function prefetchAnswer(): void {
  prefetchMarkdown();
  prefetchCharts();
}
