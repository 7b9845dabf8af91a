import { authCall } from 'api/client';
import { useMe, usePreferences } from 'api/queries';
import { sessionEnd, sessionSubscribe, sessionToken } from 'api/session';
import { pageParams } from 'app/page-params';
import { LoadingOverlay } from 'design/components/loading-overlay';
import { Notice } from 'design/components/notice';
import { type MouseEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { appearanceAdopt } from 'stores/appearance';
import { slackLinkKeep } from 'stores/slack-link';
import { Chat } from './chat';

const OVERLAY_MS = 800; // SPEC 2, 9: at least
const LEAVING_MS = 200;

/** Lets in who is signed in and belongs to an organization; shows the overlay until preferences are there. */
export function ChatScreen() {
  const token = useSyncExternalStore(sessionSubscribe, sessionToken);
  const me = useMe(token !== null);
  const preferences = usePreferences(token !== null);
  const there =
    token !== null && me.data !== undefined && (preferences.data !== undefined || preferences.isError);
  const loaded = useOnce(there);
  const overlay = useOverlay(loaded);

  useEffect(slackLinkKeep, []);
  useEffect(() => {
    if (preferences.data) appearanceAdopt(preferences.data);
  }, [preferences.data]);

  if (token === null) return <NotLoggedIn />;
  if (me.isError) return <Unreachable message={me.error.message} onRetry={() => me.refetch()} />;
  if (me.data === null) return <NotLoggedIn />;
  if (me.data !== undefined && !(me.data.organization && me.data.name)) return <OfNoOrganization />;
  return (
    <>
      {loaded && me.data && <Chat me={me.data} />}
      {overlay !== 'gone' && (
        <LoadingOverlay leaving={overlay === 'leaving'} label={`Loading ${pageParams.product}`} />
      )}
    </>
  );
}

/** True for good once it was: preferences that failed and are asked for again must not close the chat. */
function useOnce(now: boolean): boolean {
  const [been, setBeen] = useState(now);
  if (now && !been) setBeen(true);
  return been || now;
}

/** Shown from the start of the page for 800 ms at least, then fading; gone afterwards. */
function useOverlay(loaded: boolean): 'shown' | 'leaving' | 'gone' {
  const [state, setState] = useState<'shown' | 'leaving' | 'gone'>('shown');
  useEffect(() => {
    if (!loaded) return;
    const left = Math.max(0, OVERLAY_MS - performance.now());
    const leave = setTimeout(() => setState('leaving'), left);
    const go = setTimeout(() => setState('gone'), left + LEAVING_MS);
    return () => {
      clearTimeout(leave);
      clearTimeout(go);
    };
  }, [loaded]);
  return state;
}

function NotLoggedIn() {
  return (
    <Notice
      title="Not Logged In"
      text="Log in with an account of your organization to ask about its data."
      action={<a href="/login">Go to login</a>}
    />
  );
}

/** Signed in, and nowhere a member. The session has to end first: with it, /login would lead back here. */
function OfNoOrganization() {
  function leave(event: MouseEvent) {
    event.preventDefault();
    const left = () => {
      sessionEnd();
      window.location.assign('/login');
    };
    authCall('DELETE', '/session').then(left, left);
  }
  return (
    <Notice
      title="Not Logged In"
      text="Your account does not belong to an organization yet. Ask your administrator to add you."
      action={
        <a href="/login" onClick={leave}>
          Log in with another account
        </a>
      }
    />
  );
}

function Unreachable({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <Notice
      title="The chat could not be opened"
      text={message}
      action={
        <a
          href="/chat"
          onClick={(event) => {
            event.preventDefault();
            onRetry();
          }}
        >
          Try again
        </a>
      }
    />
  );
}
