/** Where the reader's focus goes when an answer takes the place of another: the button that was pressed is gone with it. */
import { type RefObject, useEffect } from 'react';
import { storeCreate } from './store';

type Place = 'readings' | 'versions';

const useArrival = storeCreate<{ messageId: string | null; place: Place }>(() => ({
  messageId: null,
  place: 'readings',
}));

/** The answer that is shown now or in a moment, and the part of it that gets the focus. */
export function arrivalAwait(messageId: string, place: Place): void {
  useArrival.setState({ messageId, place });
}

/** Gives the element the focus once it is the awaited part of the awaited answer. */
export function useFocusOnArrival(
  element: RefObject<HTMLElement | null>,
  messageId: string,
  place: Place,
): void {
  const here = useArrival((awaited) => awaited.messageId === messageId && awaited.place === place);
  useEffect(() => {
    if (!here || !element.current) return;
    element.current.focus({ preventScroll: true });
    useArrival.setState({ messageId: null });
  }, [here, element]);
}
