import { useQuery } from '@tanstack/react-query';
import { api } from 'api/client';
import type { CellValue } from 'api/types';

/** A page of a table's rows: `matched` were asked for, `total` are there. */
export interface RowPage {
  table: string;
  columns: string[];
  rows: CellValue[][];
  offset: number;
  matched: number;
  total: number;
}

/** Which rows of a table are looked at. */
export interface RowFilter {
  search: string;
  /** A column in which the rows have no value; empty for all rows. */
  missing: string;
}

/** The same, with the table that they are in. */
export interface FoundRows extends RowFilter {
  table: string;
}

export interface RowsWanted extends RowFilter {
  offset: number;
}

/** `wanted`: null while the first rows are enough. The page before stands until the next is there. */
export function useRows(fileName: string, table: string, wanted: RowsWanted | null) {
  return useQuery({
    queryKey: ['rows', fileName, table, wanted],
    queryFn: async () => {
      const { search, missing, offset } = wanted as RowsWanted;
      const query = { filename: fileName, table, search, missing, offset: String(offset) };
      return (await api.get<RowPage>('/files/rows', query)) ?? null;
    },
    enabled: wanted !== null,
    placeholderData: (before) => before,
  });
}
