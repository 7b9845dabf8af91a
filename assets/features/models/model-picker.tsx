import type { Model } from 'api/types';
import { Popover } from 'design/components/popover';
import { ToggleRow } from 'design/components/toggle';
import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useId } from 'react';
import {
  allModelsSet,
  BUILT_IN,
  chosenOf,
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

const ANALYST: Model = { id: BUILT_IN, name: 'Built-in analyst', provider: '', takes_temperature: false };
const HOTTEST = 2;
const STEP = 0.1;

/** Who answers: the built-in analyst, always there, and the models of other providers that are configured. */
export function ModelPicker({ models }: Props) {
  const choice = useModelChoice();
  const all = models.some(({ id }) => id === BUILT_IN) ? models : [ANALYST, ...models];
  const chosen = chosenOf(choice);
  const first = all.find(({ id }) => id === chosen[0]) ?? ANALYST;
  const name = chosen.length > 1 ? `${first.name} +${chosen.length - 1}` : first.name;
  const asked = all.filter(({ id }) => id !== BUILT_IN && chosen.includes(id));
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
      <ul className={styles.models}>
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
                <span className={styles.about}>{aboutOf(model)}</span>
              </span>
              {chosen.includes(model.id) && <Check size={16} strokeWidth={2.25} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
      {all.length === 1 && (
        <p className={styles.hint}>Models of other providers appear here once they are configured.</p>
      )}
      {asked.length > 0 && <Temperature value={choice.temperature} asked={asked} />}
      <div className={styles.toggle}>
        <ToggleRow label="Show all answers" checked={choice.allModels} onChange={allModelsSet} />
        <p className={styles.note}>
          Shows every chosen model’s answer, not only the one the chat continues from.
        </p>
      </div>
    </Popover>
  );
}

function aboutOf(model: Model): string {
  return model.id === BUILT_IN
    ? 'Computes without a language model'
    : 'A model plans; the built-in analyst computes';
}

interface TemperatureProps {
  value: number;
  /** The chosen models: those that take no temperature are named, and where none takes one nothing can be set. */
  asked: readonly Model[];
}

function Temperature({ value, asked }: TemperatureProps) {
  const id = useId();
  const deaf = asked.filter((model) => !model.takes_temperature);
  const disabled = deaf.length === asked.length;
  return (
    <div className={styles.temperature}>
      <div className={styles.slider} data-disabled={disabled || undefined}>
        <label htmlFor={id}>Temperature</label>
        <input
          id={id}
          type="range"
          min={0}
          max={HOTTEST}
          step={STEP}
          value={value}
          disabled={disabled}
          aria-describedby={deaf.length > 0 ? `${id}-note` : undefined}
          onChange={(event) => temperatureSet(Number(event.target.value))}
        />
        {!disabled && <output htmlFor={id}>{value.toFixed(1)}</output>}
      </div>
      {deaf.length > 0 && (
        <p id={`${id}-note`} className={styles.note}>
          Not used by {deaf.map((model) => model.name).join(', ')}.
        </p>
      )}
    </div>
  );
}

/** A model that was taken away is not asked any more, and the organization's first one is asked at first. */
function usePruning(models: readonly Model[]) {
  useEffect(() => {
    if (models.length > 0) {
      modelsPrune([BUILT_IN, ...models.map(({ id }) => id)], models.find(({ first }) => first)?.id);
    }
  }, [models]);
}
