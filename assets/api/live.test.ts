import { HttpResponse, http } from 'msw';
import { server } from 'test/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type After, type Live, liveOpen } from './live';
import { sessionStart } from './session';

/** A socket the test opens, speaks through and closes. */
class FakeSocket {
  static made: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
  constructor(readonly url: string) {
    FakeSocket.made.push(this);
  }
  close() {
    this.closed = true;
  }
}

/** The pauses asked for, each ended by hand: other tests' leftovers run on the real clock beside it. */
class HandClock {
  pauses: { ms: number; act: () => void; off: boolean }[] = [];
  after: After = (ms, act) => {
    const pause = { ms, act, off: false };
    this.pauses.push(pause);
    return () => {
      pause.off = true;
    };
  };
  /** Waits for the `n`-th pause, ends it unless it was called off, and says how long it was. */
  async end(n: number) {
    await vi.waitFor(() => expect(this.pauses).toHaveLength(n));
    const pause = this.pauses[n - 1] as HandClock['pauses'][number];
    if (!pause.off) pause.act();
    return pause.ms;
  }
}

const source = { type: 'source', source: { file_name: 'deals.csv' } };

describe('the socket', () => {
  let live: Live;
  let clock: HandClock;
  const onEvent = vi.fn();
  const onReturn = vi.fn();
  let tickets = 0;
  let refuse = false;

  beforeEach(() => {
    FakeSocket.made = [];
    tickets = 0;
    refuse = false;
    vi.stubGlobal('WebSocket', FakeSocket);
    clock = new HandClock();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onEvent.mockClear();
    onReturn.mockClear();
    sessionStart('t', false);
    server.use(
      http.post('*/api/v3/socket-ticket', () => {
        tickets += 1;
        return refuse
          ? HttpResponse.json({}, { status: 503 })
          : HttpResponse.json({ ticket: `t ${tickets}`, expires_in: 30 });
      }),
    );
  });
  afterEach(() => {
    live.close();
    vi.unstubAllGlobals();
  });

  const socket = async (n: number) => {
    await vi.waitFor(() => expect(FakeSocket.made).toHaveLength(n));
    return FakeSocket.made[n - 1] as FakeSocket;
  };

  test('opens with a ticket of its own and hands on what it can read', async () => {
    live = liveOpen(onEvent, onReturn, clock.after);
    const first = await socket(1);
    expect(first.url).toContain('/ws/live?ticket=t%201');
    first.onopen?.();
    first.onmessage?.({ data: JSON.stringify(source) });
    first.onmessage?.({ data: 'not json' });
    first.onmessage?.({ data: '{"type":"other"}' });
    expect(onEvent.mock.calls).toEqual([[source]]);
    expect(onReturn).not.toHaveBeenCalled();
  });

  test('comes back after a loss with a new ticket, and says that something may have been missed', async () => {
    live = liveOpen(onEvent, onReturn, clock.after);
    const first = await socket(1);
    first.onopen?.();
    first.onclose?.({ code: 1006 });
    expect(tickets).toBe(1);
    expect(await clock.end(1)).toBe(500);
    const second = await socket(2);
    second.onopen?.();
    expect(onReturn).toHaveBeenCalledOnce();
  });

  test('waits longer after each failure, and says nothing', async () => {
    refuse = true;
    live = liveOpen(onEvent, onReturn, clock.after);
    expect(await clock.end(1)).toBe(500);
    expect(await clock.end(2)).toBe(1_000);
    expect(await clock.end(3)).toBe(2_000);
    await vi.waitFor(() => expect(tickets).toBe(4));
  });

  test('stays closed once it was closed', async () => {
    live = liveOpen(onEvent, onReturn, clock.after);
    const first = await socket(1);
    live.close();
    expect(first.closed).toBe(true);
    first.onclose?.({ code: 1000 });
    expect(clock.pauses).toHaveLength(0);
    expect(FakeSocket.made).toHaveLength(1);
  });

  test('closed during a pause, it does not come back', async () => {
    live = liveOpen(onEvent, onReturn, clock.after);
    (await socket(1)).onclose?.({ code: 1006 });
    live.close();
    await clock.end(1);
    expect(clock.pauses[0]?.off).toBe(true);
    expect(tickets).toBe(1);
  });
});
