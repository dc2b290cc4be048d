import type { ListingRow } from '#contract/listings.ts';
import { announce } from '#web/lib/announce.ts';
import { KEYS } from '#web/lib/keys.ts';
import { type Shortcut, useShortcuts } from '#web/lib/shortcuts.ts';
import type { ListingPanelState } from './panel/use-listing-panel.ts';

/**
 * While the panel is open, J and K show the next and the previous listing of the page in it, and Escape closes it and
 * returns to its row.
 */
export function usePanelKeys(panel: ListingPanelState, rows: readonly ListingRow[]): void {
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    // The arrows stay with the rows.
    if (event.key.startsWith('Arrow')) return false;
    return step(panel, rows, by);
  };
  // Before the table, whose own J and K move the focus.
  const keys: readonly Shortcut[] = [
    { definition: KEYS.nextRow, run: move(1), label: 'Next listing', isFirst: true },
    { definition: KEYS.previousRow, run: move(-1), label: 'Previous listing', isFirst: true },
    { definition: KEYS.close, run: () => closePanel(panel), label: 'Close the panel', isFirst: true },
  ];
  useShortcuts(panel.id === null ? [] : keys);
}

/** Shows the listing after or before the one in the panel; announces the ends of the page. */
export function step(panel: ListingPanelState, rows: readonly ListingRow[], by: 1 | -1): void {
  const at = rows.findIndex(({ id }) => id === panel.id);
  const next = at < 0 ? rows[0] : rows[at + by];
  if (next === undefined) {
    announce(by === 1 ? 'This is the last listing of the page' : 'This is the first listing of the page');
    return;
  }
  // The focus follows if it was on a row, and stays if it was in the panel.
  const isOnRow = document.activeElement?.closest('[data-row-id]') != null;
  const row = rowElement(next.id);
  if (isOnRow) row?.focus();
  row?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  panel.show(next.id);
  announce(`${next.sku}, ${next.title}`);
}

/** Closes the panel; the focus returns to its row. */
export function closePanel(panel: ListingPanelState): void {
  const row = panel.id === null ? null : rowElement(panel.id);
  panel.close();
  (row ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

function rowElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row-id="${id}"]`);
}
