import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type ListingFieldsForm, ListingRow } from '#contract/listings.ts';
import { call, errorText } from '#web/lib/api.ts';
import { toast } from '#web/lib/use-toast.ts';
import { type ListingCache, useListingCache } from './use-listing-cache.ts';

/** Saves fields of one listing. The row is replaced by the server's answer. */
export function useEditListing(
  row: Pick<ListingRow, 'id' | 'version'>,
): UseMutationResult<ListingRow, Error, ListingFieldsForm> {
  const cache = useListingCache();
  return useMutation({
    mutationFn: (fields) =>
      call(ListingRow, 'PUT', `/api/listings/${row.id}`, { version: row.version, fields }),
    onSuccess: (saved) => cache.saved(saved),
  });
}

/** Turns auto-repricing of one listing on or off: at once on screen, back again when refused, with Undo after. */
export function useToggleRepricing(): (row: ListingRow, isOn: boolean) => void {
  const cache = useListingCache();
  const mutation = useMutation({
    mutationFn: ({ row, isOn }: Toggle) =>
      call(ListingRow, 'PUT', `/api/listings/${row.id}`, {
        version: row.version,
        fields: { autoRepricingEnabled: isOn },
      }),
    onMutate: ({ row, isOn }) => cache.put(row.id, (now) => ({ ...now, autoRepricingEnabled: isOn })),
    onError: (error, { row, isOn }) => {
      cache.put(row.id, (now) => ({ ...now, autoRepricingEnabled: !isOn }));
      toast(
        `Could not turn repricing ${isOn ? 'on' : 'off'} for ${row.sku}`,
        errorText(error),
        'destructive',
      );
    },
    onSuccess: (saved, { isOn, isUndo }) => {
      cache.saved(saved);
      if (!isUndo) offerUndo(cache, saved, isOn, (undo) => mutation.mutate(undo));
    },
  });
  return (row, isOn) => mutation.mutate({ row, isOn, isUndo: false });
}

type Toggle = { row: ListingRow; isOn: boolean; isUndo: boolean };

function offerUndo(cache: ListingCache, saved: ListingRow, isOn: boolean, run: (undo: Toggle) => void): void {
  toast(isOn ? 'Repricing Enabled' : 'Repricing Disabled', 'for 1 listing(s)', 'neutral', {
    label: 'Undo',
    // Somebody may have changed more since: the row as it is known then.
    run: () => run({ row: cache.find(saved.id) ?? saved, isOn: !isOn, isUndo: true }),
  });
}
