/** Numbers and times in words, as the screens show them beside an answer. Figures of an answer are formatted elsewhere. */

const counts = new Intl.NumberFormat('en-GB');

export function count(value: number): string {
  return counts.format(value);
}

/** "1 row", "1,284 rows". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Bytes as "820 B", "12 kB", "3.4 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  for (const [unit, size] of [
    ['kB', 1e3],
    ['MB', 1e6],
    ['GB', 1e9],
  ] as const) {
    const value = bytes / size;
    if (value < 999.5 || unit === 'GB')
      return `${value < 9.95 ? value.toFixed(1).replace('.0', '') : Math.round(value)} ${unit}`;
  }
  return '';
}

/** A limit in bytes, as the server words it: 209715200 is "200 MB", 1536 "1.5 KB". */
export function sizeLimit(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes) / 10)));
  return `${Number((bytes / 1024 ** at).toFixed(1))} ${units[at]}`;
}

/** Epoch seconds or ISO text as milliseconds; null where neither. */
export function timeOf(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const time = typeof value === 'number' ? value * 1000 : Date.parse(value);
  return Number.isFinite(time) ? time : null;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

function calendarDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** "just now", "5 min ago", "today 09:12", "yesterday", "3 Nov", "3 Nov 2024". */
export function age(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return calendarDay(now) === calendarDay(time) ? `today ${clock.format(time)}` : dayAge(time, now);
}

/** "today", "yesterday", "3 Nov", "3 Nov 2024". */
export function dayAge(time: number, now: number): string {
  const days = Math.round((calendarDay(now) - calendarDay(time)) / 86_400_000);
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  return new Date(time).getFullYear() === new Date(now).getFullYear()
    ? day.format(time)
    : dayOfYear.format(time);
}

/** "3 Nov, 10:42" this year, today too; "3 Nov 2024, 10:42" before. */
export function dateTime(time: number, now: number): string {
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return `${(sameYear ? day : dayOfYear).format(time)}, ${clock.format(time)}`;
}

export function clockTime(time: number): string {
  return clock.format(time);
}

/** Up to two letters for an avatar. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.[0] ?? '';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : (words[0]?.[1] ?? '');
  return (first + last).toUpperCase();
}
