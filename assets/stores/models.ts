import { storeCreate } from './store';

/** Which models answer, and how freely (SPEC 3: model selector). The choice stays with this browser. */
interface ModelChoice {
  /** Ids of chosen models; none means the built-in analyst alone. */
  models: readonly string[];
  temperature: number;
  /** Every model's answer is shown, not only the selected one. */
  allModels: boolean;
}

export const BUILT_IN = 'builtin';
const DEFAULT_TEMPERATURE = 1; // SPEC 9
const KEY = 'models';

function stored(): Partial<ModelChoice> {
  try {
    const { models, temperature } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    return {
      ...(Array.isArray(models) && models.every((one) => typeof one === 'string') ? { models } : {}),
      ...(typeof temperature === 'number' && temperature >= 0 && temperature <= 2 ? { temperature } : {}),
    };
  } catch {
    return {};
  }
}

export const useModelChoice = storeCreate<ModelChoice>(() => ({
  models: [],
  temperature: DEFAULT_TEMPERATURE,
  allModels: false,
  ...stored(),
}));

function keep(change: Partial<ModelChoice>): void {
  useModelChoice.setState(change);
  const { models, temperature } = useModelChoice.getState();
  localStorage.setItem(KEY, JSON.stringify({ models, temperature }));
}

/** A second click takes a model out again; without any, the built-in analyst answers alone. */
export function modelToggle(id: string): void {
  const { models } = useModelChoice.getState();
  const chosen = models.length > 0 ? models : [BUILT_IN];
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
  keep({ models: next.length === 1 && next[0] === BUILT_IN ? [] : next });
}

/** Forgets chosen models that are not configured any more. */
export function modelsPrune(known: readonly string[]): void {
  const { models } = useModelChoice.getState();
  const left = models.filter((id) => known.includes(id));
  if (left.length !== models.length) keep({ models: left.length === 1 && left[0] === BUILT_IN ? [] : left });
}

export const temperatureSet = (temperature: number): void => keep({ temperature });
export const allModelsSet = (allModels: boolean): void => useModelChoice.setState({ allModels });

/** What a question is sent with: null means the built-in analyst. */
export function modelsToAsk(): { models: readonly string[] | null; temperature: number } {
  const { models, temperature } = useModelChoice.getState();
  return { models: models.length > 0 ? models : null, temperature };
}
