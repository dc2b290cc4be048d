import { useEffect, useRef } from 'react';
import type { ListingRow } from '#contract/listings.ts';
import { announce } from '#web/lib/announce.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { usePriceDrafts } from './price-drafts.ts';

/**
 * Opens the price editor of a row if the address asks for it (`price=42`), so that a link can lead there.
 * Saving or canceling removes it from the address. Renders nothing, so that typing does not render the list.
 */
export function PriceLink({ rows }: { rows: readonly ListingRow[] | undefined }): null {
  const { params, set } = useUrlParams();
  const drafts = usePriceDrafts();
  const open = drafts.use();
  const opened = useRef<string | null>(null);
  const requested = params.price;
  useEffect(() => {
    if (requested === undefined) {
      opened.current = null;
      return;
    }
    if (opened.current === requested) {
      if (!open.has(requested)) set({ price: undefined }, true);
      return;
    }
    if (rows === undefined) return;
    const row = rows.find(({ id }) => id === requested);
    if (row === undefined) {
      announce('This listing is not on the current page');
      set({ price: undefined }, true);
      return;
    }
    opened.current = requested;
    drafts.open(row.id, row.currentPrice);
  }, [requested, rows, open, drafts, set]);
  return null;
}
