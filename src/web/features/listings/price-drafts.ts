import { createContext, useContext } from 'react';
import { createStore } from '#web/lib/store.ts';

/** A price being typed. It stays, with its error, until it is saved or discarded. */
export interface PriceDraft {
  readonly text: string;
  /** Why the server rejected it. */
  readonly problem: string | null;
  /** False for a draft that was rejected while the user already types elsewhere. */
  readonly takesFocus: boolean;
}

/** The drafts in a list, by listing. */
export interface PriceDrafts {
  readonly use: () => ReadonlyMap<string, PriceDraft>;
  readonly open: (id: string, text: string) => void;
  readonly type: (id: string, text: string) => void;
  /** Restores the typed text with the error. */
  readonly refuse: (id: string, text: string, problem: string) => void;
  readonly close: (id: string) => void;
}

export function createPriceDrafts(): PriceDrafts {
  const store = createStore<ReadonlyMap<string, PriceDraft>>(new Map());
  const put = (id: string, draft: PriceDraft): void => store.set(new Map(store.get()).set(id, draft));
  return {
    use: store.use,
    open: (id, text) => put(id, store.get().get(id) ?? { text, problem: null, takesFocus: true }),
    type: (id, text) => put(id, { text, problem: null, takesFocus: true }),
    refuse: (id, text, problem) => put(id, { text, problem, takesFocus: store.get().size === 0 }),
    close: (id) => store.set(new Map([...store.get()].filter(([other]) => other !== id))),
  };
}

export const PriceDraftsContext: React.Context<PriceDrafts> = createContext(createPriceDrafts());

export const usePriceDrafts = (): PriceDrafts => useContext(PriceDraftsContext);
