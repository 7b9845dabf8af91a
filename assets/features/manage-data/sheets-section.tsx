import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connectionKey, type ServiceConnection } from 'api/connections';
import { keys, sourceGone } from 'api/queries';
import type { Me, Source } from 'api/types';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { Skeleton } from 'design/components/skeleton';
import { countOf } from 'lib/format';
import { FileUp, LogIn, RefreshCw } from 'lucide-react';
import { popupOpen } from 'stores/popup';
import { toastShow } from 'stores/toast';
import { pickSpreadsheet } from './google-picker';
import { consentInPopup } from './google-sign-in';
import panel from './manage-data-panel.module.css';
import parts from './service.module.css';
import { ServiceEnd, ServiceProblem, ServiceSchedule } from './service-parts';
import {
  atWork,
  authCheck,
  disconnectTab,
  listTabs,
  type SheetTab,
  sendCode,
  setSchedule,
  useGoogleStanding,
  useSheetTabs,
} from './sheets-api';
import { needsSignIn, refreshTabs, useConnecting } from './sheets-connect';
import * as copy from './sheets-copy';
import { SheetRow } from './sheets-row';
import { groupsOf, SourceGroup } from './source-groups';
import type { RowActions } from './source-list';

const ICON = { size: 18, strokeWidth: 1.75 } as const;

interface Props extends RowActions {
  sources: readonly Source[];
  me?: Pick<Me, 'role' | 'organization'> | undefined;
}

/** Google Sheets: the member's sign-in, picking a spreadsheet, refreshing, and the tabs that are connected. */
export function SheetsSection({ sources, me, ...actions }: Props) {
  const standing = useGoogleStanding();
  const tabs = useSheetTabs();
  if (!standing.data || !tabs.data) {
    if (!standing.isError && !tabs.isError) return <Skeleton rows={3} height={44} text="Loading sheets..." />;
    const again = () => void Promise.all([standing.refetch(), tabs.refetch()]);
    return (
      <>
        <FailedLoad sentence={tabs.data ? copy.STANDING_FAILED : copy.TABS_FAILED} onRetry={again} />
        {tabs.data && tabs.data.sheets.length > 0 && (
          <ConnectedSheets tabs={tabs.data.sheets} sources={sources} signedIn={false} {...actions} />
        )}
      </>
    );
  }
  const { state, configured } = standing.data;
  const { sheets, every_hours: hours } = tabs.data;
  const signedIn = state !== 'not_connected' && state !== 'needs_sign_in';
  return (
    <>
      {signedIn ? <Upload /> : <SignIn disabled={!configured} me={me} />}
      <Standing connection={standing.data} />
      {state !== 'not_connected' && <Refresh tabs={sheets} disabled={!signedIn} />}
      <ConnectedSheets tabs={sheets} sources={sources} signedIn={signedIn} {...actions} />
      {state !== 'not_connected' && hours !== null && (
        <ServiceSchedule service="google" hours={hours} save={setSchedule} />
      )}
      {state !== 'not_connected' && (
        <ServiceEnd
          service="google"
          name="Google"
          label="Disconnect Google"
          done="Google Sheets disconnected"
        />
      )}
    </>
  );
}

function SignIn({ disabled, me }: { disabled: boolean; me: Props['me'] }) {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: async () => {
      const { authorizationCode, state } = await consentInPopup();
      return sendCode(authorizationCode, state, me?.role ?? '', me?.organization ?? '');
    },
    onError: (error) => toastShow('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey('google') }),
  });
  return (
    <Button
      full
      variant="primary"
      busy={signIn.isPending}
      disabled={disabled}
      icon={<LogIn {...ICON} />}
      onClick={() => signIn.mutate()}
    >
      {copy.SIGN_IN}
    </Button>
  );
}

