import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { connectionKey, startConnection } from 'api/connections';
import type { Source } from 'api/types';
import { Button } from 'design/components/button';
import { BETWEEN, Facts } from 'design/components/facts';
import { FailedLoad } from 'design/components/failed-load';
import { Skeleton } from 'design/components/skeleton';
import { age, count, timeOf } from 'lib/format';
import { Check, Plug, RefreshCw } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { refreshSeen } from 'stores/crm-refresh';
import { toastShow } from 'stores/toast';
import { type CrmStatus, refreshCrm, setSchedule, useCrmStatus } from './crm-api';
import { CrmChanges } from './crm-changes';
import * as copy from './crm-copy';
import { CrmProperties } from './crm-properties';
import styles from './crm-section.module.css';
import parts from './service.module.css';
import { ServiceEnd, ServiceProblem, ServiceSchedule } from './service-parts';
import { type RowActions, SourceList } from './source-list';

const ICON = { size: 18, strokeWidth: 1.75 } as const;

interface Props extends RowActions {
  sources: readonly Source[];
}

/** The CRM: connecting it, how it stands, its refreshes, which properties are read, and its files. */
export function CrmSection({ sources, ...actions }: Props) {
  const status = useCrmStatus();
  const connecting = useIsMutating({ mutationKey: ['connecting'] }) > 0;
  const files = useMemo(
    () => sources.toSorted((a, b) => a.display_name.localeCompare(b.display_name)),
    [sources],
  );
  const refreshing = status.data?.state === 'refreshing';
  useEffect(() => {
    if (refreshing) refreshSeen();
  }, [refreshing]);
  const list = { title: copy.DATA, sources: files, none: copy.FILES_TO_COME, ...actions };
  if (!status.data) {
    if (!status.isError) return <Skeleton rows={3} height={44} text="Loading HubSpot..." />;
    return (
      <>
        <FailedLoad sentence={copy.STATUS_FAILED} onRetry={() => void status.refetch()} />
        {files.length > 0 && <SourceList {...list} />}
      </>
    );
  }
  const there = status.data.state !== 'not_connected';
  return (
    <>
      <ConnectButton status={status.data} connecting={connecting} />
      <Standing status={status.data} files={files} />
      {there && <Refreshing status={status.data} files={files.length} />}
      {there && status.data.refreshed_at !== null && <CrmChanges />}
      {there && <CrmProperties status={status.data} />}
      {(there || files.length > 0) && <SourceList {...list} resting={!there} />}
      {there && status.data.may_manage && (
        <>
          <ServiceSchedule service="hubspot" hours={status.data.every_hours ?? 24} save={setSchedule} />
          <ServiceEnd service="hubspot" name="HubSpot" label="Disconnect" done="HubSpot disconnected" />
        </>
      )}
    </>
  );
}

/** Three states (SPEC 4): Click to Connect, Connecting..., Connected. */
function ConnectButton({ status, connecting }: { status: CrmStatus; connecting: boolean }) {
  const start = useMutation({
    mutationFn: () => startConnection('hubspot'),
    onSuccess: (address) => address && window.location.assign(address),
    onError: (error) => toastShow('error', error.message),
  });
  const busy = connecting || start.isPending || start.isSuccess;
  const connected = status.state !== 'not_connected' && status.state !== 'needs_sign_in';
  if (connected && !busy) {
    return (
      <Button full disabled className={styles.connected} icon={<Check {...ICON} />}>
        {copy.CONNECTED}
      </Button>
    );
  }
  return (
    <Button
      full
      variant="primary"
      busy={busy}
      disabled={!status.configured || !status.may_manage}
      icon={<Plug {...ICON} />}
      onClick={() => start.mutate()}
    >
      {busy ? copy.CONNECTING : copy.CONNECT}
    </Button>
  );
}

/** The line under the button: whose account it is and how fresh, or why it does not work and since when. */
function Standing({ status, files }: { status: CrmStatus; files: readonly Source[] }) {
  if (!status.configured) return <p className={parts.note}>{copy.NOT_SET_UP}</p>;
  if (status.state === 'not_connected') {
    return <p className={parts.note}>{status.may_manage ? standingOf(files) : copy.ADMINS_ONLY}</p>;
  }
  if (status.state === 'needs_sign_in' || status.state === 'failed')
    return <ServiceProblem reason={status.reason} since={status.state_at} />;
  const refreshed = timeOf(status.refreshed_at);
  const problems = Object.entries(status.problems);
  return (
    <>
      <p className={parts.note}>
        <Facts
          text={[
            status.account_name,
            refreshed === null || status.unread > 0 ? null : `refreshed ${age(refreshed, Date.now())}`,
          ]
            .filter(Boolean)
            .join(BETWEEN)}
        />
      </p>
      {problems.map(([category, problem]) => (
        <p key={category} className={parts.note}>
          {copy.CATEGORY_NAMES[category] ?? category}: {problem}
        </p>
      ))}
    </>
  );
}

/** What becomes of the files that are there before anything is connected. */
function standingOf(files: readonly Source[]): string {
  if (files.length === 0) return copy.NO_FILES;
  return files.some((file) => file.example) ? copy.EXAMPLE_FILES : copy.LEFT_FILES;
}

interface FilesProps {
  status: CrmStatus;
  /** How many files there are. */
  files: number;
}

function Refreshing({ status, files }: FilesProps) {
  const client = useQueryClient();
  const refresh = useMutation({
    mutationFn: refreshCrm,
    onSuccess: () => toastShow('info', copy.REFRESHING),
    onError: () => toastShow('error', copy.REFRESH_FAILED),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey('hubspot') }),
  });
  const fetching = status.state === 'refreshing';
  const running = fetching || status.unread > 0;
  return (
    <>
      <div className={parts.actions}>
        <Button
          full
          busy={running || refresh.isPending}
          disabled={status.state === 'needs_sign_in'}
          icon={<RefreshCw {...ICON} />}
          onClick={() => refresh.mutate()}
        >
          {running ? 'Refreshing...' : 'Refresh Data'}
        </Button>
      </div>
      {running && (
        <p className={`${parts.note} ${styles.progress}`} role="status">
          {fetching ? copy.progressLine(status, count) : copy.readingLine(status.unread, files)}
        </p>
      )}
    </>
  );
}
