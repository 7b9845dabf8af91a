/** History's groups: Today, Yesterday, Past Week, Past Month, Before (SPEC 2, 9). Pure; the time of day is passed in. */

export const GROUPS = ['Today', 'Yesterday', 'Past Week', 'Past Month', 'Before'] as const;
export type TimeGroup = (typeof GROUPS)[number];

/** The group of a time in epoch seconds, by calendar days where the reader is. */
export function timeGroup(seconds: number | null, now: Date): TimeGroup {
  if (seconds === null) return 'Before';
  const time = seconds * 1000;
  const daysBack = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
  if (time >= daysBack(0)) return 'Today';
  if (time >= daysBack(1)) return 'Yesterday';
  if (time >= daysBack(7)) return 'Past Week';
  const month = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  month.setMonth(month.getMonth() - 1);
  return time >= month.getTime() ? 'Past Month' : 'Before';
}

/** Newest first, in the order of the groups; groups without a row are left out. */
export function groupByTime<T extends { updated_at: number | null }>(
  rows: readonly T[],
  now: Date,
): { group: TimeGroup; rows: T[] }[] {
  const sorted = [...rows].sort((a, b) => (b.updated_at ?? 0) - (a.updated_at ?? 0));
  return GROUPS.map((group) => ({
    group,
    rows: sorted.filter((row) => timeGroup(row.updated_at, now) === group),
  })).filter((entry) => entry.rows.length > 0);
}
