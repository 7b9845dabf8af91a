/** The choice of properties while it is edited: what differs from the saved one, and what the list shows. Pure. */
import type { CrmFields } from 'stores/crm-edits';

/** The changes with one more; a change back to what is saved is none. */
export function withChange(
  changes: CrmFields,
  saved: CrmFields,
  category: string,
  property: string,
  chosen: boolean,
): CrmFields {
  const { [property]: _before, ...others } = changes[category] ?? {};
  const same = saved[category]?.[property] === chosen;
  return { ...changes, [category]: same ? others : { ...others, [property]: chosen } };
}

interface Shown {
  search: string;
  selectedOnly: boolean;
}

/** The rows of the list: with the edits in place, those that match the search, the selected ones where only they are wanted. */
export function shownProperties(
  saved: Record<string, boolean>,
  changed: Record<string, boolean>,
  { search, selectedOnly }: Shown,
): { property: string; chosen: boolean }[] {
  const wanted = search.trim().toLowerCase();
  return Object.entries({ ...saved, ...changed })
    .map(([property, chosen]) => ({ property, chosen }))
    .filter(({ property, chosen }) => property.toLowerCase().includes(wanted) && (chosen || !selectedOnly))
    .sort((a, b) => a.property.localeCompare(b.property));
}
