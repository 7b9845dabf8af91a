import { useMutation, useQueryClient } from '@tanstack/react-query';
import { connectionKey, startConnection } from 'api/connections';
import { Button } from 'design/components/button';
import { FailedLoad } from 'design/components/failed-load';
import { SearchField } from 'design/components/search-field';
import { Skeleton } from 'design/components/skeleton';
import { ToggleRow } from 'design/components/toggle';
import { Check } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  type CrmFields,
  countEdits,
  crmEdit,
  crmEditsForget,
  crmEditsToSend,
  NO_EDITS,
  useCrmEdits,
} from 'stores/crm-edits';
import { toastShow } from 'stores/toast';
import { type CrmStatus, refreshCrm, updateFields, useCrmFields } from './crm-api';
import { shownProperties, withChange } from './crm-choice';
import { CATEGORY_NAMES, NO_CATEGORY, RECONNECT_MS, UPDATE_FAILED, UPDATED } from './crm-copy';
import styles from './crm-section.module.css';
import parts from './service.module.css';

/** Which properties of which categories become columns: Filter by row, search, toggles, Update Selection. */
export function CrmProperties({ status }: { status: CrmStatus }) {
  const fields = useCrmFields(status.state !== 'needs_sign_in');
  const [category, setCategory] = useState<string | null>(null);
  const [selectedOnly, setSelectedOnly] = useState(false);
  const [search, setSearch] = useState('');
  const changes = useCrmEdits((edits) => edits.fields);
  const saved = fields.data ?? NO_EDITS;
  const update = useUpdate();
  const number = countEdits(changes);
  if (fields.isPending && fields.isFetching)
    return (
      <div className={parts.below}>
        <Skeleton rows={2} height={36} text="Loading properties..." />
      </div>
    );
  if (fields.isError) {
    return (
      <FailedLoad
        sentence={`The properties could not be loaded. ${fields.error.message}`}
        onRetry={() => void fields.refetch()}
      />
    );
  }
  return (
    <section aria-label="Properties" className={styles.choice}>
      <h3 className={styles.heading}>Properties</h3>
      <Filters
        categories={Object.keys(saved)}
        current={category}
        onPick={(picked) => setCategory(picked === category ? null : picked)}
      />
      {category === null && <p className={parts.note}>{NO_CATEGORY}</p>}
      <ToggleRow
        label="Selected"
        name="Show selected properties only"
        checked={selectedOnly}
        onChange={setSelectedOnly}
        state={selectedOnly ? 'On' : 'Off'}
      />
      {category !== null && (
        <>
          <SearchField
            label="Search properties"
            placeholder="Search properties"
            value={search}
            onChange={setSearch}
          />
          <Properties
            rows={shownProperties(saved[category] ?? {}, changes[category] ?? {}, { search, selectedOnly })}
            editable={status.may_manage}
            onToggle={(property, chosen) => crmEdit(withChange(changes, saved, category, property, chosen))}
          />
        </>
      )}
      {status.may_manage && (
        <div className={parts.actions}>
          <Button
            full
            variant={number > 0 ? 'primary' : 'secondary'}
            busy={update.isPending}
            disabled={number === 0}
            onClick={() => update.mutate(crmEditsToSend() ?? NO_EDITS)}
          >
            {number > 0 ? `Update Selection (${number})` : 'Update Selection'}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Saves the choice. Where that fails the CRM is connected anew, and the choice waits (SPEC 8). */
function useUpdate() {
  const client = useQueryClient();
  const reconnect = useReconnect();
  return useMutation({
    mutationFn: async (fields: CrmFields) => {
      await updateFields(fields);
      // the new columns come with the next refresh, so it starts at once
      await refreshCrm();
    },
    onSuccess: () => {
      toastShow('complete', UPDATED);
      crmEditsForget();
    },
    onError: () => {
      toastShow('error', UPDATE_FAILED);
      reconnect();
    },
    onSettled: () => client.invalidateQueries({ queryKey: connectionKey('hubspot') }),
  });
}

/** Opens the consent page again, once the sentence about it could be read; the code comes back as on the first day. */
function useReconnect() {
  const { mutate } = useMutation({
    mutationKey: ['connecting'],
    mutationFn: async () => {
      await new Promise((read) => setTimeout(read, RECONNECT_MS));
      return startConnection('hubspot');
    },
    onSuccess: (address) => address && window.location.assign(address),
    onError: (error) => toastShow('error', error.message),
  });
  return mutate;
}

interface FilterProps {
  categories: readonly string[];
  current: string | null;
  onPick(category: string): void;
}

function Filters({ categories, current, onPick }: FilterProps) {
  return (
    <fieldset className={styles.filters}>
      <legend>Filter by</legend>
      {categories.map((category) => (
        <button
          key={category}
          type="button"
          className={styles.filter}
          aria-pressed={category === current}
          onClick={() => onPick(category)}
        >
          {CATEGORY_NAMES[category] ?? category}
        </button>
      ))}
    </fieldset>
  );
}

interface PropertiesProps {
  rows: readonly { property: string; chosen: boolean }[];
  editable: boolean;
  onToggle(property: string, chosen: boolean): void;
}

function Properties({ rows, editable, onToggle }: PropertiesProps) {
  const shown = useMemo(() => rows, [rows]);
  if (shown.length === 0) return <p className={parts.note}>No property matches.</p>;
  return (
    <ul className={styles.properties} aria-label="Properties list">
      {shown.map(({ property, chosen }) => (
        <li key={property}>
          <button
            type="button"
            role="checkbox"
            aria-checked={chosen}
            disabled={!editable}
            className={styles.property}
            onClick={() => onToggle(property, !chosen)}
          >
            <span>{property}</span>
            {chosen && <Check size={18} strokeWidth={1.75} aria-hidden="true" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
