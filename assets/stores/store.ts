import { create, type StateCreator, type StoreApi, type UseBoundStore } from 'zustand';

const resets = new Set<() => void>();

/** A store of the house: made as zustand makes it, and known to `storesReset`. */
export function storeCreate<T>(initial: StateCreator<T>): UseBoundStore<StoreApi<T>> {
  const store = create<T>(initial);
  resets.add(() => store.setState(store.getInitialState(), true));
  return store;
}

/** Every store holds again what it held when the page was opened. For tests, which share one page. */
export function storesReset(): void {
  for (const reset of resets) reset();
}
