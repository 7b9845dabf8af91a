/**
 * The only socket: a faster poll, never a second truth. It is opened with a ticket of 30 s, comes back by itself after a
 * loss, and says nothing when it cannot: the screens poll anyway.
 */
import { api } from './client';
import type { Service } from './connections';
import { sessionToken } from './session';
import type { RunSnapshot, Source } from './types';

export type LiveEvent =
  | { type: 'run'; run: RunSnapshot }
  | { type: 'source'; source: Source }
  | { type: 'source_removed'; file_name: string }
  | { type: 'connection'; service: Service };

const KINDS: readonly string[] = [
  'run',
  'source',
  'source_removed',
  'connection',
] satisfies LiveEvent['type'][];

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const REFUSED = 4401;

/** Calls `act` after `ms`; what it returns calls that off. */
export type After = (ms: number, act: () => void) => () => void;

const after: After = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

export interface Live {
  close(): void;
}

function parse(data: unknown): LiveEvent | null {
  if (typeof data !== 'string') return null;
  try {
    const event = JSON.parse(data) as LiveEvent;
    return KINDS.includes(event.type) ? event : null;
  } catch {
    return null;
  }
}

/**
 * Listens until closed. `onEvent` gets each message; `onReturn` is called after a reconnection, when something may have
 * been missed. `wait` is the clock of the pauses before a return.
 */
export function liveOpen(
  onEvent: (event: LiveEvent) => void,
  onReturn: () => void,
  wait: After = after,
): Live {
  let socket: WebSocket | null = null;
  let callOff = () => {};
  let delay = FIRST_DELAY_MS;
  let closed = false;
  let lost = false;

  function later() {
    if (closed) return;
    lost = true;
    callOff = wait(delay * (0.75 + Math.random() / 2), connect);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }

  async function connect() {
    if (closed || !sessionToken()) return;
    let ticket: string | undefined;
    try {
      ticket = (await api.post<{ ticket: string }>('/socket-ticket', {}))?.ticket;
    } catch {
      return later();
    }
    if (closed || !ticket) return;
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
    socket = new WebSocket(
      `${scheme}://${window.location.host}/ws/live?ticket=${encodeURIComponent(ticket)}`,
    );
    socket.onopen = () => {
      delay = FIRST_DELAY_MS;
      if (lost) onReturn();
      lost = false;
    };
    socket.onmessage = (message) => {
      const event = parse(message.data);
      if (event) onEvent(event);
    };
    socket.onclose = (event) => {
      socket = null;
      if (event.code === REFUSED) delay = LONGEST_DELAY_MS;
      later();
    };
  }

  function onOnline() {
    if (socket || closed) return;
    callOff();
    delay = FIRST_DELAY_MS;
    void connect();
  }

  window.addEventListener('online', onOnline);
  void connect();
  return {
    close() {
      closed = true;
      callOff();
      window.removeEventListener('online', onOnline);
      socket?.close();
    },
  };
}
