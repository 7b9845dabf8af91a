import { storeCreate } from './store';

/** Which models answer, and how freely (SPEC 3: model selector). The choice stays with this browser. */
interface ModelChoice {
  /** Ids of chosen models; none means whoever answers first in this organization. */
  models: readonly string[];
  /** Who answers where nobody was chosen. */
  first: string;
  temperature: number;
  /** Every model's answer is shown, not only the selected one. */
  allModels: boolean;
}

export const BUILT_IN = 'builtin';
const DEFAULT_TEMPERATURE = 1; // SPEC 9
const KEY = 'models';
const HINT = 'model-hint';

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
  first: BUILT_IN,
  temperature: DEFAULT_TEMPERATURE,
  allModels: false,
  ...stored(),
}));

function keep(change: Partial<ModelChoice>): void {
  useModelChoice.setState(change);
  const { models, temperature } = useModelChoice.getState();
  localStorage.setItem(KEY, JSON.stringify({ models, temperature }));
}

/** Who is asked: those that were chosen, else who answers first. */
export const chosenOf = ({ models, first }: Pick<ModelChoice, 'models' | 'first'>): readonly string[] =>
  models.length > 0 ? models : [first];

/** A second click takes a model out again; without any, who answers first does so alone. */
export function modelToggle(id: string): void {
  const { models, first } = useModelChoice.getState();
  const chosen = chosenOf({ models, first });
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
  keep({ models: next.length === 1 && next[0] === first ? [] : next });
}

/** Forgets chosen models that are not configured any more, and learns who answers first. */
export function modelsPrune(known: readonly string[], first: string = BUILT_IN): void {
  const { models } = useModelChoice.getState();
  useModelChoice.setState({ first });
  const left = models.filter((id) => known.includes(id));
  if (left.length !== models.length) keep({ models: left.length === 1 && left[0] === first ? [] : left });
}

export const temperatureSet = (temperature: number): void => keep({ temperature });
export const allModelsSet = (allModels: boolean): void => useModelChoice.setState({ allModels });

/** What a question is sent with: null means the built-in analyst. */
export function modelsToAsk(): { models: readonly string[] | null; temperature: number } {
  const { models, first, temperature } = useModelChoice.getState();
  const chosen = chosenOf({ models, first });
  return { models: chosen.length === 1 && chosen[0] === BUILT_IN ? null : chosen, temperature };
}

/** Whether this browser was not told yet what a language model would add. */
export const hintDue = (): boolean => localStorage.getItem(HINT) === null;
export const hintTold = (): void => localStorage.setItem(HINT, 'told');
