import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { BulkOutcome, type ListingFieldsForm } from '#contract/listings.ts';
import { call, errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { type Reversible, tellUndoable } from '#web/lib/recent-actions.ts';
import { callProved, isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { type ActTarget, useListingsScreen } from './listings-screen.ts';
import { useListingCache } from './use-listing-cache.ts';

type ActWords = {
  /** "/api/listings/hold" */
  path: string;
  /** Of the toast once done: "Prices held". */
  title: string;
  /** Under it, for what was done. */
  text?: (count: number) => string;
  /** What brings it back; null when nothing can. */
  undo?: (target: ActTarget) => Pick<Reversible, 'undo' | 'failed'> | null;
};

type Act<Extra> = { target: ActTarget; extra: Extra };

/** An act on many listings: sends it, says what it did, lists what was left out, and loads the page again. */
export function useBulkAct<Extra extends object>(
  words: ActWords,
): UseMutationResult<BulkOutcome, Error, Act<Extra>> {
  const cache = useListingCache();
  const screen = useListingsScreen();
  return useMutation({
    mutationFn: ({ target, extra }) =>
      callProved(BulkOutcome, 'POST', words.path, { selection: target.selection, ...extra }),
    onMutate: () => screen.setProblem(null),
    onSuccess: (outcome, { target }) => {
      const undo = words.undo?.(target) ?? null;
      if ('ids' in target.selection && outcome.jobId === null) cache.expectNews(target.selection.ids);
      if (target.row === null) screen.clearSelection();
      const text = outcomeText(outcome, words.text);
      if (undo === null || outcome.jobId !== null) toast(words.title, text);
      else tellUndoable({ title: words.title, text, ...undo });
      screen.openDialog(outcome.refusedCount > 0 ? { kind: 'outcome', title: words.title, outcome } : null);
      void cache.reload();
    },
    onError: (error, { target }) => {
      if (isDeclined(error)) return;
      if (target.row === null) screen.setProblem(errorText(error));
      toast(`Not done: ${words.title}`, errorText(error), 'destructive');
    },
  });
}

function outcomeText(outcome: BulkOutcome, text: ActWords['text']): string {
  if (outcome.jobId !== null)
    return 'It goes on in the background; the jobs in the bar above tell how far it is.';
  return text?.(outcome.done) ?? countOf(outcome.done, 'listing', 'listings');
}

/** Turns repricing on or off for many. Undo brings back those that it changed. */
export function useSetRepricing(isOn: boolean): (target: ActTarget) => void {
  const cache = useListingCache();
  const screen = useListingsScreen();
  const bringBack = async (ids: readonly string[]): Promise<null> => {
    try {
      await editListings({ ids: [...ids] }, { autoRepricingEnabled: !isOn });
      return null;
    } finally {
      await cache.reload();
    }
  };
  const act = useBulkAct<{ fields: ListingFieldsForm }>({
    path: '/api/listings/edit',
    title: isOn ? 'Repricing Enabled' : 'Repricing Disabled',
    text: (count) => `for ${count} listing(s)`,
    undo: ({ selection }) => {
      if (!('ids' in selection)) return null;
      const rows = selection.ids.map(cache.find);
      // Without the rows nobody knows which of them were so already.
      if (rows.includes(undefined)) return null;
      const changed = rows.flatMap((row) =>
        row !== undefined && row.autoRepricingEnabled !== isOn ? [row.id] : [],
      );
      return changed.length === 0 ? null : { undo: () => bringBack(changed), failed: 'Could not undo it' };
    },
  });
  return (target) => {
    screen.setProblem(null);
    act.mutate({ target, extra: { fields: { autoRepricingEnabled: isOn } } });
  };
}

function editListings(selection: ActTarget['selection'], fields: ListingFieldsForm): Promise<BulkOutcome> {
  return call(BulkOutcome, 'POST', '/api/listings/edit', { selection, fields });
}

/** Ends holds. */
export function useResume(): (target: ActTarget) => void {
  const act = useBulkAct<object>({ path: '/api/listings/resume', title: 'Repricing resumed' });
  return (target) => act.mutate({ target, extra: {} });
}

/** Clears "to upload" marks. */
export function useMarkUploaded(): (target: ActTarget) => void {
  const act = useBulkAct<object>({ path: '/api/listings/uploaded', title: 'Marked as uploaded' });
  return (target) => act.mutate({ target, extra: {} });
}
