import { fetchFile } from 'api/client';
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
