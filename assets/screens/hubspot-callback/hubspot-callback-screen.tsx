import { Notice } from 'design/components/notice';
import { useEffect } from 'react';
import { codeFrom, codeSave } from 'stores/callback';

/** Where HubSpot's consent page leads back to: on to the chat with the code, or to /error without one. */
export function HubSpotCallbackScreen() {
  useEffect(() => {
    const brought = codeFrom('hubspot', window.location.search);
    window.location.replace(brought ? codeSave(brought) : '/error');
  }, []);
  return (
    <Notice
      title="Connecting HubSpot"
      text="You are on the way back to the chat."
      action={<a href="/chat">Go to the chat</a>}
    />
  );
}
