import type { LimitChanges } from '#contract/limit-plan.ts';
import type { ActionResult, ListingSelection } from '#contract/listings.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { planLimits } from '#usecases/catalog/listings/plan-limits.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { applyToListings, selectListings } from './apply-to-selection.ts';
import { requireStepUpAbove } from './bulk-step-up.ts';

/**
 * Sets limits as they were previewed: calculated again, and rejected when any result differs. Up to 200 at once, more
 * as a job, which carries the limits of each listing.
 * @throws AppError conflict when the selection or the plan has changed; step_up_required for many
 */
export async function setLimits(
  deps: StartJobDeps,
  { selection, limits, token }: { selection: ListingSelection; limits: LimitChanges; token: string },
  editor: Editor,
  assurance: SessionAssurance,
): Promise<ActionResult> {
  const at = deps.now();
  // Before the transaction: the calculation takes seconds, which must not hold row locks.
  const chosen = await selectListings(deps.db, selection, at);
  const { plan, planned } = await planLimits(deps, chosen, limits);
  if (plan.token !== token) throw comesOutOtherwise();
  const action = { kind: 'limits', limits, planned } as const;
  const ids = [...planned.keys()];
  requireStepUpAbove(action, ids.length, assurance);
  if (ids.length === 0) return { done: 0, refusedCount: 0, refused: [], jobId: null, undoId: null };
  return transact(deps.db, async (tx) => {
    const outcome = await applyToListings(tx, deps, action, { ids, isByName: true }, editor, at);
    const didNothing = outcome.done === 0 && outcome.jobId === null;
    return { ...outcome, undoId: didNothing ? null : editor.requestId };
  });
}

function comesOutOtherwise(): AppError {
  const message = 'Costs, prices or limits changed after your preview.';
  return new AppError('conflict', `${message} Preview again, then confirm.`, { fields: { token: message } });
}
