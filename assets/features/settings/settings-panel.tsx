import { useMutation, useQueryClient } from '@tanstack/react-query';
import { authCall } from 'api/client';
import { RESPONSE_STYLES } from 'api/preferences';
import { keys } from 'api/queries';
import { sessionEnd } from 'api/session';
import { allows, type Me, type Preferences, type ResponsePreference } from 'api/types';
import { Panel } from 'design/components/panel';
import { Select } from 'design/components/select';
import { ToggleRow } from 'design/components/toggle';
import {
  BookA,
  Building2,
  ChartColumn,
  ChevronRight,
  CircleQuestionMark,
  ExternalLink,
  Gauge,
  LogOut,
  type LucideIcon,
  MessageSquare,
  ScrollText,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { audioSet, themeSet, useAppearance } from 'stores/appearance';
import { companyEditsForget } from 'stores/company';
import { crmEditsForget } from 'stores/crm-edits';
import { refreshForget } from 'stores/crm-refresh';
import { readsAheadSet, useReadsAhead } from 'stores/reads-ahead';
import { toastShow } from 'stores/toast';
import { savePreferences } from './api';
import styles from './settings-panel.module.css';

interface Props {
  me: Me;
  preferences: Preferences;
  /** Where the member is signed in; handed in, because sessions are a feature of their own. */
  sessions: ReactNode;
  /** How Slack stands; a feature of its own as well. */
  slack?: ReactNode;
  /** Which language models there are, likewise. */
  models?: ReactNode;
  footer: ReactNode;
  onIntake(): void;
  onFormatting(): void;
  onKeywords(): void;
  onMembers(): void;
  onUsage(): void;
  onAudit(): void;
  onHelp(): void;
  onFeedback(): void;
  onClose(): void;
}

export function SettingsPanel(props: Props) {
  const { me, preferences, footer, onFeedback, onClose } = props;
  const { theme, audio } = useAppearance();
  const ahead = useReadsAhead((state) => state.on);
  const save = useSaving();
  const logOut = useLogOut();
  return (
    <Panel title="Settings" onClose={onClose} footer={footer}>
      <h3 className={styles.section}>Preferences</h3>
      <div className={styles.card}>
        <ToggleRow
          label="Theme"
          name="Dark theme"
          state={theme === 'dark' ? 'Dark' : 'Light'}
          checked={theme === 'dark'}
          onChange={(dark) => {
            themeSet(dark ? 'dark' : 'light');
            save({ theme: dark ? 'dark' : 'light' });
          }}
        />
        <ToggleRow
          label="Audio"
          state={audio ? 'On' : 'Off'}
          checked={audio}
          onChange={(on) => {
            audioSet(on);
            save({ audio: on });
          }}
        />
        <ToggleRow
          label="Preview while typing"
          state={ahead ? 'On' : 'Off'}
          checked={ahead}
          onChange={readsAheadSet}
        />
        <ResponseStyle
          value={preferences.response_preference}
          onChange={(response_preference) => save({ response_preference })}
        />
      </div>

      <h3 className={styles.section}>Company Info</h3>
      <div className={styles.card}>
        <Way icon={Building2} label="Company Intake" onOpen={props.onIntake} />
        <Way icon={ChartColumn} label="Chart Formatting" onOpen={props.onFormatting} />
        <Way icon={BookA} label="Keywords" onOpen={props.onKeywords} />
        {allows(me, 'manage_members') && <Way icon={Users} label="Members" onOpen={props.onMembers} />}
        {allows(me, 'read_usage') && <Way icon={Gauge} label="Usage" onOpen={props.onUsage} />}
        {allows(me, 'read_audit_log') && <Way icon={ScrollText} label="Audit Log" onOpen={props.onAudit} />}
      </div>

      {props.models && (
        <>
          <h3 className={styles.section}>Language models</h3>
          <div className={styles.card}>{props.models}</div>
        </>
      )}

      {props.slack && (
        <>
          <h3 className={styles.section}>Slack</h3>
          <div className={styles.card}>{props.slack}</div>
        </>
      )}

      <h3 className={styles.section}>Account</h3>
      <dl className={styles.card}>
        <Fact name="Name">{me.name}</Fact>
        {me.email && <Fact name="Email">{me.email}</Fact>}
        {me.organization && <Fact name="Organization">{me.organization}</Fact>}
        {me.role && <Fact name="Account Type">{me.role.charAt(0).toUpperCase() + me.role.slice(1)}</Fact>}
      </dl>

      <h3 className={styles.section}>More</h3>
      <div className={styles.card}>
        <Way icon={CircleQuestionMark} label="Help" onOpen={props.onHelp} />
        <Way icon={MessageSquare} label="Leave Feedback" onOpen={onFeedback} />
        {allows(me, 'manage_members') && (
          <a className={styles.action} href="/admin/" target="_blank" rel="noreferrer">
            <ShieldCheck size={18} strokeWidth={1.75} aria-hidden="true" />
            Members and administration
            <ExternalLink className={styles.chevron} size={16} strokeWidth={1.75} aria-hidden="true" />
          </a>
        )}
        <button
          type="button"
          className={styles.action}
          disabled={logOut.isPending}
          onClick={() => logOut.mutate()}
        >
          <LogOut size={18} strokeWidth={1.75} aria-hidden="true" />
          Log Out
        </button>
      </div>

      <h3 className={styles.section}>Where you are logged in</h3>
      <div className={styles.card}>{props.sessions}</div>
    </Panel>
  );
}

function Way({ icon: Icon, label, onOpen }: { icon: LucideIcon; label: string; onOpen(): void }) {
  return (
    <button type="button" className={styles.action} onClick={onOpen}>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      {label}
      <ChevronRight className={styles.chevron} size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ResponseStyle({
  value,
  onChange,
}: {
  value: ResponsePreference;
  onChange(value: ResponsePreference): void;
}) {
  const id = useId();
  return (
    <div className={styles.row}>
      <label htmlFor={id}>Response Style</label>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value as ResponsePreference)}>
        {RESPONSE_STYLES.map((style) => (
          <option key={style}>{style}</option>
        ))}
      </Select>
    </div>
  );
}

/** A change shows at once; a save that fails is taken back with a word. */
function useSaving(): (change: Partial<Preferences>) => void {
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: savePreferences,
    onMutate: (change) => {
      const before = client.getQueryData<Preferences>(keys.preferences);
      client.setQueryData<Preferences>(keys.preferences, (now) => now && { ...now, ...change });
      return before;
    },
    onError: (_error, _change, before) => {
      client.setQueryData(keys.preferences, before);
      toastShow('error', 'Your preferences could not be saved. Please try again.');
    },
  });
  return saving.mutate;
}

function useLogOut() {
  return useMutation({
    mutationFn: () => authCall('DELETE', '/session'),
    onSuccess: (reply) => {
      // 401 is the answer to a session that has just ended; without one there was nothing to end
      if (reply && reply.status >= 500) {
        toastShow('error', LOG_OUT_FAILED);
        return;
      }
      companyEditsForget();
      crmEditsForget();
      refreshForget();
      sessionEnd();
      window.location.assign('/');
    },
    onError: () => toastShow('error', LOG_OUT_FAILED),
  });
}

export const LOG_OUT_FAILED = 'Error logging out. Please try again.';
