/** A socket that the test speaks through, in place of the browser's: `vi.stubGlobal('WebSocket', FakeSocket)`. */
export class FakeSocket {
  static made: FakeSocket[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    FakeSocket.made.push(this);
  }
  close() {}
}

/** What the server pushes through the first socket. */
export const socketSays = (event: object) => FakeSocket.made[0]?.onmessage?.({ data: JSON.stringify(event) });
