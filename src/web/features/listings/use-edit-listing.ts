import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type ListingFieldsForm, ListingRow } from '#contract/listings.ts';
import { call, errorText } from '#web/lib/api.ts';
import { tellUndoable } from '#web/lib/recent-actions.ts';
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
    mutationFn: (toggle: Toggle) => setRepricing(cache, toggle),
    onError: (error, { row, isOn }) => toast(failedTitle(row, isOn), errorText(error), 'destructive'),
    onSuccess: (saved, { isOn }) =>
      tellUndoable({
        title: isOn ? 'Repricing Enabled' : 'Repricing Disabled',
        text: 'for 1 listing(s)',
        about: saved.sku,
        failed: failedTitle(saved, !isOn),
        undo: async () => {
          // Somebody may have changed more since: the row as it is known then.
          await setRepricing(cache, { row: cache.find(saved.id) ?? saved, isOn: !isOn });
          return null;
        },
      }),
  });
  return (row, isOn) => mutation.mutate({ row, isOn });
}

type Toggle = { readonly row: ListingRow; readonly isOn: boolean };

async function setRepricing(cache: ListingCache, { row, isOn }: Toggle): Promise<ListingRow> {
  const show = (shown: boolean): void =>
    cache.put(row.id, (now) => ({ ...now, autoRepricingEnabled: shown }));
  show(isOn);
  try {
    const saved = await call(ListingRow, 'PUT', `/api/listings/${row.id}`, {
      version: row.version,
      fields: { autoRepricingEnabled: isOn },
    });
    cache.saved(saved);
    return saved;
  } catch (error) {
    show(!isOn);
    throw error;
  }
}

function failedTitle({ sku }: ListingRow, isOn: boolean): string {
  return `Could not turn repricing ${isOn ? 'on' : 'off'} for ${sku}`;
}
