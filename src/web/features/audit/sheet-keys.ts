import type { AuditRow } from '#contract/audit.ts';
import { announce } from '#web/lib/announce.ts';
import { KEYS } from '#web/lib/keys.ts';
import { type Shortcut, useShortcuts } from '#web/lib/shortcuts.ts';
import type { AuditSheetState } from './use-audit-sheet.ts';

/** While the sheet is open, J and K show the next and the previous row in it, and Escape returns to its row. */
export function useSheetKeys(sheet: AuditSheetState, rows: readonly AuditRow[], isOpen: boolean): void {
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    // The arrows stay with the rows.
    if (event.key.startsWith('Arrow')) return false;
    return step(sheet, rows, by);
  };
  // Before the table, whose own J and K move the focus.
  const keys: readonly Shortcut[] = [
    { definition: KEYS.nextRow, run: move(1), label: 'Older row', isFirst: true },
    { definition: KEYS.previousRow, run: move(-1), label: 'Newer row', isFirst: true },
    { definition: KEYS.close, run: () => closeSheet(sheet), label: 'Close the row', isFirst: true },
  ];
  useShortcuts(isOpen ? keys : []);
}

/** Shows the row after or before the one in the sheet; announces the ends of the page. */
export function step(sheet: AuditSheetState, rows: readonly AuditRow[], by: 1 | -1): void {
  const next = rows[rows.findIndex(({ id }) => id === sheet.id) + by];
  if (next === undefined) {
    announce(by === 1 ? 'This is the last row of the page' : 'This is the first row of the page');
    return;
  }
  // The focus follows if it was on a row, and stays if it was in the sheet.
  const isOnRow = document.activeElement?.closest('[data-row-id]') != null;
  const element = rowElement(next.id);
  if (isOnRow) element?.focus();
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  sheet.show(next.id);
  announce(next.sentence);
}

/** Closes the sheet; the focus returns to its row. */
export function closeSheet(sheet: AuditSheetState): void {
  const row = sheet.id === null ? null : rowElement(sheet.id);
  sheet.close();
  (row ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

function rowElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row-id="${id}"]`);
}
