/**
 * Which addresses an answer may link to. Answers quote cells and models, so every address is hostile: it is judged the
 * way a browser will read it, and only the protocols of SPEC §5 pass. Relative addresses have no protocol and do not.
 */
const ALLOWED = new Set(['http', 'https', 'irc', 'ircs', 'mailto', 'xmpp']);

/** The address as a browser reads it, or null where it must not become a link. */
export function safeAddress(address: string): string | null {
  // Browsers drop tabs and line breaks anywhere, and control characters and spaces at the ends.
  const read = address.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]?.toLowerCase();
  return protocol !== undefined && ALLOWED.has(protocol) ? read : null;
}
