import { useSyncExternalStore } from 'react';

/** One value outside React that components can watch. */
export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** The value, followed as it changes. */
  use: () => Value;
  /** A part of it: whoever watches is told only when that part is another one. */
  usePart: <Part>(pick: (value: Value) => Part) => Part;
}

/** Puts back each value of the page. */
const beginnings: (() => void)[] = [];

/**
 * For what is the browser window's own (its toasts, its live regions); server data belongs to the query client.
 * Nothing else that changes may be held at the top of a module: it would be out of reach of {@link resetPage}.
 */
export function createPageStore<Value>(initial: Value): Store<Value> {
  const store = createStore(initial);
  beginnings.push(() => store.set(initial));
  return store;
}

/** The page as it was when it was loaded. Tests share one page; people load it again. */
export function resetPage(): void {
  for (const begin of beginnings) begin();
}

/** A value that lives as long as what created it. */
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
