/**
 * Follows checks to their ends, outside of React: a check goes on while another thread is read. The poll and the socket
 * bring the same snapshots; whichever says first that the check is over ends it.
 */
import type { RunSnapshot } from 'api/types';
import { findMessage } from 'lib/flatten-tree';
import { validationGoing, validationOver, validationSay, validationToggle } from 'stores/validations';
import { type Checked, type ValidationCalls, validationCalls } from './api';
import { findingOf, isValidated } from './approaches';
import { VALIDATING, VERDICTS } from './copy';
import { FIRST_POLL_MS, POLL_ATTEMPTS, POLL_RETRIES, POLL_SPACING_MS } from './limits';

export interface Ends {
  /** The tree with what the check found. */
  done(run: RunSnapshot): void;
  failed(): void;
}

interface Following {
  runId: string | null;
  attempts: number;
  retries: number;
  /** Stopped before the server had given it an id. */
  stopped?: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

export class Validations {
  private readonly following = new Map<string, Following>();
  /** Runs that were stopped here: what is still on its way about them is not taken up again. */
  private readonly stopped = new Set<string>();

  constructor(
    private readonly ends: Ends,
    private readonly calls: ValidationCalls = validationCalls,
  ) {}

  /** Asks for the check of an answer; pressing twice asks once. */
  start(checked: Checked): void {
    if (this.following.has(checked.questionId)) return;
    const following = this.begin(checked.questionId, null);
    this.calls.start(checked).then(
      (run) => {
        if (run && following.stopped) this.cancel(run.run_id);
        else if (run) this.received(run, false);
        else this.fail(checked.questionId);
      },
      () => this.fail(checked.questionId),
    );
  }

  /** Ends a check on the reader's wish, here at once and at the server as soon as it can be told. */
  stop(questionId: string): void {
    const following = this.following.get(questionId);
    if (!following) return;
    this.end(questionId);
    validationSay('');
    if (following.runId) this.cancel(following.runId);
    else following.stopped = true;
  }

  /** A snapshot that was pushed, or that came with its thread: taken where it is followed, else followed from now on. */
  receive(run: RunSnapshot): void {
    if (this.stopped.has(run.run_id)) return;
    const known = this.following.get(run.user_message_id);
    if (known || run.finished_at === null) this.received(run, false);
  }

  /** Ends all timers; the checks go on at the server. */
  close(): void {
    for (const [questionId, { timer }] of this.following) {
      clearTimeout(timer);
      validationOver(questionId);
    }
    this.following.clear();
  }

  /** A stop that does not reach the server leaves a check that nobody waits for. */
  private cancel(runId: string): void {
    this.stopped.add(runId);
    this.calls.cancel(runId).catch(() => undefined);
  }

  private begin(questionId: string, runId: string | null): Following {
    const following: Following = { runId, attempts: 0, retries: 0 };
    this.following.set(questionId, following);
    validationGoing(questionId, '');
    validationSay(VALIDATING);
    return following;
  }

  private received(run: RunSnapshot, polled: boolean): void {
    const questionId = run.user_message_id;
    if (isOver(run)) {
      if (answersTo(run)) this.finish(run);
      else if (run.status === 'cancelled') this.stop(questionId);
      else this.fail(questionId);
      return;
    }
    const following = this.following.get(questionId) ?? this.begin(questionId, run.run_id);
    const fresh = following.runId === null || !following.timer;
    following.runId = run.run_id;
    if (polled) following.retries = 0;
    validationGoing(questionId, run.step_description ?? '');
    if (fresh) following.timer = setTimeout(() => this.poll(run.thread_id, questionId), FIRST_POLL_MS);
  }

  private async poll(threadId: string, questionId: string): Promise<void> {
    const following = this.following.get(questionId);
    if (!following?.runId) return;
    const started = Date.now();
    following.attempts += 1;
    try {
      const run = await this.calls.poll(threadId, following.runId);
      if (this.following.get(questionId) !== following) return;
      if (!run) throw new Error('no answer');
      this.received(run, true);
    } catch {
      following.retries += 1;
    }
    if (this.following.get(questionId) !== following) return;
    if (following.retries > POLL_RETRIES || following.attempts >= POLL_ATTEMPTS) {
      this.fail(questionId);
      return;
    }
    const wait = Math.max(0, POLL_SPACING_MS - (Date.now() - started));
    following.timer = setTimeout(() => this.poll(threadId, questionId), wait);
  }

  private finish(run: RunSnapshot): void {
    if (!this.end(run.user_message_id)) return;
    this.ends.done(run);
    const finding = findingOf(answersTo(run) ?? []);
    if (finding) validationSay(VERDICTS[finding]);
    validationToggle(run.user_message_id, true);
  }

  private fail(questionId: string): void {
    if (!this.end(questionId)) return;
    validationSay('');
    this.ends.failed();
  }

  private end(questionId: string): boolean {
    const following = this.following.get(questionId);
    clearTimeout(following?.timer);
    validationOver(questionId);
    return this.following.delete(questionId);
  }
}

/** It failed, or it has ended and brought the messages along. */
function isOver({ status, messages }: RunSnapshot): boolean {
  return status === 'failed' || status === 'cancelled' || (status === 'completed' && messages !== null);
}

/** The validated answers in a snapshot's tree, or null while they are not all there. */
function answersTo(run: RunSnapshot) {
  const question = findMessage(run.messages ?? [], run.user_message_id);
  const answers = question?.children.filter(({ role }) => role === 'assistant') ?? [];
  return isValidated(answers) ? answers : null;
}
