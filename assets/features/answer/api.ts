import { api, fetchFile } from 'api/client';
import type { Message, OtherReading } from 'api/types';
import { saveFile } from 'design/save-file';
import type { Order } from './table-order';

export type TableFormat = 'csv' | 'xlsx';

/** An answer's table as it is stored at the server: all its rows, also those that are not shown. */
export interface StoredTable {
  threadId: string;
  messageId: string;
}

/** Saves the whole table in the order on the screen; its name is the server's. Throws with a sentence where the rows are not there any more. */
export async function downloadTable(
  { threadId, messageId }: StoredTable,
  format: TableFormat,
  name: string,
  order: Order | null,
): Promise<void> {
  const file = await fetchFile(
    '/answers/table',
    {
      thread_id: threadId,
      message_id: messageId,
      type: format,
      ...(order ? { sort: String(order.column), direction: order.direction } : {}),
    },
    `${name}.${format}`,
  );
  if (file) saveFile(file.name, [file.content], 'application/octet-stream');
}

/** Other readings of an answer's parts: found when a part is opened, taken with one click. */
export interface Readings {
  find(key: string, signal: AbortSignal): Promise<readonly OtherReading[]>;
  /** Answers anew; `always` teaches the organization, too. Throws with a sentence. */
  take(key: string, other: OtherReading, always: boolean): Promise<void>;
  /** Whether this member may teach the organization. */
  teaches: boolean;
}

interface Answered {
  threadId: string;
  messageId: string;
}

export async function otherReadings(
  { threadId, messageId }: Answered,
  key: string,
  signal: AbortSignal,
): Promise<OtherReading[]> {
  const query = { thread_id: threadId, message_id: messageId, chip: key };
  return (await api.get<{ readings: OtherReading[] }>('/answers/readings', query, signal))?.readings ?? [];
}

/** Keeps for always what the choice at this place among an answer's means. */
export function teachChoice({ threadId, messageId }: Answered, place: number): Promise<unknown> {
  return api.put('/answers/readings', { thread_id: threadId, message_id: messageId, choice: place });
}

/** The thread's messages with the question answered anew. */
export function answerAnew(
  { threadId, messageId }: Answered,
  key: string,
  other: OtherReading,
  always: boolean,
): Promise<{ message_id: string; messages: Message[] } | undefined> {
  const body = { thread_id: threadId, message_id: messageId, chip: key, reading: other.key, always };
  return api.post('/answers/readings', body);
}
