import { useQueryClient } from '@tanstack/react-query';
import { keys } from 'api/queries';
import type { LoadedThread, Message, RunSnapshot } from 'api/types';
import { selectApproach } from 'features/validation/api';
import { isValidated } from 'features/validation/approaches';
import { SELECT_FAILED, VALIDATION_FAILED } from 'features/validation/copy';
import { Validations } from 'features/validation/follow';
import { withSelected } from 'features/validation/select';
import { ValidateButton } from 'features/validation/validate-button';
import { ValidationWaiting } from 'features/validation/validation-waiting';
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { toastShow } from 'stores/toast';
import { useValidations, validationToggle } from 'stores/validations';
import { AnswerSlot, TraceSlot } from './answer-slot';
import { ValidationPanel } from './lazy';

interface Checks {
  /** The button or the panel of an answer's check; stable as long as the thread is the same. */
  render(answer: Message, question: Message, place: 'button' | 'panel'): ReactNode;
  /** A snapshot of any check of this user, pushed by the server. */
  receive(run: RunSnapshot): void;
}

const nothing = () => {};

/** Joins the check of answers by other methods with the thread it belongs to. */
export function useChecks(
  threadId: string | null,
  thread: LoadedThread | null | undefined,
  organization: string | null,
): Checks {
  const client = useQueryClient();
  const keep = useCallback(
    (id: string, change: (thread: LoadedThread) => LoadedThread) =>
      client.setQueryData<LoadedThread | null>(keys.thread(id), (now) => now && change(now)),
    [client],
  );
  const validations = useValidating(keep);
  const current = useRef({ threadId, organization });
  current.current = { threadId, organization };

  const unfinished = thread?.validation ?? null;
  useEffect(() => {
    if (unfinished) validations.receive(unfinished);
  }, [unfinished, validations]);

  const render = useCallback(
    (answer: Message, question: Message, place: 'button' | 'panel') => {
      const answers = answersTo(question, answer);
      const { threadId: id, organization: name } = current.current;
      if (!id || !mayBeChecked(answer, answers)) return null;
      const questionId = question.message_id;
      const runId = answer.run_id ?? question.run_id ?? '';
      if (place === 'button') {
        const check = { threadId: id, runId, questionId, organization: name };
        return (
          <ValidateButton
            questionId={questionId}
            answers={answers}
            onValidate={() => validations.start(check)}
          />
        );
      }
      const select = (message: Message) => {
        keep(id, (now) => ({ ...now, messages: withSelected(now.messages, message.message_id) }));
        selectApproach(id, runId, message.message_id).catch(() => {
          toastShow('error', SELECT_FAILED);
          void client.invalidateQueries({ queryKey: keys.thread(id) });
        });
      };
      const stop = () => validations.stop(questionId);
      return (
        <CheckPanel threadId={id} questionId={questionId} answers={answers} onSelect={select} onStop={stop} />
      );
    },
    [client, keep, validations],
  );
  const receive = useCallback((run: RunSnapshot) => validations.receive(run), [validations]);
  return { render, receive };
}

/** One follower of checks for the life of the chat. */
function useValidating(keep: (id: string, change: (thread: LoadedThread) => LoadedThread) => void) {
  const latest = useRef(keep);
  latest.current = keep;
  const validations = useMemo(
    () =>
      new Validations({
        done: (run) =>
          latest.current(run.thread_id, (now) => ({
            ...now,
            messages: run.messages ?? now.messages,
            validation: null,
          })),
        failed: () => toastShow('error', VALIDATION_FAILED),
      }),
    [],
  );
  useEffect(() => () => validations.close(), [validations]);
  return validations;
}

interface CheckPanelProps {
  threadId: string;
  questionId: string;
  answers: readonly Message[];
  onSelect(message: Message): void;
  onStop(): void;
}

function CheckPanel({ threadId, questionId, answers, onSelect, onStop }: CheckPanelProps) {
  const open = useValidations((state) => state.open[questionId] ?? false);
  const going = useValidations((state) => questionId in state.going);
  const waiting = <ValidationWaiting questionId={questionId} onStop={onStop} />;
  if (going) return waiting;
  if (!open) return null;
  if (!isValidated(answers)) return waiting; // the check is over, what it found is drawn in a moment
  return (
    <Suspense fallback={waiting}>
      <ValidationPanel
        questionId={questionId}
        answers={answers}
        renderAnswer={(message) => (
          <AnswerSlot message={message} threadId={threadId} brief onAsk={nothing} onPreview={nothing} />
        )}
        renderTrace={renderTrace}
        onSelect={(message) => {
          validationToggle(questionId, true);
          onSelect(message);
        }}
      />
    </Suspense>
  );
}

const renderTrace = (markdown: string) => <TraceSlot text={markdown} />;

/** The answers of all approaches to the question as this one read it. */
const answersTo = (question: Message, { run_id: run }: Message) =>
  question.children.filter(({ role, run_id: other }) => role === 'assistant' && other === run);

/** The selected answer, where it is one: what was declined or asked back cannot be checked. */
function mayBeChecked(answer: Message, answers: readonly Message[]): boolean {
  if (answers.length > 1 && !answer.metadata.is_selected_assistant) return false;
  const told = answer.answer;
  if (told === null) return true;
  const hasFigures = answers.length > 1 || told.evidence !== null || told.table !== null; // small talk has none
  return told.status === 'answered' && hasFigures;
}
