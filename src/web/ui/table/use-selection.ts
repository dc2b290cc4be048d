import { useCallback, useMemo, useState } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';

/** The server takes at most this many rows by name; above that, choose by a filter. */
const MOST_BY_HAND = 1_000;

const TOO_MANY = `Up to ${formatCount(MOST_BY_HAND)} rows can be selected one by one. Filter the list and select all matching rows.`;

/** Which rows are selected: some by id, or all that the filter shows. */
type Selected =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string>; readonly filterKey: string }
  | { readonly kind: 'matching'; readonly expected: number; readonly filterKey: string };

export interface TableSelection {
  readonly selected: Selected;
  /** How many rows. */
  readonly count: number;
  /** The filter changed after rows were selected by hand, so it may hide some of them. */
  readonly isFilterChanged: boolean;
  readonly has: (id: string) => boolean;
  /** Adds or removes rows. */
  readonly set: (ids: readonly string[], isOn: boolean) => void;
  /** Only these rows. */
  readonly only: (ids: readonly string[]) => void;
  /** Everything the filter shows: `expected` is how many the person was told. */
  readonly selectMatching: (expected: number) => void;
  readonly clear: () => void;
}

/**
 * The selection of a list. It survives paging and sorting; "all matching" ends with the filter it was about.
 * @param filterKey changes whenever other rows match
 */
export function useSelection(filterKey: string): TableSelection {
  const none = useMemo<Selected>(() => ({ kind: 'some', ids: new Set(), filterKey }), [filterKey]);
  const [held, hold] = useState(none);
  const isOver = held.kind === 'matching' && held.filterKey !== filterKey;
  const selected = isOver ? none : held;
  if (isOver) hold(none);
  const ids = selected.kind === 'some' ? selected.ids : null;
  const has = useCallback((id: string) => ids?.has(id) ?? true, [ids]);
  const keep = (next: ReadonlySet<string>): void => {
    // The filter of the first row stays noted: rows chosen under it may be out of sight under a later one.
    const since = ids !== null && ids.size > 0 ? selected.filterKey : filterKey;
    if (next.size <= MOST_BY_HAND) hold({ kind: 'some', ids: next, filterKey: since });
    else toast('Too many rows to select one by one', TOO_MANY, 'destructive');
  };
  return {
    selected,
    count: selected.kind === 'some' ? selected.ids.size : selected.expected,
    isFilterChanged: selected.kind === 'some' && selected.ids.size > 0 && selected.filterKey !== filterKey,
    has,
    set: (changed, isOn) => {
      const next = new Set(ids ?? []);
      for (const id of changed) isOn ? next.add(id) : next.delete(id);
      keep(next);
    },
    only: (chosen) => keep(new Set(chosen)),
    selectMatching: (expected) => hold({ kind: 'matching', expected, filterKey }),
    clear: useCallback(() => hold(none), [none]),
  };
}

/** The ids from one row to another in the order on screen, both included; only the second when the first is not there. */
export function rangeBetween(shown: readonly string[], from: string | null, to: string): readonly string[] {
  const start = from === null ? -1 : shown.indexOf(from);
  const end = shown.indexOf(to);
  if (start < 0 || end < 0) return [to];
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1);
}
