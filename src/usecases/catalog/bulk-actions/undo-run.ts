import type { BulkOutcome } from '#contract/listings.ts';
import { readInProgressOfRun } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { readMovedByRun } from '#db/queries/repricing/price-rows.ts';
import { findRun } from '#db/queries/repricing/run-views.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { applyToListings } from '#usecases/catalog/bulk-actions/apply-to-selection.ts';
import { requireStepUpAbove } from '#usecases/catalog/bulk-actions/bulk-step-up.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import type { ConfirmedReasons } from '#usecases/repricing/prices/confirmed-reasons.ts';
import { goPastHalt, type HaltConfirmation } from '#usecases/repricing/prices/priced-listing.ts';

/**
 * Undoes every price change of a run, as new checked prices in a new run; up to 200 at once, more as a job.
 * @throws AppError not_found; conflict while it is in progress or when it changed no price; halted and not_repriceable
 *   unless confirmed;
 *   step_up_required for more prices than may change without a recent step-up
 */
export async function undoRun(
  deps: StartJobDeps,
  {
    runId,
    whileHalted,
    despiteReasons = [],
  }: {
    readonly runId: number;
    readonly whileHalted?: HaltConfirmation;
    readonly despiteReasons?: ConfirmedReasons | undefined;
  },
  editor: Editor,
  assurance: SessionAssurance,
): Promise<BulkOutcome> {
  const at = deps.now();
  return transact(deps.db, async (tx) => {
    const run = await findRun(tx, runId);
    if (run === null) throw new AppError('not_found', `There is no run ${runId}.`);
    if (run.state === 'queued' || run.state === 'running') {
      throw new AppError(
        'conflict',
        `Run ${runId} is still in progress. Halt repricing or wait until the run ends, then undo it.`,
      );
    }
    const touched = [
      ...(await readMovedByRun(tx, runId, null)),
      ...(await readInProgressOfRun(tx, runId, null)),
    ];
    const ids = [...new Set(touched.map(({ id }) => id))].sort((a, b) => a - b);
    if (ids.length === 0) throw new AppError('conflict', `Run ${runId} changed no prices.`);
    const pastHalt = await goPastHalt(tx, whileHalted);
    const undo = { kind: 'undo', undoesRunId: runId, pastHalt, despiteReasons } as const;
    requireStepUpAbove(undo, ids.length, assurance);
    return applyToListings(tx, deps, undo, { ids, isByName: true }, editor, at);
  });
}
