import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { keys } from 'api/queries';

export interface SetUpModel {
  /** null for a model of the installation, which nobody changes here. */
  id: string | null;
  name: string;
  provider: string;
  base_url: string;
  input_price: number;
  output_price: number;
}

export interface ModelsSetUp {
  may_manage: boolean;
  models: SetUpModel[];
  /** 0: no limit. */
  monthly_budget: number;
  spent: number;
}

export interface WantedModel {
  provider: 'openai' | 'anthropic' | 'google';
  model: string;
  key: string;
  base_url: string;
  input_price: number;
  output_price: number;
}

export interface Tried {
  works: boolean;
  message: string;
  seconds: number;
  cost: number;
}

const ADDRESS = '/models/own';
const SET_UP = [...keys.models, 'set-up'] as const;

export function useModelsSetUp() {
  return useQuery({
    queryKey: SET_UP,
    queryFn: async () => (await api.get<ModelsSetUp>(ADDRESS)) ?? null,
    staleTime: 0,
  });
}

export const addModel = (wanted: WantedModel) => api.post<ModelsSetUp>(ADDRESS, wanted);
export const removeModel = (id: string) => api.remove<ModelsSetUp>(ADDRESS, { id });
export const setBudget = (monthly_budget: number) => api.put<ModelsSetUp>(ADDRESS, { monthly_budget });
const testModel = (id: string) => api.post<Tried>(`${ADDRESS}/test`, { id });
export const namesOf = async (wanted: Pick<WantedModel, 'provider' | 'key' | 'base_url'>) =>
  (await api.post<{ names: string[] }>(`${ADDRESS}/names`, wanted))?.names ?? [];

/** Asks a model a real question; what it cost is spent then. */
export function useModelTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: testModel,
    onSuccess: () => void client.invalidateQueries({ queryKey: SET_UP }),
  });
}

/** A change of the models: what the server then holds is shown, and the picker reads its list anew. */
export function useModelsChange<T>(change: (value: T) => Promise<ModelsSetUp | undefined>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (now) => {
      if (now) client.setQueryData(SET_UP, now);
      void client.invalidateQueries({ queryKey: keys.models, exact: true });
    },
  });
}
