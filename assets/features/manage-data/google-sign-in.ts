/**
 * Signing in with Google in a popup (SPEC 2, 7). The popup comes back to our own /google-callback, which posts the code;
 * a message is believed only from our own origin, from that popup, and with the state this sign-in was started with.
 */
import { startConnection } from 'api/connections';
import { NOT_FINISHED, POPUP_BLOCKED } from './sheets-copy';

export interface ConsentCode {
  authorizationCode: string;
  state: string;
}

const CLOSED_CHECK_MS = 400;
/** A window that posts its code and closes can be seen closed before its message is here. */
const CLOSED_GRACE_MS = 3_000;
const SHAPE = 'popup,width=520,height=680';

/** Opens the popup in the click itself (browsers block later ones) and waits for the code. */
export async function consentInPopup(): Promise<ConsentCode> {
  const popup = window.open('about:blank', 'google-sign-in', SHAPE);
  if (!popup) throw new Error(POPUP_BLOCKED);
  try {
    const address = await startConnection('google');
    if (!address) throw new Error(NOT_FINISHED);
    popup.location.replace(address);
    return await codeFrom(popup, new URL(address).searchParams.get('state') ?? '');
  } catch (error) {
    popup.close();
    throw error;
  }
}

function codeFrom(popup: Window, state: string): Promise<ConsentCode> {
  return new Promise((resolve, reject) => {
    let grace: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      window.removeEventListener('message', onMessage);
      clearInterval(timer);
      clearTimeout(grace);
    };
    const onMessage = (event: MessageEvent) => {
      const brought = event.source === popup ? consentOf(event.origin, event.data, state) : null;
      if (!brought) return;
      end();
      resolve(brought);
    };
    const timer = setInterval(() => {
      if (!popup.closed) return;
      grace ??= setTimeout(() => {
        end();
        reject(new Error(NOT_FINISHED));
      }, CLOSED_GRACE_MS);
    }, CLOSED_CHECK_MS);
    window.addEventListener('message', onMessage);
  });
}

/** What a message brings, if it is this sign-in's. */
export function consentOf(origin: string, data: unknown, state: string): ConsentCode | null {
  if (origin !== window.location.origin || typeof data !== 'object' || data === null) return null;
  const { authorizationCode, state: brought } = data as Partial<ConsentCode>;
  if (typeof authorizationCode !== 'string' || !authorizationCode || !state || brought !== state) return null;
  return { authorizationCode, state };
}
