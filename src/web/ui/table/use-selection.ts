import { useCallback, useMemo, useState } from 'react';
import { formatCount } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';

/** The server accepts at most this many ids; larger selections are sent as a filter. */
const MAX_SELECTED_IDS = 1_000;

const TOO_MANY = `Up to ${formatCount(MAX_SELECTED_IDS)} rows can be selected one by one. Filter the list and select all matching rows.`;

/** The selected rows: by id, or all that match the filter. */
type Selected =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string>; readonly filterKey: string }
  | { readonly kind: 'matching'; readonly expected: number; readonly filterKey: string };

export interface TableSelection {
  readonly selected: Selected;
  /** How many rows. */
  readonly count: number;
  /** The filter changed after rows were selected, so it may hide some of them. */
  readonly isFilterChanged: boolean;
  readonly has: (id: string) => boolean;
  /** Adds or removes rows. */
  readonly set: (ids: readonly string[], isOn: boolean) => void;
  /** Only these rows. */
  readonly only: (ids: readonly string[]) => void;
  /** All rows that match the filter: `expected` is the number shown to the user. */
  readonly selectMatching: (expected: number) => void;
  readonly clear: () => void;
}

/**
 * The selection of a list. It survives paging and sorting; "all matching" ends when the filter changes.
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
    // The filter of the first row is kept: rows selected under it may be hidden by a later one.
    const since = ids !== null && ids.size > 0 ? selected.filterKey : filterKey;
    if (next.size <= MAX_SELECTED_IDS) hold({ kind: 'some', ids: next, filterKey: since });
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

/** The ids between two rows in the order on screen, both included; only the second if the first is missing. */
export function rangeBetween(shown: readonly string[], from: string | null, to: string): readonly string[] {
  const start = from === null ? -1 : shown.indexOf(from);
  const end = shown.indexOf(to);
  if (start < 0 || end < 0) return [to];
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1);
}
