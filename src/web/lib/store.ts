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

/** For what is the browser window's own (its toasts, its live regions); server data belongs to the query client. */
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
