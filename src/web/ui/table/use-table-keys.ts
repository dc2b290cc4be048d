import { KEYS } from '#web/lib/keys.ts';
import { type Shortcut, useShortcuts } from '#web/lib/shortcuts.ts';

interface TableKeys {
  /** The container of the rows, each with `data-row-id`. */
  readonly container: React.RefObject<HTMLElement | null>;
  /** X on a row; `withRange` with Shift. Undefined without selection. */
  readonly onToggle?: ((id: string, withRange: boolean) => void) | undefined;
  /** Ctrl+A on a row. */
  readonly onSelectPage?: (() => void) | undefined;
  /** Escape. Undefined while nothing is selected. */
  readonly onClear?: (() => void) | undefined;
  readonly onRefresh: () => void;
  /** Any other key on a row. @returns whether it was handled */
  readonly onRowKey: (key: string, id: string) => boolean;
}

/** The keyboard of a list: J and K move the focus from row to row, other keys act on the focused row. */
export function useTableKeys(keys: TableKeys): void {
  const refresh = { definition: KEYS.refresh, run: keys.onRefresh };
  useShortcuts([refresh, ...moveKeys(keys), ...selectKeys(keys), ...rowKeys(keys)]);
}

function moveKeys({ container }: TableKeys): Shortcut[] {
  const move = (step: -1 | 1) => (event: KeyboardEvent) => {
    const row = focusedRow(container.current);
    // The arrows scroll the page unless a row itself has the focus.
    if (event.key.startsWith('Arrow') && !(row !== null && event.target === row)) return false;
    return moveFocus(container.current, row, step);
  };
  return [
    { definition: KEYS.nextRow, run: move(1) },
    { definition: KEYS.previousRow, run: move(-1) },
  ];
}

function selectKeys({ container, onToggle, onSelectPage, onClear }: TableKeys): Shortcut[] {
  const toggle = (withRange: boolean) => () => {
    const row = focusedRow(container.current);
    return row === null || onToggle === undefined ? false : onToggle(idOf(row), withRange);
  };
  const selectPage = ({ target }: KeyboardEvent) => {
    const row = focusedRow(container.current);
    return row === null || target !== row || onSelectPage === undefined ? false : onSelectPage();
  };
  const keys: Shortcut[] =
    onToggle === undefined
      ? []
      : [
          { definition: KEYS.toggleRow, run: toggle(false) },
          { definition: KEYS.toggleRange, run: toggle(true) },
          { definition: KEYS.selectPage, run: selectPage },
        ];
  return onClear === undefined ? keys : [...keys, { definition: KEYS.close, run: onClear }];
}

function rowKeys({ container, onRowKey }: TableKeys): Shortcut[] {
  const action = (event: KeyboardEvent) => {
    const row = focusedRow(container.current);
    // Enter on a link or button inside the row belongs to that control.
    if (row === null || (event.key.length > 1 && event.target !== row)) return false;
    return onRowKey(event.key.length === 1 ? event.key.toLowerCase() : event.key, idOf(row));
  };
  const openMenu = ({ target }: KeyboardEvent) => {
    const row = focusedRow(container.current);
    return row === null || target !== row ? false : openRowMenu(row);
  };
  return [
    { definition: KEYS.openRow, run: action },
    { definition: KEYS.editRow, run: action },
    { definition: KEYS.rowMenu, run: openMenu },
  ];
}

function idOf(row: HTMLElement): string {
  return row.dataset.rowId ?? '';
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

// Identifies the menu button; a pointer event opens it, like a mouse press.
function openRowMenu(row: HTMLElement): void {
  const button = row.querySelector<HTMLElement>('[data-row-menu]');
  button?.focus();
  button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}
