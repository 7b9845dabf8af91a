import type { Model } from 'api/types';
import { Popover } from 'design/components/popover';
import { ToggleRow } from 'design/components/toggle';
import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useId } from 'react';
import {
  allModelsSet,
  BUILT_IN,
  modelsPrune,
  modelToggle,
  temperatureSet,
  useModelChoice,
} from 'stores/models';
import styles from './model-picker.module.css';

interface Props {
  /** The configured models; the built-in analyst is among them or added. */
  models: readonly Model[];
}

const ANALYST: Model = { id: BUILT_IN, name: 'Built-in analyst', provider: '' };
const HOTTEST = 2;
const STEP = 0.1;

/** Who answers: the built-in analyst, always there, and the models of other providers that are configured. */
export function ModelPicker({ models }: Props) {
  const choice = useModelChoice();
  const all = models.some(({ id }) => id === BUILT_IN) ? models : [ANALYST, ...models];
  const chosen = choice.models.length > 0 ? choice.models : [BUILT_IN];
  const first = all.find(({ id }) => id === chosen[0]) ?? ANALYST;
  const name = chosen.length > 1 ? `${first.name} +${chosen.length - 1}` : first.name;
  usePruning(models);
  return (
    <Popover
      label="Models"
      button={({ props }) => (
        <button
          type="button"
          className={styles.button}
          aria-label={`Models: ${name}`}
          data-tip="Choose who answers"
          {...props}
        >
          <span className={styles.name}>{name}</span>
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    >
      <ul>
        {all.map((model) => (
          <li key={model.id}>
            <button
              type="button"
              className={styles.row}
              aria-pressed={chosen.includes(model.id)}
              onClick={() => modelToggle(model.id)}
            >
              <span className={styles.model}>
                {model.name}
                <span className={styles.provider}>{aboutOf(model)}</span>
              </span>
              {chosen.includes(model.id) && <Check size={16} strokeWidth={2.25} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
      {all.length === 1 && (
        <p className={styles.hint}>Models of other providers appear here once they are configured.</p>
      )}
      {chosen.some((id) => id !== BUILT_IN) && <Temperature value={choice.temperature} />}
      <div className={styles.toggle}>
        <ToggleRow label="Show all answers" checked={choice.allModels} onChange={allModelsSet} />
      </div>
    </Popover>
  );
}

function aboutOf(model: Model): string {
  return model.id === BUILT_IN ? 'Computes without a language model' : model.provider;
}

function Temperature({ value }: { value: number }) {
  const id = useId();
  return (
    <div className={styles.temperature}>
      <label htmlFor={id}>Temperature</label>
      <input
        id={id}
        type="range"
        min={0}
        max={HOTTEST}
        step={STEP}
        value={value}
        onChange={(event) => temperatureSet(Number(event.target.value))}
      />
      <output htmlFor={id}>{value.toFixed(1)}</output>
    </div>
  );
}

/** A model that was taken away is not asked any more. */
function usePruning(models: readonly Model[]) {
  useEffect(() => {
    if (models.length > 0) modelsPrune([BUILT_IN, ...models.map(({ id }) => id)]);
  }, [models]);
}
