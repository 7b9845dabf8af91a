import { useQueryClient } from '@tanstack/react-query';
import { connectionKey, crmStatusKey } from 'api/connections';
import { liveOpen } from 'api/live';
import { isWorking, keys, sourceArrived, sourceGone } from 'api/queries';
import type { RunSnapshot, Source } from 'api/types';
import { useEffect, useRef } from 'react';

/**
 * Hands what the server pushes to where it belongs. With the socket off everything still works, by polling. `onData` is
 * told the file whose rows are others now, or null where that may have been missed.
 */
export function useLive(onRun: (run: RunSnapshot) => void, onData: (file: string | null) => void): void {
  const client = useQueryClient();
  const latest = useRef({ onRun, onData });
  latest.current = { onRun, onData };
  useEffect(() => {
    const live = liveOpen(
      (event) => {
        const { onRun: tell, onData: change } = latest.current;
        if (event.type === 'run') tell(event.run);
        else if (event.type === 'source') {
          const { file_name: file, refreshed_at: at } = event.source;
          const known = client
            .getQueryData<Source[]>(keys.sources)
            ?.find(({ file_name }) => file_name === file);
          sourceArrived(client, event.source);
          if (at !== null && at !== known?.refreshed_at) change(file);
          // A refresh of the CRM ends once its last file is read; its connection changes before.
          if (event.source.group === 'crm' && !isWorking(event.source))
            void client.invalidateQueries({ queryKey: crmStatusKey });
        } else if (event.type === 'source_removed') {
          sourceGone(client, event.file_name);
          change(event.file_name);
        } else void client.invalidateQueries({ queryKey: connectionKey(event.service) });
      },
      () => {
        void client.invalidateQueries({ queryKey: keys.sources });
        void client.invalidateQueries({ queryKey: keys.threads });
        void client.invalidateQueries({ queryKey: ['connection'] });
        latest.current.onData(null);
      },
    );
    return () => live.close();
  }, [client]);
}
