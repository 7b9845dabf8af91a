import { type AuthReply, authCall } from 'api/client';

/** One signed-in browser or program of this user. */
export interface SignedInSession {
  id: number;
  user_agent: string;
  ip: string;
  /** Seconds since 1970. */
  created_at: number;
  is_current: boolean;
}

export const sessionsKey = ['sessions'] as const;

function listOf(reply: AuthReply | undefined): SignedInSession[] {
  if (reply === undefined) return [];
  const data: unknown = reply.data;
  if (reply.status !== 200 || !Array.isArray(data)) throw new Error(`The sessions answered ${reply.status}.`);
  const sessions = data as SignedInSession[];
  return sessions.toSorted(
    (a, b) => Number(b.is_current) - Number(a.is_current) || b.created_at - a.created_at,
  );
}

/** This session first, then the newest. */
export async function sessionsFetch(): Promise<SignedInSession[]> {
  return listOf(await authCall('GET', '/sessions'));
}

/** Ends these sessions and answers those that are left. */
export async function sessionsEnd(ids: number[]): Promise<SignedInSession[]> {
  return listOf(await authCall('DELETE', '/sessions', { sessions: ids }));
}
