import { useLayoutEffect, useRef, useState } from 'react';
import { MAX_LINES } from '#domain/lines/line.ts';
import { announce } from '#web/lib/announce.ts';
import { type LineRow, moved, newRow, rowsOf, textOfRows } from './line-row-model.ts';

/** The rows of the editor and what can be done to them. The focus stays with the line that it is in. */
export interface LineRows {
  readonly rows: readonly LineRow[];
  readonly canAdd: boolean;
  readonly list: React.RefObject<HTMLOListElement | null>;
  readonly add: () => void;
  readonly change: (index: number, row: LineRow) => void;
  readonly duplicate: (index: number) => void;
  readonly remove: (index: number) => void;
  readonly move: (from: number, to: number) => void;
}

/** @param text of the draft; rows that are not understood are kept as they were typed */
export function useLineRows(text: string, onChange: (text: string) => void): LineRows {
  const nextKey = useRef(1);
  const list = useRef<HTMLOListElement>(null);
  const takeKeys = (count: number): number => {
    nextKey.current += count;
    return nextKey.current - count;
  };
  const read = (from: string): readonly LineRow[] => {
    const rows = rowsOf(from, nextKey.current);
    takeKeys(rows?.length ?? 1);
    // Not understood as a whole: one row for each line of text, so that nothing typed is lost.
    return rows ?? from.split('\n').map((part) => ({ key: takeKeys(1), form: null, text: part }));
  };
  const [state, setState] = useState(() => ({ text, rows: read(text) }));
  let { rows } = state;
  if (state.text !== text) {
    // The draft was changed from outside: a template, a saved rule, the text tab.
    rows = read(text);
    setState({ text, rows });
  }
  const focus = useFocusAfter(list);
  const put = (next: readonly LineRow[]): void => {
    const written = textOfRows(next);
    setState({ text: written, rows: next });
    onChange(written);
  };
  return {
    rows,
    canAdd: rows.length < MAX_LINES,
    list,
    add: () => {
      const row = newRow(takeKeys(1));
      put([...rows, row]);
      focus.on(row.key);
    },
    change: (index, row) => put(rows.toSpliced(index, 1, row)),
    duplicate: (index) => {
      const row = rows[index];
      if (row === undefined) return;
      const copy = { ...row, key: takeKeys(1) };
      put(rows.toSpliced(index + 1, 0, copy));
      focus.on(copy.key);
      announce(`Line ${index + 1} duplicated`);
    },
    remove: (index) => {
      const rest = rows.toSpliced(index, 1);
      put(rest);
      focus.on((rest[index] ?? rest[index - 1])?.key ?? null);
      announce(`Line ${index + 1} removed`);
    },
    move: (from, to) => {
      const next = moved(rows, from, to);
      if (next === rows) return;
      focus.keep();
      put(next);
      announce(`Line ${from + 1} is now line ${to + 1} of ${rows.length}`);
    },
  };
}

/** Moves the focus once the rows are drawn. A node that moves in the page would lose it. */
function useFocusAfter(list: React.RefObject<HTMLOListElement | null>) {
  const wanted = useRef<{ readonly key: number | null } | { readonly element: Element } | null>(null);
  useLayoutEffect(() => {
    const want = wanted.current;
    if (want === null) return;
    wanted.current = null;
    if ('element' in want) {
      if (want.element !== document.activeElement && want.element instanceof HTMLElement)
        want.element.focus();
      return;
    }
    const row = want.key === null ? null : list.current?.querySelector(`[data-row="${want.key}"]`);
    const first =
      row?.querySelector<HTMLElement>('select, input') ??
      list.current?.parentElement?.querySelector<HTMLElement>('[data-add-line]');
    first?.focus();
  });
  return {
    on: (key: number | null): void => {
      wanted.current = { key };
    },
    keep: (): void => {
      if (document.activeElement !== null) wanted.current = { element: document.activeElement };
    },
  };
}
