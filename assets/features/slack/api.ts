import { useQuery } from '@tanstack/react-query';
import { api } from 'api/client';
import { connectionKey, type ServiceConnection } from 'api/connections';

export interface SlackStatus {
  workspace: string | null;
  answers_in_channel: boolean;
  linked_as: string | null;
  command: string;
}

export interface SlackOffer {
  workspace: string;
  slack_name: string;
}

/** The workspace's connection, who the member is there, and who sees answers. */
export function useSlack() {
  return useQuery({
    queryKey: [...connectionKey('slack'), 'status'],
    queryFn: async () => {
      const [status, services] = await Promise.all([
        api.get<SlackStatus>('/slack/auth'),
        api.get<ServiceConnection[]>('/connections'),
      ]);
      const connection = services?.find((one) => one.service === 'slack');
      return status && connection ? { status, connection } : null;
    },
    staleTime: 0,
  });
}

export function useSlackOffer(code: string) {
  return useQuery({
    queryKey: ['slack-offer', code],
    queryFn: async () => (await api.get<SlackOffer>('/slack/link', { code })) ?? null,
    retry: false,
  });
}

export const confirmLink = (code: string) => api.post<SlackStatus>('/slack/link', { code });
export const endLink = () => api.remove<SlackStatus>('/slack/link');
export const showAnswersInChannel = (shown: boolean) =>
  api.put<SlackStatus>('/slack/auth', { answers_in_channel: shown });
