import { Notice } from 'design/components/notice';
import { useEffect } from 'react';
import { codeFrom, codeSave } from 'stores/callback';

/** Where Slack's consent page leads back to: on to the chat with the code, or to /error on an error or without one. */
export function SlackCallbackScreen() {
  useEffect(() => {
    const brought = codeFrom('slack', window.location.search);
    window.location.replace(brought ? codeSave(brought) : '/error');
  }, []);
  return (
    <Notice
      title="Connecting Slack"
      text="You are on the way back to the chat."
      action={<a href="/chat">Go to the chat</a>}
    />
  );
}
