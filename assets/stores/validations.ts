import { storeCreate } from './store';

/** Checks of answers by several approaches, by the id of the question. What they found stands in the thread's messages. */
interface Validations {
  /** Questions whose answer is being checked at this moment, with what is compared just now. */
  going: Readonly<Record<string, string>>;
  /** Questions whose panel is open. */
  open: Readonly<Record<string, boolean>>;
  /** The panel that was opened just now, to be brought into view. */
  fresh: string | null;
  /** What screen readers are told about the latest check. */
  said: string;
}

export const useValidations = storeCreate<Validations>(() => ({
  going: {},
  open: {},
  fresh: null,
  said: '',
}));

export function validationGoing(questionId: string, step: string): void {
  useValidations.setState(({ going }) => ({ going: { ...going, [questionId]: step } }));
}

export function validationOver(questionId: string): void {
  useValidations.setState(({ going: { [questionId]: _over, ...going } }) => ({ going }));
}

export function validationToggle(questionId: string, open: boolean): void {
  useValidations.setState((state) => ({
    open: { ...state.open, [questionId]: open },
    fresh: open ? questionId : null,
  }));
}

export const validationSay = (said: string): void => useValidations.setState({ said });
