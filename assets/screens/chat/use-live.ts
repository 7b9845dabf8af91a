import { useQueryClient } from '@tanstack/react-query';
import { connectionKey } from 'api/connections';
import { liveOpen } from 'api/live';
import { keys, sourceArrived, sourceGone } from 'api/queries';
import type { RunSnapshot } from 'api/types';
import { useEffect, useRef } from 'react';

/** Hands what the server pushes to where it belongs. With the socket off everything still works, by polling. */
export function useLive(onRun: (run: RunSnapshot) => void): void {
  const client = useQueryClient();
  const latest = useRef(onRun);
  latest.current = onRun;
  useEffect(() => {
    const live = liveOpen(
      (event) => {
        if (event.type === 'run') latest.current(event.run);
        else if (event.type === 'source') sourceArrived(client, event.source);
        else if (event.type === 'source_removed') sourceGone(client, event.file_name);
        else void client.invalidateQueries({ queryKey: connectionKey(event.service) });
      },
      () => {
        void client.invalidateQueries({ queryKey: keys.sources });
        void client.invalidateQueries({ queryKey: keys.threads });
        void client.invalidateQueries({ queryKey: ['connection'] });
      },
    );
    return () => live.close();
  }, [client]);
}
