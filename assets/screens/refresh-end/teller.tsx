import { ServerState } from 'app/server-state';
import { useRefreshEnd } from 'features/manage-data/use-refresh-end';
import type { ReactNode } from 'react';
import { useLive } from 'screens/chat/use-live';

const passOver = () => undefined;

/** Listens for the server's push and says the end; runs and files are the chat's. */
export default function Teller(): ReactNode {
  return (
    <ServerState>
      <Listener />
    </ServerState>
  );
}

function Listener() {
  useLive(passOver, passOver);
  useRefreshEnd();
  return null;
}
