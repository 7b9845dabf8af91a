import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { TextField } from 'design/components/field';
import { Problem } from 'design/components/problem';
import { Skeleton } from 'design/components/skeleton';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  type ModelsSetUp,
  removeModel,
  type SetUpModel,
  setBudget,
  type Tried,
  useModelsChange,
  useModelsSetUp,
  useModelTest,
} from './api';
import { ModelForm } from './model-form';
import styles from './models-section.module.css';
import { PolicySection } from './policy-section';

/** Language models in the settings: which there are, and what an admin adds, tries and limits. */
export function ModelsSection() {
  const setUp = useModelsSetUp();
  if (setUp.isError) {
    return <FailedLoad sentence="The models could not be loaded." onRetry={() => void setUp.refetch()} />;
  }
  if (!setUp.data) {
    return (
      <div className={styles.body}>
        <Skeleton rows={1} height={44} text="Loading models..." />
      </div>
    );
  }
  return <Loaded now={setUp.data} />;
}

function Loaded({ now }: { now: ModelsSetUp }) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      {now.models.length === 0 && !adding && (
        <p className={`${styles.body} ${styles.note}`}>
          The built-in analyst answers. A language model understands questions in freer words; its figures are
          computed here as well.
        </p>
      )}
      {now.models.map((model) => (
        <Row key={model.id ?? `installation ${model.name}`} model={model} may={now.may_manage} />
      ))}
      {adding ? (
        <ModelForm onDone={() => setAdding(false)} />
      ) : now.may_manage ? (
        <div className={styles.body}>
          <Button icon={<Plus size={18} strokeWidth={1.75} />} onClick={() => setAdding(true)}>
            Add a model
          </Button>
        </div>
      ) : (
        <p className={`${styles.body} ${styles.note}`}>An admin of your organization can add models.</p>
      )}
      {now.models.length > 0 && <PolicySection models={now.models.length} />}
      {now.may_manage && now.models.some(({ id }) => id !== null) && (
        <Budget key={now.monthly_budget} now={now} />
      )}
    </>
  );
}

function Row({ model, may }: { model: SetUpModel; may: boolean }) {
  const [asking, setAsking] = useState(false);
  const remove = useModelsChange(removeModel);
  const tried = useModelTest();
  const { id } = model;
  return (
    <section className={styles.body} aria-label={model.name}>
      <div className={styles.line}>
        <div>
          <p className={styles.name}>{model.name}</p>
          <p className={styles.note}>{aboutOf(model)}</p>
        </div>
        {id !== null && may && !asking && (
          <div className={styles.choices}>
            <Button small busy={tried.isPending} onClick={() => tried.mutate(id)}>
              Test
            </Button>
            <Button small onClick={() => setAsking(true)}>
              Remove
            </Button>
          </div>
        )}
      </div>
      {asking && id !== null && (
        <div className={styles.choices}>
          <Button small variant="danger" busy={remove.isPending} onClick={() => remove.mutate(id)}>
            Remove for everybody
          </Button>
          <Button small onClick={() => setAsking(false)}>
            Keep
          </Button>
        </div>
      )}
      {tried.data?.works && (
        <p role="status" className={styles.note}>
          {outcomeOf(tried.data)}
        </p>
      )}
      {tried.data?.works === false && <Problem>{outcomeOf(tried.data)}</Problem>}
      {tried.isError && <Problem>{tried.error.message}</Problem>}
      {remove.isError && <Problem>{remove.error.message}</Problem>}
    </section>
  );
}

/** What came of a test; one that nobody answered took nothing. */
function outcomeOf({ message, seconds, cost }: Tried): string {
  return seconds > 0 ? `${message} It took ${seconds.toFixed(1)} s and cost ${spent(cost)}.` : message;
}

/** Money: to the cent, and small sums as far as they are something. */
const spent = (sum: number) => sum.toFixed(sum > 0 && sum < 1 ? 4 : 2);

function aboutOf({ id, base_url, input_price, output_price }: SetUpModel): string {
  const whose = id === null ? 'Of this installation' : base_url || 'Of your organization';
  const free = input_price === 0 && output_price === 0;
  return free ? whose : `${whose}, ${input_price} and ${output_price} per million tokens`;
}

function Budget({ now }: { now: ModelsSetUp }) {
  const [text, setText] = useState(String(now.monthly_budget));
  const save = useModelsChange(setBudget);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(Number(text));
  };
  return (
    <form className={styles.body} onSubmit={submit}>
      <TextField
        label="Monthly budget for your models"
        hint={`${spent(now.spent)} spent this month. 0 is no limit; once it is spent, the built-in analyst answers.`}
        error={save.isError ? save.error.message : null}
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.target.value.replace(',', '.'))}
      />
      {text !== String(now.monthly_budget) && (
        <Button type="submit" busy={save.isPending}>
          Save budget
        </Button>
      )}
    </form>
  );
}
