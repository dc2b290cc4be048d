import { useEffect, useRef } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { announce } from '#web/lib/announce.ts';
import { isFreeKey } from '#web/ui/table/free-keys.ts';
import type { ListingPanelState } from './panel/use-listing-panel.ts';

/**
 * While the panel is open, J and K show the next and the previous listing of the page in it, and Escape closes it and
 * goes back to its row.
 */
export function usePanelKeys(panel: ListingPanelState, rows: readonly ListingRow[]): void {
  const current = useRef({ panel, rows });
  useEffect(() => {
    current.current = { panel, rows };
  });
  const isOpen = panel.id !== null;
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent): void => {
      if (isFreeKey(event) && handle(event.key, current.current)) event.preventDefault();
    };
    // Before the table, whose own J and K move the focus.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [isOpen]);
}

type Held = { panel: ListingPanelState; rows: readonly ListingRow[] };

function handle(key: string, { panel, rows }: Held): boolean {
  if (key === 'Escape') closePanel(panel);
  else if (key === 'j') step(panel, rows, 1);
  else if (key === 'k') step(panel, rows, -1);
  else return false;
  return true;
}

/** Shows the listing after or before the one in the panel; at the ends of the page it says so. */
export function step(panel: ListingPanelState, rows: readonly ListingRow[], by: 1 | -1): void {
  const at = rows.findIndex(({ id }) => id === panel.id);
  const next = at < 0 ? rows[0] : rows[at + by];
  if (next === undefined) {
    announce(by === 1 ? 'This is the last listing of the page' : 'This is the first listing of the page');
    return;
  }
  // Who walks through the rows keeps walking; who reads the panel keeps reading.
  const isOnRow = document.activeElement?.closest('[data-row-id]') != null;
  const row = rowElement(next.id);
  if (isOnRow) row?.focus();
  row?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  panel.show(next.id);
  announce(`${next.sku}, ${next.title}`);
}

/** Closes the panel; the focus goes back to its row. */
export function closePanel(panel: ListingPanelState): void {
  const row = panel.id === null ? null : rowElement(panel.id);
  panel.close();
  (row ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

function rowElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row-id="${id}"]`);
}
