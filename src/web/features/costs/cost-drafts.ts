import type { CostRow } from '#contract/cost-list.ts';
import type { CostPartName } from '#contract/costs.ts';
import { createStore } from '#web/lib/store.ts';

/** The versions shown while typing; they are sent with the save. */
export type SeenVersions = Pick<CostRow, 'version' | 'skuVersion'>;

/** A cost being typed in its cell. It stays, with its error, until it is saved or discarded. */
export interface CostDraft {
  readonly text: string;
  /** Why it cannot be saved. */
  readonly problem: string | null;
  /** False for one that was rejected while the user already types elsewhere. */
  readonly takesFocus: boolean;
  /** As of opening the cell; null after a rejected save: then those of the current row. */
  readonly seen: SeenVersions | null;
}

/** The drafts in the list, by cell. */
export interface CostDrafts {
  /** The draft of one cell; undefined if there is none. */
  readonly use: (key: string) => CostDraft | undefined;
  readonly open: (row: CostRow, part: CostPartName) => void;
  readonly type: (key: string, text: string) => void;
  readonly mark: (key: string, problem: string) => void;
  /** Restores the typed text with the error. */
  readonly refuse: (key: string, text: string, problem: string) => void;
  readonly close: (key: string) => void;
}

/** Key of a cell: "42 product". */
export function keyOf(listingId: string, part: CostPartName): string {
  return `${listingId} ${part}`;
}

export function createCostDrafts(): CostDrafts {
  const store = createStore<ReadonlyMap<string, CostDraft>>(new Map());
  const put = (key: string, draft: CostDraft): void => store.set(new Map(store.get()).set(key, draft));
  const change = (key: string, news: Partial<CostDraft>): void => {
    const draft = store.get().get(key);
    if (draft !== undefined) put(key, { ...draft, ...news });
  };
  return {
    use: (key) => store.usePart((drafts) => drafts.get(key)),
    open: ({ listingId, stored, version, skuVersion }, part) => {
      const key = keyOf(listingId, part);
      const fresh = { text: stored[part] ?? '', problem: null, seen: { version, skuVersion } };
      put(key, { ...(store.get().get(key) ?? fresh), takesFocus: true });
    },
    type: (key, text) => change(key, { text, problem: null }),
    mark: (key, problem) => change(key, { problem }),
    refuse: (key, text, problem) =>
      put(key, { text, problem, seen: null, takesFocus: store.get().size === 0 }),
    close: (key) => store.set(new Map([...store.get()].filter(([other]) => other !== key))),
  };
}
