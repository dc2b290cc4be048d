import type { BulkOutcome } from '#contract/listings.ts';
import type { UndoChanges } from '#contract/undo-changes.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { applyToListings } from '#usecases/catalog/listings/apply-to-selection.ts';
import { requireStepUpAbove } from '#usecases/catalog/listings/bulk-step-up.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { chooseChanges, chooseOpenPrices } from './change-set.ts';
import { setWords } from './change-set-text.ts';
import { goPastHalt } from './priced-listing.ts';

const NO_CHANGES = { listings: [], changes: 0 };

/**
 * Takes a set of price changes back, each listing to the price before the first of its changes, as new checked prices in
 * a run of their own: up to 200 listings at once, more as a job. Prices of the set that wait to be sent are not sent.
 * @throws AppError conflict when the set is another one than was previewed; halted unless that was confirmed; validation_failed when
 *   it is of too many listings; step_up_required for more prices than may move at once without a fresh password
 */
export async function undoChanges(
  deps: StartJobDeps,
  { filter, through, changes, openThrough, whileHalted }: UndoChanges,
  editor: Editor,
  clearance: SessionAssurance,
): Promise<BulkOutcome> {
  const at = deps.now();
  return transact(deps.db, async (tx) => {
    const set = through === null ? NO_CHANGES : await chooseChanges(tx, filter, through, at);
    const open = openThrough === null ? [] : await chooseOpenPrices(tx, filter, openThrough, at);
    const ids = [...new Set([...set.listings.map(([id]) => id), ...open.map(({ listingId }) => listingId)])];
    if (set.changes !== changes || ids.length === 0) {
      throw new AppError('conflict', 'The price changes are different now. Review them again.', {
        fields: { changes: String(set.changes) },
      });
    }
    const undo = {
      kind: 'undo_changes',
      what: await setWords(tx, filter),
      changes: set.listings,
      open: open.map(({ listingId, intentId }) => [listingId, intentId] as const),
      pastHalt: await goPastHalt(tx, whileHalted),
    } as const;
    requireStepUpAbove(undo, ids.length, clearance);
    const outcome = await applyToListings(tx, deps, undo, { ids, isByName: true }, editor, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'prices.taken_back',
      targetKind: 'changes',
      targetId: null,
      after: { filter, changes, listings: ids.length, jobId: outcome.jobId },
    });
    return outcome;
  });
}
