import '@fontsource-variable/jetbrains-mono/wght.css';
import { useQuery } from '@tanstack/react-query';
import { api } from 'api/client';
import { refusal } from 'api/errors';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { Popup } from 'design/components/popup';
import { Skeleton } from 'design/components/skeleton';
import styles from './told-popup.module.css';

interface Turn {
  by: 'rules' | 'form' | 'us' | 'model';
  text: string;
}

interface Told {
  models: readonly { name: string; gave_way: boolean; turns: readonly Turn[] }[];
}

interface Props {
  threadId: string;
  messageId: string;
  onClose(): void;
}

/** Everything that was sent to language models for an answer, and what they replied, word for word. */
export default function ToldPopup({ threadId, messageId, onClose }: Props) {
  const told = useQuery({
    queryKey: ['told', messageId],
    queryFn: async () =>
      (await api.get<Told>('/answers/told', { thread_id: threadId, message_id: messageId })) ?? null,
  });
  return (
    <Popup
      title="What a model sees"
      help="Word for word what left for this answer, and what came back. Nothing else was sent."
      width="full"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {told.isPending && <Skeleton rows={4} height={80} even text="Loading what was sent..." />}
      {told.isError && (
        <FailedLoad
          sentence={refusal(told.error) ?? 'What was sent could not be loaded.'}
          onRetry={() => void told.refetch()}
        />
      )}
      {told.data?.models.map((model, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model may be asked twice, by a question and its check
        <section key={place} className={styles.model} aria-label={model.name}>
          <h3>
            {model.name}
            {model.gave_way && <span className={styles.note}> gave no answer that could be used</span>}
          </h3>
          <ol className={styles.turns}>
            {model.turns.map((turn, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
              <li key={at}>
                <Said turn={turn} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Popup>
  );
}

const HEADS: Readonly<Record<Turn['by'], string>> = {
  rules: 'Rules, the same for every question',
  form: 'Form of the reply, the same for every question',
  us: 'Sent',
  model: 'Replied',
};

function Said({ turn: { by, text } }: { turn: Turn }) {
  const words = <pre className={styles.text}>{text}</pre>;
  if (by === 'rules' || by === 'form') {
    return (
      <details className={styles.same}>
        <summary>{HEADS[by]}</summary>
        {words}
      </details>
    );
  }
  return (
    <>
      <p className={styles.head}>{HEADS[by]}</p>
      {words}
    </>
  );
}
