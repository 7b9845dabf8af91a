import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connectionKey, endConnection, startConnection } from 'api/connections';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { Problem } from 'design/components/problem';
import { Skeleton } from 'design/components/skeleton';
import { ToggleRow } from 'design/components/toggle';
import { Check, Unplug } from 'lucide-react';
import { useState } from 'react';
import { toastShow } from 'stores/toast';
import { endLink, type SlackStatus, showAnswersInChannel, useSlack } from './api';
import styles from './slack-section.module.css';

/** Slack in the settings: the workspace, who the member is there, and what an admin decides. */
export function SlackSection({ product }: { product: string }) {
  const slack = useSlack();
  if (slack.isError) {
    return (
      <FailedLoad sentence="Slack’s settings could not be loaded." onRetry={() => void slack.refetch()} />
    );
  }
  if (!slack.data) {
    return (
      <div className={`${styles.body} ${styles.waiting}`}>
        <Skeleton rows={1} height={44} text="Loading Slack..." />
      </div>
    );
  }
  const { status, connection } = slack.data;
  const connected = connection.state !== 'not_connected' && connection.state !== 'needs_sign_in';
  return (
    <>
      <div className={styles.body}>
        {(connection.state === 'needs_sign_in' || connection.state === 'failed') && (
          <Problem>{connection.reason}</Problem>
        )}
        {connected ? (
          <>
            <p className={styles.connected}>
              <Check size={18} strokeWidth={1.75} aria-hidden="true" />
              {status.workspace} is connected.
            </p>
            <Link status={status} product={product} />
          </>
        ) : (
          <Connect configured={connection.configured} may={connection.may_manage} product={product} />
        )}
      </div>
      {connected && connection.may_manage && <AnswersInChannel shown={status.answers_in_channel} />}
      {connection.state !== 'not_connected' && connection.may_manage && <Disconnect />}
    </>
  );
}

function Connect({ configured, may, product }: { configured: boolean; may: boolean; product: string }) {
  const start = useMutation({
    mutationFn: () => startConnection('slack'),
    onSuccess: (address) => address && window.location.assign(address),
    onError: (error) => toastShow('error', error.message),
  });
  if (!configured) return <p className={styles.note}>Slack is not set up on this server yet.</p>;
  if (!may) return <p className={styles.note}>An admin of your organization can connect Slack.</p>;
  return (
    <>
      <p className={styles.note}>Connect Slack so that members can ask {product} there.</p>
      <Button busy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        Connect Slack
      </Button>
    </>
  );
}

/** Who the member is in Slack. Linking begins there: Slack knows who asks, the product who is signed in. */
function Link({ status, product }: { status: SlackStatus; product: string }) {
  const change = useChange(endLink);
  if (status.linked_as === null) {
    return (
      <p className={styles.note}>
        Type <code>{status.command} how many deals did we win?</code> in Slack: it shows you a link to make
        yourself known to {product}.
      </p>
    );
  }
  return (
    <div className={styles.line}>
      <p>
        You are <b>{status.linked_as}</b> in Slack.
      </p>
      <Button small busy={change.isPending} onClick={() => change.mutate(undefined)}>
        Unlink
      </Button>
    </div>
  );
}

function AnswersInChannel({ shown }: { shown: boolean }) {
  const change = useChange(showAnswersInChannel);
  const now = change.isPending ? (change.variables ?? shown) : shown;
  return (
    <ToggleRow
      label="Answers in channels"
      state={now ? 'For everyone' : 'For the asker'}
      checked={now}
      onChange={(on) => change.mutate(on)}
    />
  );
}

function Disconnect() {
  const [asking, setAsking] = useState(false);
  const end = useChange(() => endConnection('slack', 'keep'));
  return (
    <div className={styles.body}>
      {asking ? (
        <section aria-label="Disconnect Slack?" className={styles.choices}>
          <Button
            variant="danger"
            icon={<Unplug size={18} strokeWidth={1.75} />}
            busy={end.isPending}
            onClick={() => end.mutate(undefined)}
          >
            Disconnect for everybody
          </Button>
          <Button onClick={() => setAsking(false)}>Keep</Button>
        </section>
      ) : (
        <Button icon={<Unplug size={18} strokeWidth={1.75} />} onClick={() => setAsking(true)}>
          Disconnect Slack
        </Button>
      )}
    </div>
  );
}

function useChange<T>(change: (value: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onError: (error) => toastShow('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey('slack') }),
  });
}
