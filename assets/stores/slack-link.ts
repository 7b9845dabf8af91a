/** The key of a link that Slack showed: it comes with the chat's address and waits, in this tab, until somebody is signed in. */
const KEY = 'slack-link';

/** Takes the key out of the address. */
export function slackLinkKeep(): void {
  const address = new URL(window.location.href);
  const key = address.searchParams.get(KEY);
  if (key === null) return;
  sessionStorage.setItem(KEY, key);
  address.searchParams.delete(KEY);
  window.history.replaceState(null, '', address.pathname + address.search);
}

/** The key, once. */
export function slackLinkTake(): string | null {
  const key = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return key;
}
