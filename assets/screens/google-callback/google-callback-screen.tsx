import { Notice } from 'design/components/notice';
import { useEffect } from 'react';

/** Where Google's consent page leads back to, in a popup: the code goes to the page that opened it (SPEC 2). */
export function GoogleCallbackScreen() {
  useEffect(() => {
    const parameters = new URLSearchParams(window.location.search);
    const authorizationCode = parameters.get('code');
    if (!authorizationCode) {
      window.location.replace('/error');
      return;
    }
    const opener: Window | null = window.opener;
    opener?.postMessage({ authorizationCode, state: parameters.get('state') ?? '' }, window.location.origin);
    if (opener) window.close();
  }, []);
  return (
    <Notice
      title="Signing in with Google"
      text="You can close this window. If nothing happens, please sign in again from the chat."
      action={<a href="/chat">Go to the chat</a>}
    />
  );
}
