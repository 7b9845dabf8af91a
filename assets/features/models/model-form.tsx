import { useMutation } from '@tanstack/react-query';
import { Button } from 'design/components/button';
import { PasswordField, TextField } from 'design/components/field';
import { Problem } from 'design/components/problem';
import { Select } from 'design/components/select';
import { type FormEvent, useId, useState } from 'react';
import { addModel, namesOf, useModelsChange, type WantedModel } from './api';
import styles from './models-section.module.css';

const PROVIDERS = {
  openai: { name: 'OpenAI', provider: 'openai' },
  anthropic: { name: 'Anthropic', provider: 'anthropic' },
  google: { name: 'Google', provider: 'google' },
  other: { name: 'Another address', provider: 'openai' },
} as const;
type Kind = keyof typeof PROVIDERS;

/** Everything a model needs. The key goes to the server once and is never shown again. */
export function ModelForm({ onDone }: { onDone(): void }) {
  const [kind, setKind] = useState<Kind>('openai');
  const [base_url, setAddress] = useState('');
  const [key, setKey] = useState('');
  const [model, setModel] = useState('');
  const [told, setTold] = useState('');
  const [said, setSaid] = useState('');
  const ids = { provider: useId(), names: useId() };
  const add = useModelsChange(addModel);
  const names = useMutation({ mutationFn: namesOf });
  const where = { provider: PROVIDERS[kind].provider, key, base_url: kind === 'other' ? base_url : '' };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted: WantedModel = { ...where, model, input_price: price(told), output_price: price(said) };
    add.mutate(wanted, { onSuccess: onDone });
  };
  return (
    <form className={styles.body} aria-label="Add a model" onSubmit={submit}>
      <div className={styles.provider}>
        <label htmlFor={ids.provider}>Provider</label>
        <Select id={ids.provider} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {Object.entries(PROVIDERS).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {kind === 'other' && (
        <TextField
          label="Address"
          hint="Of OpenAI’s format: Ollama, vLLM, LM Studio, llama.cpp, Azure and others. For example https://models.example.com/v1"
          type="url"
          required
          value={base_url}
          onChange={(event) => setAddress(event.target.value)}
        />
      )}
      <PasswordField
        label={kind === 'other' ? 'Key, if it needs one' : 'Key'}
        hint="Kept sealed, and never shown again."
        autoComplete="off"
        required={kind !== 'other'}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <TextField
        label="Model"
        required
        maxLength={90}
        list={ids.names}
        value={model}
        onChange={(event) => setModel(event.target.value)}
      />
      <datalist id={ids.names}>
        {names.data?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className={styles.choices}>
        <Button small busy={names.isPending} onClick={() => names.mutate(where)}>
          List models
        </Button>
        {names.data && (
          <p role="status" className={styles.note}>
            {names.data.length === 0 ? 'None are listed.' : `${names.data.length} to choose from above.`}
          </p>
        )}
      </div>
      {names.isError && <Problem>{names.error.message}</Problem>}
      <div className={styles.prices}>
        <Price label="Price told" value={told} onChange={setTold} />
        <Price label="Price said" value={said} onChange={setSaid} />
      </div>
      <p className={styles.note}>For a million tokens that the model is told, and that it says.</p>
      {add.isError && <Problem>{add.error.message}</Problem>}
      <div className={styles.choices}>
        <Button type="submit" variant="primary" busy={add.isPending}>
          Add
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function Price({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  return (
    <TextField
      label={label}
      inputMode="decimal"
      placeholder="0"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const price = (text: string) => Number(text.replace(',', '.')) || 0;
