/** The evidence line in words: "Sources: deals, owners. 1,284 rows. Refreshed 2 h ago." */
import type { Evidence } from 'api/types';
import { timeText } from 'lib/epochs';
import { countOf, timeOf } from 'lib/format';

export function evidenceText(evidence: Evidence, now: number): string {
  const names = [...new Set(evidence.sources.map(({ name }) => name))];
  const parts = [
    names.length > 0 ? `${names.length === 1 ? 'Source' : 'Sources'}: ${names.join(', ')}.` : '',
  ];
  if (evidence.row_count !== null && names.length > 0) parts.push(`${countOf(evidence.row_count, 'row')}.`);
  // The oldest of the sources says how old the answer's data may be.
  const times = evidence.sources
    .map(({ refreshed_at: time }) => timeOf(time))
    .filter((time) => time !== null);
  if (times.length > 0) parts.push(`Refreshed ${ago(Math.min(...times), now)}.`);
  return parts.filter(Boolean).join(' ');
}

/** "just now", "5 min ago", "2 h ago", "3 days ago", "12 Mar 2026". */
export function ago(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / (24 * 60));
  if (days < 14) return `${days} ${days === 1 ? 'day' : 'days'} ago`;
  return timeText(time, 'day');
}
