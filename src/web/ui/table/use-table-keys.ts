import { useEffect, useRef } from 'react';
import { isFreeKey } from './free-keys.ts';

interface TableKeys {
  /** Holds the rows, each with `data-row-id`. */
  readonly container: React.RefObject<HTMLElement | null>;
  /** X on a row; `withRange` with Shift. */
  readonly onToggle: (id: string, withRange: boolean) => void;
  /** Ctrl+A on a row. */
  readonly onSelectPage: () => void;
  /** Escape on a row. */
  readonly onClear: () => void;
  /** "[" and "]", and "r". */
  readonly onPage: (step: -1 | 1) => void;
  readonly onRefresh: () => void;
  /** Any other key on a row. @returns whether it meant something */
  readonly onRowKey: (key: string, id: string) => boolean;
}

/** The keyboard of a list: J and K move the focus from row to row, the rest acts on the row that has it. */
export function useTableKeys(keys: TableKeys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (handle(event, current.current)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function handle(event: KeyboardEvent, keys: TableKeys): boolean {
  const row = focusedRow(keys.container.current);
  const isOnRow = row !== null && event.target === row;
  if (row !== null && isOnRow && isSelectAll(event)) {
    keys.onSelectPage();
    return true;
  }
  if (!isFreeKey(event)) return false;
  return (
    handlePageKey(event.key, keys, row, isOnRow) || (row !== null && handleRowKey(event, keys, row, isOnRow))
  );
}

function handlePageKey(key: string, keys: TableKeys, row: HTMLElement | null, isOnRow: boolean): boolean {
  if (key === 'j' || (key === 'ArrowDown' && isOnRow)) return moveFocus(keys.container.current, row, 1);
  if (key === 'k' || (key === 'ArrowUp' && isOnRow)) return moveFocus(keys.container.current, row, -1);
  if (key === '[' || key === ']') keys.onPage(key === '[' ? -1 : 1);
  else if (key === 'r') keys.onRefresh();
  else return false;
  return true;
}

function handleRowKey(event: KeyboardEvent, keys: TableKeys, row: HTMLElement, isOnRow: boolean): boolean {
  const id = row.dataset.rowId ?? '';
  if (event.key === 'x' || event.key === 'X') keys.onToggle(id, event.shiftKey);
  else if (isOnRow && (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) {
    openRowMenu(row);
  } else if (isOnRow && event.key === 'Escape') keys.onClear();
  // Enter on a link or button inside the row is theirs.
  else return (isOnRow || event.key.length === 1) && keys.onRowKey(event.key, id);
  return true;
}

function isSelectAll(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && event.key === 'a';
}

function focusedRow(container: HTMLElement | null): HTMLElement | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row-id]') ?? null;
  return row !== null && container?.contains(row) === true ? row : null;
}

function moveFocus(container: HTMLElement | null, row: HTMLElement | null, step: -1 | 1): boolean {
  const rows = [...(container?.querySelectorAll<HTMLElement>('[data-row-id]') ?? [])];
  const next = row === null ? rows[0] : rows[rows.indexOf(row) + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return next !== undefined;
}

// The menu's button says which it is; a pointer event opens it, as a press of the mouse would.
function openRowMenu(row: HTMLElement): void {
  const button = row.querySelector<HTMLElement>('[data-row-menu]');
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}