/** From the picker to the popup that asks which tabs. */
function Upload() {
  const client = useQueryClient();
  const connecting = useConnecting((store) => store.connecting);
  const upload = useMutation({
    mutationFn: async () => {
      const access = await authCheck();
      if (!access?.access_token) throw new Error(copy.CREDENTIALS);
      const picked = await pickSpreadsheet(access);
      if (picked === null) return;
      const listed = await listTabs(picked.id);
      if (!listed) return;
      const modifiedMs = picked.lastEditedUtc ?? null;
      popupOpen({
        kind: 'google',
        file: { id: listed.file_id, title: listed.title, tabs: listed.tabs, modifiedMs },
      });
    },
    onError: (error) => toastShow('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey('google') }),
  });
  return (
    <>
      <Button
        full
        busy={upload.isPending || connecting}
        icon={<FileUp {...ICON} />}
        onClick={() => upload.mutate()}
      >
        {copy.UPLOAD_SHEETS}
      </Button>
      <p className={parts.note}>{copy.UPLOAD_HINT}</p>
    </>
  );
}

function Standing({ connection }: { connection: ServiceConnection }) {
  if (!connection.configured) return <p className={parts.note}>{copy.NOT_SET_UP}</p>;
  if (connection.state === 'not_connected')
    return (
      <p className={parts.note}>Sign in with Google to pick spreadsheets. Only what you pick is read.</p>
    );
  if (connection.state === 'needs_sign_in' || connection.state === 'failed')
    return <ServiceProblem reason={connection.reason} since={connection.state_at} />;
  return <p className={parts.note}>Signed in as {connection.account_name}</p>;
}

function Refresh({ tabs, disabled }: { tabs: readonly SheetTab[]; disabled: boolean }) {
  const client = useQueryClient();
  const connecting = useConnecting((store) => store.connecting);
  const mine = tabs.filter((tab) => tab.mine);
  const running = mine.some(atWork);
  const refresh = useMutation({
    mutationFn: refreshTabs,
    onSuccess: (failed) =>
      toastShow(failed ? 'error' : 'complete', failed ? copy.REFRESH_FAILED : copy.REFRESHED),
    onError: (error) => toastShow('error', needsSignIn(error) ? copy.CREDENTIALS : copy.REFRESH_FAILED),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: connectionKey('google') });
      void client.invalidateQueries({ queryKey: keys.sources });
    },
  });
  if (mine.length === 0) return null;
  return (
    <div className={parts.actions}>
      <Button
        full
        busy={refresh.isPending || running}
        disabled={disabled || connecting}
        icon={<RefreshCw {...ICON} />}
        onClick={() => refresh.mutate()}
      >
        {copy.REFRESH_SHEETS}
      </Button>
    </div>
  );
}

interface ConnectedProps extends RowActions {
  tabs: readonly SheetTab[];
  sources: readonly Source[];
  signedIn: boolean;
}

function ConnectedSheets({ tabs, sources, signedIn, ...actions }: ConnectedProps) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: disconnectTab,
    onSuccess: (_reply, tab) => {
      sourceGone(client, tab.file_name);
      toastShow('complete', `${tab.tab_title} disconnected`);
    },
    onError: (_error, tab) => toastShow('error', copy.disconnectFailed(tab.file_title, tab.tab_title)),
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey('google') }),
  });
  return (
    <section aria-label={copy.CONNECTED_SHEETS}>
      <h3 className={panel.title}>{copy.CONNECTED_SHEETS}</h3>
      {tabs.length === 0 ? (
        <p className={panel.none}>{signedIn ? copy.NONE_YET : copy.NOT_CONNECTED}</p>
      ) : (
        groupsOf(tabs, documentOf(tabs)).map(({ whole, members }) => (
          <SourceGroup key={members[0]?.file_name} name={whole?.name} count={countOf(members.length, 'tab')}>
            {members.map((tab) => (
              <SheetRow
                key={tab.file_name}
                tab={tab}
                grouped={whole !== null}
                source={sources.find((source) => source.file_name === tab.file_name)}
                leaving={removal.isPending && removal.variables.file_name === tab.file_name}
                onDisconnect={removal.mutate}
                {...actions}
              />
            ))}
          </SourceGroup>
        ))
      )}
    </section>
  );
}

/** The spreadsheet of a tab, where several of its tabs are connected: one alone names its spreadsheet itself. */
function documentOf(tabs: readonly SheetTab[]) {
  return ({ file_id: key, file_title: name }: SheetTab) =>
    tabs.filter((tab) => tab.file_id === key).length > 1 ? { key, name } : null;
}
