import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type ListingFieldsForm, ListingRow } from '#contract/listings.ts';
import { errorText } from '#web/lib/api.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { type ListingCache, useListingCache } from './use-listing-cache.ts';

/** Saves limits, rule and fees of one listing, with Undo. The row is replaced by the server's response. */
export function useSaveLimits(row: ListingRow): UseMutationResult<ListingRow, Error, ListingFieldsForm> {
  const cache = useListingCache();
  const save = async (version: number, fields: ListingFieldsForm): Promise<ListingRow> => {
    const saved = await callWithStepUp(ListingRow, 'PUT', `/api/listings/${row.id}`, { version, fields });
    cache.saved(saved);
    return saved;
  };
  return useMutation({
    mutationFn: (fields) => save(row.version, fields),
    onSuccess: (saved, fields) =>
      reportUndoable({
        title: 'Limits saved',
        text: row.sku,
        failed: `Could not restore the limits of ${row.sku}`,
        undo: async () => {
          await save(saved.version, fieldsOf(row, fields));
          return null;
        },
      }),
  });
}

/** The values of the named fields of a listing. */
function fieldsOf(row: ListingRow, named: ListingFieldsForm): ListingFieldsForm {
  const { ownRuleId: ruleId, ownFeeRate: feeRate, ownBrand: brand, ownSupplier: supplier } = row;
  // What is restored applies from the same day.
  const all: ListingFieldsForm = { ...row, ruleId, feeRate, brand, supplier, costSince: named.costSince };
  const names = Object.keys(named) as (keyof ListingFieldsForm)[];
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** Turns Auto-Reprice of one listing on or off: shown at once, reverted if rejected, with Undo. */
export function useToggleRepricing(): (row: ListingRow, isOn: boolean) => void {
  const cache = useListingCache();
  const mutation = useMutation({
    mutationFn: (toggle: Toggle) => setRepricing(cache, toggle),
    onError: (error, { row, isOn }) => toast(failedTitle(row, isOn), errorText(error), 'destructive'),
    onSuccess: (saved, { isOn }) =>
      reportUndoable({
        title: isOn ? 'Repricing Enabled' : 'Repricing Disabled',
        text: 'for 1 listing(s)',
        about: saved.sku,
        failed: failedTitle(saved, !isOn),
        undo: async () => {
          // Another change may have been saved in between: use the row as currently known.
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
    const saved = await callWithStepUp(ListingRow, 'PUT', `/api/listings/${row.id}`, {
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
