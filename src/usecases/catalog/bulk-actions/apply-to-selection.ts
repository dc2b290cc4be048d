import type { ActionResult, BulkOutcome, ListingSelection } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { setJobLink } from '#db/queries/background/jobs.ts';
import { readSelection } from '#db/queries/catalog/listing-selection.ts';
import { withRecommendation } from '#db/queries/catalog/listing-writes.ts';
import { readMovedByRun } from '#db/queries/repricing/price-rows.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { startJob } from '#usecases/background/start-job.ts';
import type { BulkActionResult, Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { requireReasonsConfirmed } from '#usecases/repricing/prices/confirmed-reasons.ts';
import { type BulkAction, runBulkAction, storedBulkAction, titleOf } from './bulk-action.ts';
import { requireStepUpAbove } from './bulk-step-up.ts';
import { readConfirmedFloors } from './confirmed-floors.ts';

/** Above this many listings an action runs as a job. */
const MAX_IMMEDIATE_LISTINGS = 200;
const MAX_NAMED = 20;
const MOVES_PRICES: ReadonlySet<BulkAction['kind']> = new Set(['apply', 'undo', 'undo_changes']);

/**
 * The listings of a selection now.
 * @throws AppError conflict when a filter returns another number than the user saw, with it as `fields.expected`
 */
export async function selectListings(db: Db, selection: ListingSelection, now: Instant): Promise<number[]> {
  // By id, deleted ones too: the action reports each of them.
  if ('ids' in selection) return [...new Set(selection.ids.map(Number))];
  const { ids, isAsShown } = await readSelection(db, selection, now);
  if (isAsShown) return ids;
  const match =
    ids.length === 1 ? '1 listing matches' : `${ids.length.toLocaleString('en-US')} listings match`;
  throw new AppError(
    'conflict',
    `${match} now, not ${selection.expected.toLocaleString('en-US')}. Review the selection, then try again.`,
    { fields: { expected: String(ids.length) } },
  );
}

/**
 * Runs an action on a selection: up to 200 listings at once, in one transaction; more as a job.
 * @throws AppError conflict when the selection has changed; step_up_required for more prices than may change without
 *   step-up authentication; not_repriceable unless confirmed; whatever the action rejects as a whole
 */
export async function applyToSelection(
  deps: StartJobDeps,
  action: BulkAction,
  selection: ListingSelection,
  editor: Editor,
  assurance: SessionAssurance,
): Promise<ActionResult> {
  const at = deps.now();
  return transact(deps.db, async (tx) => {
    const chosen = { ids: await selectListings(tx, selection, at), isByName: 'ids' in selection };
    requireStepUpAbove(action, chosen.ids.length, assurance);
    const outcome = await applyToListings(tx, deps, action, chosen, editor, at);
    const didNothing = outcome.done === 0 && outcome.jobId === null;
    // Every audit row of the action has the request id, also when a job continues it.
    return { ...outcome, undoId: didNothing ? null : editor.requestId };
  });
}

/** {@link applyToSelection} for listings that are known, in the caller's transaction. */
export async function applyToListings(
  tx: Db,
  deps: Pick<StartJobDeps, 'queue' | 'now'>,
  action: BulkAction,
  { ids, isByName }: { readonly ids: readonly number[]; readonly isByName: boolean },
  editor: Editor,
  at: Instant,
): Promise<BulkOutcome> {
  await requireReasonsOfAction(tx, action, ids, at);
  if (ids.length <= MAX_IMMEDIATE_LISTINGS)
    return outcomeOf(await runBulkAction(tx, action, ids, null, editor, at), null);
  const { address, requestId } = editor;
  const floors = await readConfirmedFloors(tx, action, ids, editor, at);
  const jobId = await startJob(tx, deps, {
    kind: MOVES_PRICES.has(action.kind) ? 'apply' : 'edit_listings',
    title: titleOf(action, ids.length),
    // The listings themselves: a filter may return others, which the user has not seen, when the job runs.
    work: { act: storedBulkAction(action), ids, isByName, floors: [...floors], address, requestId },
    createdBy: editor,
  });
  await setJobLink(tx, jobId, `/jobs/${jobId}`);
  return outcomeOf({ done: 0, refused: [] }, jobId);
}

/** The confirmation of all prices that an action sets, required once. @throws AppError not_repriceable */
async function requireReasonsOfAction(
  tx: Db,
  action: BulkAction,
  ids: readonly number[],
  at: Instant,
): Promise<void> {
  if (action.kind === 'apply') {
    await requireReasonsConfirmed(tx, await withRecommendation(tx, ids), action.despiteReasons, at);
  } else if (action.kind === 'undo') {
    const moved = await readMovedByRun(tx, action.undoesRunId, ids);
    await requireReasonsConfirmed(
      tx,
      moved.map(({ id }) => id),
      action.despiteReasons,
      at,
    );
  } else if (action.kind === 'undo_changes') {
    await requireReasonsConfirmed(
      tx,
      action.changes.map(([id]) => id),
      action.despiteReasons,
      at,
    );
  }
}

/** The API's response; at most 20 of the skipped listings are listed. */
export function outcomeOf(
  { done, inProgress, refused }: BulkActionResult,
  jobId: number | null,
): BulkOutcome {
  return {
    done,
    ...(inProgress !== undefined && inProgress > 0 && { inProgress }),
    refusedCount: refused.length,
    refused: refused.slice(0, MAX_NAMED).map(named),
    jobId: jobId === null ? null : String(jobId),
  };
}

function named({ listingId, sku, message }: Refusal): BulkOutcome['refused'][number] {
  return { listingId: String(listingId), sku, message };
}
