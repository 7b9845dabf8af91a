import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from 'api/client';
import { refusal } from 'api/errors';
import { keys } from 'api/queries';
import { Problem } from 'design/components/problem';
import { Select } from 'design/components/select';
import { useId } from 'react';
import styles from './models-section.module.css';

type Told = 'names' | 'ranges' | 'values';

export interface ModelPolicy {
  may_manage: boolean;
  told: Told;
  /** The approach that answers where a member has picked none. */
  first: string;
  choices: readonly { id: string; name: string }[];
}

const ADDRESS = '/models/policy';
const LEVELS: Readonly<Record<Told, { name: string; about: string }>> = {
  names: {
    name: 'Names only',
    about:
      'Names and types of tables and columns, and what you wrote about them. Questions are understood less often.',
  },
  ranges: {
    name: 'Names and ranges',
    about: 'Also how many rows there are, and from where to where figures and dates go.',
  },
  values: {
    name: 'Names and matching values',
    about: 'Also values that a question needs, and the result, which the model puts into words.',
  },
};

/** What an admin decides about all models: how much of the data they see, and which answers first. */
export function PolicySection({ models }: { models: number }) {
  const client = useQueryClient();
  const key = [...keys.models, 'policy', models];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => (await api.get<ModelPolicy>(ADDRESS)) ?? null,
    staleTime: 0,
  });
  const change = useMutation({
    mutationFn: (wanted: Partial<Pick<ModelPolicy, 'told' | 'first'>>) =>
      api.put<ModelPolicy>(ADDRESS, wanted),
    onSuccess: (now) => {
      client.setQueryData(key, now);
      void client.invalidateQueries({ queryKey: keys.models, exact: true });
    },
  });
  if (!data) return null;
  const { may_manage: may, told, first, choices } = data;
  if (!may) {
    return (
      <p className={`${styles.body} ${styles.note}`}>
        Language models see {LEVELS[told].name.toLowerCase()}.
      </p>
    );
  }
  return (
    <div className={styles.body}>
      <Choice
        label="What models see"
        value={told}
        choices={Object.entries(LEVELS).map(([id, { name }]) => ({ id, name }))}
        note={`${LEVELS[told].about} Private columns are never told; the data dictionary marks them.`}
        onChange={(level) => change.mutate({ told: level as Told })}
      />
      {choices.length > 1 && (
        <Choice
          label="Who answers first"
          value={first}
          choices={choices}
          note="For members who have picked nobody. Where a model fails, the built-in analyst answers."
          onChange={(id) => change.mutate({ first: id })}
        />
      )}
      {change.isError && <Problem>{refusal(change.error) ?? 'This could not be saved.'}</Problem>}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly { id: string; name: string }[];
  note: string;
  onChange(value: string): void;
}

function Choice({ label, value, choices, note, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.provider}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        value={value}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </Select>
      <p id={`${id}-note`} className={styles.note}>
        {note}
      </p>
    </div>
  );
}
