import { storeCreate } from './store';

const KEY = 'readsAhead';

/** Whether this browser shows while one types how a question would be read. */
export const useReadsAhead = storeCreate<{ on: boolean }>(() => ({
  on: localStorage.getItem(KEY) !== 'false',
}));

export function readsAheadSet(on: boolean): void {
  localStorage.setItem(KEY, String(on));
  useReadsAhead.setState({ on });
}
