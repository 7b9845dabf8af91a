import { describe, expect, test } from 'vitest';
import { parseAddress } from './address';

describe('the address of the chat', () => {
  test('names a thread, or a new conversation, or nothing we know', () => {
    expect(parseAddress('/chat')).toEqual({ threadId: null });
    expect(parseAddress('/chat/')).toEqual({ threadId: null });
    expect(parseAddress('/chat/c/abc-1')).toEqual({ threadId: 'abc-1' });
    expect(parseAddress('/chat/c/a%20b/')).toEqual({ threadId: 'a b' });
    for (const path of ['/chat/c/', '/chat/x', '/chat/c/a/b', '/chat/c/%E0%A4%A'])
      expect(parseAddress(path)).toBeNull();
  });
});
