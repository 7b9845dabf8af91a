import { storeCreate } from './store';

/** Whether answers show their chart or their table first, as the reader chose last in this browser. */
export type AnswerView = 'chart' | 'table';

const KEY = 'answerView';
const useView = storeCreate<{ view: AnswerView }>(() => ({
  view: localStorage.getItem(KEY) === 'table' ? 'table' : 'chart',
}));

export const useAnswerView = (): AnswerView => useView(({ view }) => view);

export function answerViewSet(view: AnswerView): void {
  localStorage.setItem(KEY, view);
  useView.setState({ view });
}
