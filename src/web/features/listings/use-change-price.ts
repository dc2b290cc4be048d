import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { BulkOutcome, ListingRow } from '#contract/listings.ts';
import { PricedListing } from '#contract/price-actions.ts';
import { call, errorText } from '#web/lib/api.ts';
import { formatMoney } from '#web/lib/format.ts';
import { priceCall } from '#web/lib/price-calls.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { usePriceDrafts } from './price-drafts.ts';
import { useListingCache } from './use-listing-cache.ts';

type PriceMove = { row: ListingRow; from: string; to: string };

/** Saves a typed price: shown at once; if rejected, the old price is restored and the typed one is in its editor. */
export function useChangePrice(): UseMutationResult<ListingRow, Error, PriceMove> {
  const cache = useListingCache();
  const drafts = usePriceDrafts();
  return useMutation({
    mutationFn: ({ row, from, to }) => changePrice(row.id, from, to),
    onMutate: ({ row, to }) => cache.put(row.id, (now) => ({ ...now, currentPrice: to })),
    onSuccess: (saved, move) => {
      cache.saved(saved);
      reportUndoable({
        title: titleOf(saved),
        text: changedText(move, saved),
        failed: `Could not restore the price of ${move.row.sku}`,
        undo: async () => {
          cache.saved(await revertPrice(move, saved));
          return null;
        },
      });
    },
    onError: (error, { row, from, to }) => {
      cache.put(row.id, (now) => ({ ...now, currentPrice: from }));
      drafts.refuse(row.id, to, errorText(error));
    },
  });
}

/** A price for a connected marketplace is queued first: the response still has the old one. */
function titleOf({ priceInProgress }: ListingRow): string {
  return priceInProgress === null ? 'Price changed' : 'Price on its way';
}

/** Restores the old price, and ends a hold caused by the typed price. */
async function revertPrice({ row, from }: PriceMove, before: ListingRow): Promise<ListingRow> {
  const saved = await changePrice(row.id, before.currentPrice, from);
  if (row.hold !== null || saved.hold === null) return saved;
  await call(BulkOutcome, 'POST', '/api/listings/resume', { selection: { ids: [row.id] } });
  return call(ListingRow, 'GET', `/api/listings/${row.id}`);
}

function changedText({ row, from, to }: PriceMove, saved: ListingRow): string {
  const held =
    row.hold === null && saved.hold !== null
      ? '. The listing is now on hold, so repricing does not change it.'
      : '';
  return `${row.sku}: ${formatMoney(from)} to ${formatMoney(to)}${held}`;
}

function changePrice(id: string, from: string, to: string): Promise<ListingRow> {
  return priceCall(PricedListing, 'PUT', `/api/listings/${id}/price`, { price: to, from });
}

/** Applies the recommended price that is shown. */
export function useApplyRecommended(): UseMutationResult<ListingRow, Error, ListingRow> {
  const cache = useListingCache();
  return useMutation({
    mutationFn: (row) =>
      priceCall(PricedListing, 'POST', `/api/listings/${row.id}/apply`, { shown: row.recommendedPrice }),
    onSuccess: (saved, row) => {
      cache.saved(saved);
      const to = saved.priceInProgress?.price ?? saved.currentPrice;
      const move = { row, from: row.currentPrice, to };
      reportUndoable({
        title: titleOf(saved),
        text: `${row.sku}: ${formatMoney(move.from)} to ${formatMoney(move.to)}`,
        failed: `Could not restore the price of ${row.sku}`,
        undo: async () => {
          cache.saved(await revertPrice(move, saved));
          return null;
        },
      });
    },
    onError: (error, row) => {
      if (isDeclined(error)) return;
      toast(`Could not apply the price of ${row.sku}`, errorText(error), 'destructive');
      // The recommendation may have changed: show the new one.
      void cache.reload();
    },
  });
}

type RetriedPrice = { row: Pick<ListingRow, 'id' | 'sku'>; price: string };

/** Sends a price again that its marketplace rejected. */
export function useRetryPrice(): UseMutationResult<ListingRow, Error, RetriedPrice> {
  const cache = useListingCache();
  return useMutation({
    mutationFn: ({ row, price }) =>
      priceCall(PricedListing, 'POST', `/api/listings/${row.id}/retry`, { price }),
    onSuccess: (saved, { row, price }) => {
      cache.saved(saved);
      toast('Price on its way', `${row.sku}: ${formatMoney(price)} is being sent again.`);
    },
    onError: (error, { row, price }) => {
      if (isDeclined(error)) return;
      toast(`Could not send ${formatMoney(price)} for ${row.sku} again`, errorText(error), 'destructive');
      void cache.reload();
    },
  });
}
