import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { ActionResult, BulkOutcome, type ListingFieldsForm, type UndoAction } from '#contract/listings.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { priceCall } from '#web/lib/price-calls.ts';
import { reportUndoable, UndoRefused } from '#web/lib/recent-actions-store.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { toast } from '#web/lib/use-toast.ts';
import { type ActionTarget, useListingsScreen } from './listings-screen.ts';
import { type ListingCache, useListingCache } from './use-listing-cache.ts';

type ActionText = {
  /** "/api/listings/hold" */
  path: string;
  /** Title of the toast when done: "Prices held". */
  title: string;
  /** Text of the toast. */
  text?: (count: number) => string;
  /** Title of the toast when undone: "Listings restored"; default "Undone". */
  undone?: string;
};

type Act<Extra> = { target: ActionTarget; extra: Extra };

/** A bulk action: sends it, reports the result with Undo, lists skipped listings, and reloads the page. */
export function useBulkAction<Extra extends object>(
  words: ActionText,
): UseMutationResult<ActionResult, Error, Act<Extra>> {
  const cache = useListingCache();
  const screen = useListingsScreen();
  return useMutation({
    mutationFn: ({ target, extra }) =>
      priceCall(ActionResult, 'POST', words.path, { selection: target.selection, ...extra }),
    onMutate: () => screen.setProblem(null),
    onSuccess: (outcome, { target }) => {
      if ('ids' in target.selection && outcome.jobId === null) cache.expectNews(target.selection.ids);
      if (target.row === null) screen.clearSelection();
      const { undoId, jobId } = outcome;
      const text = outcomeText(outcome, words.text);
      if (undoId === null) toast(words.title, text);
      else {
        const undone = words.undone ?? 'Undone';
        reportUndoable({
          title: words.title,
          text,
          ...(target.row === null ? {} : { about: target.row.sku }),
          failed: `Could not undo: ${words.title}`,
          undo: () => undoBulkAction(cache, { undoId, jobId }, undone),
        });
      }
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

/** Undoes an action, listing by listing. @throws UndoRefused if none could be undone */
async function undoBulkAction(
  cache: ListingCache,
  action: UndoAction,
  title: string,
): Promise<{ title: string; text: string }> {
  try {
    const outcome = await priceCall(BulkOutcome, 'POST', '/api/listings/undo', action);
    const left = skippedText(outcome);
    if (outcome.jobId === null && outcome.done === 0) throw new UndoRefused(left);
    if (outcome.jobId !== null) return { title, text: outcomeText(outcome, undefined) };
    const back = countOf(outcome.done, 'listing is as before.', 'listings are as before.');
    return { title, text: left === '' ? back : `${back} ${left}` };
  } finally {
    await cache.reload();
  }
}

/** Maximum number of skipped listings named in a message. */
const NAMED = 3;

function skippedText({ refused, refusedCount }: BulkOutcome): string {
  if (refusedCount === 0) return '';
  const named = refused.slice(0, NAMED).map(({ message }) => message);
  const more = refusedCount - named.length;
  const rest = more > 0 ? ` And ${countOf(more, 'other', 'others')}.` : '';
  return `${formatCount(refusedCount)} skipped: ${named.join(' ')}${rest}`;
}

function outcomeText(outcome: BulkOutcome, text: ActionText['text']): string {
  if (outcome.jobId !== null) return 'Running in the background. The Jobs menu shows the progress.';
  const inProgress = outcome.inProgress ?? 0;
  const way = countOf(inProgress, 'price is on its way.', 'prices are on their way.');
  const changed = outcome.done - inProgress;
  if (inProgress > 0 && changed === 0) return way;
  const words = text?.(changed) ?? countOf(changed, 'listing', 'listings');
  return inProgress > 0 ? `${words}. ${way}` : words;
}

/** Turns repricing on or off for many. Undo restores each listing's value. */
export function useSetRepricing(isOn: boolean): (target: ActionTarget) => void {
  const action = useBulkAction<{ fields: ListingFieldsForm }>({
    path: '/api/listings/edit',
    title: isOn ? 'Repricing Enabled' : 'Repricing Disabled',
    text: (count) => `for ${count} listing(s)`,
  });
  return (target) => action.mutate({ target, extra: { fields: { autoRepricingEnabled: isOn } } });
}

/** Ends holds. */
export function useResume(): (target: ActionTarget) => void {
  const action = useBulkAction<object>({ path: '/api/listings/resume', title: 'Repricing resumed' });
  return (target) => action.mutate({ target, extra: {} });
}

/** Marks prices as uploaded. */
export function useMarkUploaded(): (target: ActionTarget) => void {
  const action = useBulkAction<object>({ path: '/api/listings/uploaded', title: 'Marked as uploaded' });
  return (target) => action.mutate({ target, extra: {} });
}
