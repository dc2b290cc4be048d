import { useCallback, useRef } from 'react';
import { announce } from '#web/lib/announce.ts';
import { formatCount } from '#web/lib/format.ts';
import { rangeBetween, type TableSelection } from './use-selection.ts';

export interface RowSelection {
  readonly toggle: (id: string, isOn: boolean, withRange: boolean) => void;
  readonly togglePage: (isOn: boolean) => void;
  /** State of the header's checkbox: all, none or some of the page. */
  readonly page: boolean | 'mixed';
}

/**
 * The selection of the rows on screen: Shift selects the range from the last toggled row, in the current
 * order.
 * @param shown ids of the rows on this page, in their order
 */
export function useRowSelection(
  selection: TableSelection | undefined,
  shown: readonly string[],
): RowSelection | null {
  const last = useRef<string | null>(null);
  const now = useRef({ selection, shown });
  now.current = { selection, shown };
  // A stable function: unchanged rows do not render again.
  const toggle = useCallback((id: string, isOn: boolean, withRange: boolean) => {
    const { selection: held, shown: order } = now.current;
    if (held === undefined) return;
    const ids = withRange ? rangeBetween(order, last.current, id) : [id];
    last.current = id;
    change(held, order, ids, isOn);
  }, []);
  if (selection === undefined) return null;
  const chosen = shown.filter(selection.has).length;
  return {
    toggle,
    togglePage: (isOn) => change(selection, shown, shown, isOn),
    page: chosen === 0 ? false : chosen === shown.length ? true : 'mixed',
  };
}

function change(
  selection: TableSelection,
  shown: readonly string[],
  ids: readonly string[],
  isOn: boolean,
): void {
  const isMatching = selection.selected.kind === 'matching';
  // The API has no "all that match, except these": the rest of the page stays selected.
  if (isMatching && !isOn) selection.only(shown.filter((id) => !ids.includes(id)));
  else if (!isMatching) selection.set(ids, isOn);
  const before = isMatching ? shown.length : selection.count;
  const changed = ids.filter((id) => selection.has(id) !== isOn).length;
  const count = isOn ? before + changed : before - changed;
  announce(count === 0 ? 'Nothing selected' : `${formatCount(count)} selected`);
}
