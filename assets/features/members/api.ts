import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';

export type Role = 'basic' | 'admin';

export interface Member {
  id: string;
  username: string;
  name: string;
  email: string;
  role: Role | 'staff';
  active: boolean;
  last_seen: string | null;
  /** The account of whoever reads this. */
  you: boolean;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
  expired: boolean;
}

export interface Roster {
  members: readonly Member[];
  invitations: readonly Invitation[];
}

const MEMBERS = '/members';
const INVITATIONS = '/invitations';
const ROSTER = ['members'] as const;

const loadRoster = async () => (await api.get<Roster>(MEMBERS)) ?? null;

export function useRoster() {
  return useQuery({ queryKey: ROSTER, queryFn: loadRoster, staleTime: 0 });
}

export const changeMember = (change: { id: string; role?: Role; active?: boolean }) =>
  api.put<Roster>(MEMBERS, change);
export const resendInvitation = (id: string) => api.post<Roster>(`${INVITATIONS}/resend`, { id });
export const withdrawInvitation = (id: string) => api.remove<Roster>(INVITATIONS, { id });
export const invite = async (wanted: { email: string; role: Role }) => {
  await api.post(INVITATIONS, wanted);
  return loadRoster();
};

/** A change of who is in: what the server then holds is shown, and after a refusal what it held all along. */
export function useRosterChange<T>(change: (value: T) => Promise<Roster | null | undefined>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (now) => {
      if (now) client.setQueryData(ROSTER, now);
    },
    onError: () => void client.invalidateQueries({ queryKey: ROSTER }),
  });
}
