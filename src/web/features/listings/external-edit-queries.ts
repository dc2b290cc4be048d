import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ExternalEdit, ListingEdit } from '#contract/external-edits.ts';
import type { ListingRow } from '#contract/listings.ts';
import { PricedListing } from '#contract/price-actions.ts';
import { call, errorText } from '#web/lib/api.ts';
import { formatMoney } from '#web/lib/format.ts';
import { LISTING_PANEL_KEY } from '#web/lib/live-refresh.ts';
import { priceCall } from '#web/lib/price-calls.ts';
import { toast } from '#web/lib/use-toast.ts';
import { useListingCache } from './use-listing-cache.ts';

type Row = Pick<ListingRow, 'id' | 'sku'>;

/** The price change on the marketplace that waits for a user. */
export const externalEditQuery = (id: string) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'external-edit'] as const,
    queryFn: () => call(ListingEdit, 'GET', `/api/listings/${id}/external-edit`),
  });

/** Keeps the changed price and holds the listing. */
export function useLeaveEdit(row: Row): UseMutationResult<ListingRow, Error, ExternalEdit> {
  return useDecision(
    row,
    (edit) => call(PricedListing, 'POST', `/api/listings/${row.id}/external-edit/leave`, { edit: edit.id }),
    () => ['Kept on hold', `${row.sku} stays on hold until you resume it.`],
  );
}

/** Sets the nearest allowed price. */
export function useRepairEdit(row: Row): UseMutationResult<ListingRow, Error, ExternalEdit> {
  return useDecision(
    row,
    ({ id, repairPrice }) =>
      priceCall(PricedListing, 'POST', `/api/listings/${row.id}/external-edit/repair`, {
        edit: id,
        price: repairPrice,
      }),
    ({ repairPrice }) => ['Price on its way', `${row.sku}: ${formatMoney(repairPrice)}`],
  );
}

function useDecision(
  row: Row,
  decide: (edit: ExternalEdit) => Promise<ListingRow>,
  done: (edit: ExternalEdit) => readonly [title: string, text: string],
): UseMutationResult<ListingRow, Error, ExternalEdit> {
  const cache = useListingCache();
  const client = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: (saved, edit) => {
      cache.saved(saved);
      toast(...done(edit));
    },
    onError: (error) =>
      toast(`Could not resolve the price change of ${row.sku}`, errorText(error), 'destructive'),
    onSettled: () => client.invalidateQueries({ queryKey: externalEditQuery(row.id).queryKey }),
  });
}
