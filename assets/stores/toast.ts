import { storeCreate } from './store';

export type ToastStatus = 'info' | 'complete' | 'error';

export interface Toast {
  id: number;
  status: ToastStatus;
  content: string;
  /** What can be done about it, with one press. */
  action?: ToastAction;
}

export interface ToastAction {
  label: string;
  run(): void;
}

/** SPEC 4: complete and error go after 3 s; info, and those asked to stay longer, after 10 s. */
const SHORT_MS = 3_000;
const LONG_MS = 10_000;

export const useToast = storeCreate<{ toast: Toast | null }>(() => ({ toast: null }));

let timer: ReturnType<typeof setTimeout> | undefined;
let duration = SHORT_MS;
let count = 0;

function startTimer() {
  clearTimeout(timer);
  timer = setTimeout(toastClose, duration);
}

/** Shows a message in the place of the one before it. */
export function toastShow(status: ToastStatus, content: string, stay = false, action?: ToastAction): void {
  count += 1;
  duration = status === 'info' || stay ? LONG_MS : SHORT_MS;
  useToast.setState({ toast: { id: count, status, content, action } });
  startTimer();
}

export function toastClose(): void {
  clearTimeout(timer);
  useToast.setState({ toast: null });
}

/** While the pointer or the focus is on the toast its timer waits; it starts anew afterwards. */
export function toastHold(held: boolean): void {
  clearTimeout(timer);
  if (!held && useToast.getState().toast) startTimer();
}
