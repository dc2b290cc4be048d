import { useSyncExternalStore } from 'react';

/** An observable value outside React. */
export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** The value; re-renders when it changes. */
  use: () => Value;
  /** A part of the value: re-renders only when that part changes. */
  usePart: <Part>(pick: (value: Value) => Part) => Part;
}

/** Resets each value of the page. */
const beginnings: (() => void)[] = [];

/**
 * For state of the browser window (toasts, live regions); server data belongs to the query client.
 * No other mutable state may be at the top of a module: {@link resetPage} could not reset it.
 */
export function createPageStore<Value>(initial: Value): Store<Value> {
  const store = createStore(initial);
  beginnings.push(() => store.set(initial));
  return store;
}

/** Resets the page's state as after a load. Tests share one page. */
export function resetPage(): void {
  for (const begin of beginnings) begin();
}

/** A value that lives as long as its creator. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = (): Value => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
    usePart: (pick) => useSyncExternalStore(subscribe, () => pick(value)),
  };
}
