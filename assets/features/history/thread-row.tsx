import type { ThreadSummary } from 'api/types';
import { Button } from 'design/components/button';
import { TextField } from 'design/components/field';
import { IconButton } from 'design/components/icon-button';
import { dateTime } from 'lib/format';
import { Archive, ArchiveRestore, Ellipsis, PencilLine, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import styles from './history-panel.module.css';
import { nameOf, type ThreadActions } from './use-thread-actions';

interface Props {
  thread: ThreadSummary;
  current: boolean;
  now: number;
  actions: ThreadActions;
  onOpen(threadId: string): void;
  onHint(threadId: string): void;
}

/** So many letters fit into the two lines of a row. */
const LONG = 80;
/** Characters of a name, as the server takes them. */
const LONGEST = 80;
const ICON = { size: 15, strokeWidth: 1.75 };

/** A thread of the history, with what can be done with it folded away. */
export function ThreadRow({ thread, current, now, actions, onOpen, onHint }: Props) {
  const id = useId();
  const [opened, setOpened] = useState<'actions' | 'name' | null>(null);
  const name = nameOf(thread);
  const close = () => setOpened(null);
  return (
    <li className={styles.thread}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.row}
          aria-current={current ? 'true' : undefined}
          data-tip={name.length > LONG ? name : undefined}
          onClick={() => onOpen(thread.thread_id)}
          onPointerEnter={() => onHint(thread.thread_id)}
          onFocus={() => onHint(thread.thread_id)}
        >
          <span className={styles.summary} id={id}>
            {name}
          </span>
          <span className={styles.time}>
            {thread.updated_at === null ? 'No date' : dateTime(thread.updated_at * 1000, now)}
          </span>
        </button>
        <IconButton
          className={styles.more}
          name="Rename, archive or delete"
          tip="More"
          aria-describedby={id}
          aria-expanded={opened !== null}
          icon={<Ellipsis size={18} strokeWidth={1.75} />}
          onClick={() => setOpened(opened === null ? 'actions' : null)}
        />
      </div>
      {opened === 'actions' && (
        <div className={styles.actions}>
          <Button small icon={<PencilLine {...ICON} />} onClick={() => setOpened('name')}>
            Rename
          </Button>
          {thread.archived ? (
            <Button small icon={<ArchiveRestore {...ICON} />} onClick={() => actions.unarchive(thread)}>
              Restore
            </Button>
          ) : (
            <Button small icon={<Archive {...ICON} />} onClick={() => actions.archive(thread)}>
              Archive
            </Button>
          )}
          <Button small variant="danger" icon={<Trash2 {...ICON} />} onClick={() => actions.remove(thread)}>
            Delete
          </Button>
        </div>
      )}
      {opened === 'name' && (
        <NameForm
          name={name}
          onCancel={close}
          onName={(given) => {
            close();
            if (given !== name) actions.rename(thread, given);
          }}
        />
      )}
    </li>
  );
}

function NameForm({
  name,
  onName,
  onCancel,
}: {
  name: string;
  onName(name: string): void;
  onCancel(): void;
}) {
  const [text, setText] = useState(name);
  const given = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given) onName(given);
  };
  return (
    <form className={styles.naming} onSubmit={submit}>
      <TextField
        bare
        label="Name of the conversation"
        maxLength={LONGEST}
        autoFocus
        value={text}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation(); // it would close the panel
          onCancel();
        }}
      />
      <div className={styles.choices}>
        <Button small type="submit" disabled={!given}>
          Save
        </Button>
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
