import type { BulkOutcome } from '#contract/listings.ts';
import type { UndoChanges } from '#contract/undo-changes.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { chooseChanges, chooseOpenPrices } from '#usecases/repricing/prices/change-set.ts';
import { changeSetText } from '#usecases/repricing/prices/change-set-text.ts';
import { goPastHalt } from '#usecases/repricing/prices/priced-listing.ts';
import { applyToListings } from './apply-to-selection.ts';
import { requireStepUpAbove } from './bulk-step-up.ts';

const NO_CHANGES = { listings: [], changes: 0 };

/**
 * Undoes a set of price changes: each listing gets the price before its first change, as a new checked price in a new run;
 * up to 200 listings at once, more as a job. Queued prices of the set are withdrawn.
 * @throws AppError conflict when the set differs from the preview; halted and not_repriceable unless confirmed;
 *   validation_failed when it has too many listings; step_up_required for more prices than may change without a recent step-up
 */
export async function undoChanges(
  deps: StartJobDeps,
  { filter, through, changes, openThrough, whileHalted, despiteReasons = [] }: UndoChanges,
  editor: Editor,
  assurance: SessionAssurance,
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
      what: await changeSetText(tx, filter),
      changes: set.listings,
      open: open.map(({ listingId, intentId }) => [listingId, intentId] as const),
      pastHalt: await goPastHalt(tx, whileHalted),
      despiteReasons,
    } as const;
    requireStepUpAbove(undo, ids.length, assurance);
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
