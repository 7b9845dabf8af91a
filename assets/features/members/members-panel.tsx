import { refusal } from 'api/errors';
import { FailedLoad } from 'design/components/failed-load';
import { Panel } from 'design/components/panel';
import { SearchField } from 'design/components/search-field';
import { Skeleton } from 'design/components/skeleton';
import { type ReactNode, useState } from 'react';
import { type Member, type Roster, useRoster } from './api';
import { InvitationRow } from './invitation-row';
import { InviteForm } from './invite-form';
import { MemberRow } from './member-row';
import styles from './members.module.css';

interface Props {
  footer: ReactNode;
  onBack(): void;
  onClose(): void;
}

/** From so many members on there is a search. */
const MANY = 10;

/** Who is in the organization and who is invited, for its admins. */
export function MembersPanel({ footer, onBack, onClose }: Props) {
  const roster = useRoster();
  return (
    <Panel title="Members" footer={footer} onBack={onBack} onClose={onClose}>
      {roster.data ? (
        <Loaded now={roster.data} />
      ) : roster.isError ? (
        <FailedLoad
          sentence={refusal(roster.error) ?? 'The members could not be loaded.'}
          onRetry={() => void roster.refetch()}
        />
      ) : (
        <Skeleton rows={4} height={72} text="Loading members..." />
      )}
    </Panel>
  );
}

function Loaded({ now }: { now: Roster }) {
  const [query, setQuery] = useState('');
  const { members, invitations } = now;
  const found = members.filter((member) => matches(member, query));
  return (
    <>
      <InviteForm />
      {invitations.length > 0 && (
        <section aria-label="Open invitations">
          <h3 className={styles.section}>Open invitations</h3>
          <ul className={styles.list}>
            {invitations.map((one) => (
              <InvitationRow key={one.id} invitation={one} />
            ))}
          </ul>
        </section>
      )}
      <section aria-label="People">
        <h3 className={styles.section}>
          {members.length === 1
            ? 'People'
            : `People (${members.filter(({ active }) => active).length} active)`}
        </h3>
        {members.length >= MANY && (
          <div className={styles.search}>
            <SearchField
              label="Search members"
              placeholder="Search names and addresses"
              value={query}
              onChange={setQuery}
            />
          </div>
        )}
        <ul className={styles.list}>
          {found.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </ul>
        {found.length === 0 && (
          <p className={styles.empty}>Nobody’s name or address contains “{query.trim()}”.</p>
        )}
        {members.length === 1 && (
          <p className={styles.empty}>Nobody else is here yet. Invite somebody above.</p>
        )}
      </section>
    </>
  );
}

function matches({ name, username, email }: Member, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  return [name, username, email].some((text) => text.toLowerCase().includes(wanted));
}
