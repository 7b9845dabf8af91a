import { useQueryClient } from '@tanstack/react-query';
import type { Source } from 'api/types';
import { SUGGESTIONS } from 'features/conversation/api';
import { useEffect, useRef } from 'react';

/** The greeting's questions are about the data there is: once there are other files, other questions are asked for. */
export function useFreshSuggestions(sources: readonly Source[] | undefined): void {
  const client = useQueryClient();
  const ready = sources
    ?.filter((source) => source.state === 'ready')
    .map((source) => source.file_name)
    .sort()
    .join('\n');
  const before = useRef(ready);
  useEffect(() => {
    if (ready === undefined || ready === before.current) return;
    const known = before.current !== undefined;
    before.current = ready;
    if (known) void client.invalidateQueries({ queryKey: SUGGESTIONS });
  }, [client, ready]);
}
