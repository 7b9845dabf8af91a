/** What a file of an answer is shown as, by its name and type. Pure. */
import type { MessageFile } from 'api/types';

export const PREVIEW_ROWS = 7; // SPEC 9
export const PREVIEW_CHARACTERS = 280; // SPEC 9

export type FileView = 'table' | 'text' | 'pdf' | 'word' | 'other';

const BY_ENDING: Readonly<Record<string, FileView>> = {
  csv: 'table',
  txt: 'text',
  md: 'text',
  json: 'text',
  sql: 'text',
  log: 'text',
  pdf: 'pdf',
  doc: 'word',
  docx: 'word',
};

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

export function viewOf({ filename, mime_type: type }: MessageFile): FileView {
  const known = BY_ENDING[endingOf(filename)];
  if (known) return known;
  if (endingOf(filename) !== '') return 'other';
  if (type === 'text/csv') return 'table';
  if (type === 'application/pdf') return 'pdf';
  if (type === 'application/msword' || type.includes('wordprocessingml')) return 'word';
  return type.startsWith('text/') ? 'text' : 'other';
}

/** The type as people say it: the ending, else what the server calls it. */
export const typeName = ({ filename, mime_type: type }: MessageFile): string =>
  endingOf(filename) || type || 'unknown';

export function bytesOf({ encoding, content }: MessageFile): Uint8Array<ArrayBuffer> {
  return encoding === 'base64'
    ? Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    : Uint8Array.from(new TextEncoder().encode(content));
}

export function textOf(file: MessageFile): string {
  return file.encoding === 'base64' ? new TextDecoder().decode(bytesOf(file)) : file.content;
}
