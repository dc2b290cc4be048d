import type { BulkOutcome, UndoAction } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { findJob } from '#db/queries/background/jobs.ts';
import { readActionListings } from '#db/queries/identity/action-audits.ts';
import { transact } from '#db/transact.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { goPastHalt } from '#usecases/repricing/prices/priced-listing.ts';
import { applyToListings } from './apply-to-selection.ts';
import type { BulkAction } from './bulk-action.ts';
import { requireStepUpAbove } from './bulk-step-up.ts';
import { RESTORABLE } from './restore-listings.ts';

/** Screens offer Undo for an hour; a slow clock or response must not shorten that. */
const UNDO_PERIOD = hours(2);
const APPLIED = 'price.applied';
const NOTHING = 'Cannot undo: the action is more than two hours old or was done by another user.';

/**
 * Undoes what one request of the same user did to listings: up to 200 at once, more as a job. Fields, holds, upload
 * marks and deleted listings are restored where they were not changed again; prices are reverted as new, checked
 * changes, in a run of their own.
 * @throws AppError not_found for an action that is too old or was done by another user; conflict while its job is
 *   running; halted and not_repriceable, for prices, unless confirmed; step_up_required for the prices of many listings
 */
export async function undoAction(
  deps: StartJobDeps,
  { undoId, jobId, whileHalted, despiteReasons = [] }: UndoAction,
  editor: Editor,
  assurance: SessionAssurance,
): Promise<BulkOutcome> {
  const at = deps.now();
  return transact(deps.db, async (tx) => {
    const since = await startOf(tx, jobId, at);
    const action = { requestId: undoId, actorId: editor.id };
    const touched = await readActionListings(tx, action, [...RESTORABLE, APPLIED], since);
    const [first] = touched;
    if (first === undefined) throw new AppError('not_found', NOTHING);
    const undo: BulkAction =
      first.runId === null
        ? { kind: 'restore', undoId }
        : {
            kind: 'undo',
            undoesRunId: first.runId,
            pastHalt: await goPastHalt(tx, whileHalted),
            despiteReasons,
          };
    const ids = touched.map(({ id }) => id);
    requireStepUpAbove(undo, ids.length, assurance);
    // By id: a listing that was deleted later is reported, and deleted ones may be what is undone.
    return applyToListings(tx, deps, undo, { ids, isByName: true }, editor, at);
  });
}

/** The earliest moment at which the action can have changed something. */
async function startOf(tx: Db, jobId: UndoAction['jobId'], at: Instant): Promise<Instant> {
  if (jobId === null) return instant(at - UNDO_PERIOD);
  const job = await findJob(tx, Number(jobId));
  if (job === null) throw new AppError('not_found', NOTHING);
  if (job.endedAt === null) {
    throw new AppError('conflict', 'Its job is still running. Cancel it or wait until it ends, then undo.');
  }
  if (job.endedAt < at - UNDO_PERIOD) throw new AppError('not_found', NOTHING);
  return job.createdAt;
}
