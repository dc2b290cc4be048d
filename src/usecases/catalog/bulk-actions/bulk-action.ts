import { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { deleteListings } from '#usecases/catalog/listings/delete-listings.ts';
import { editListings } from '#usecases/catalog/listings/edit-listings.ts';
import type { BulkActionResult } from '#usecases/catalog/listings/listing-deps.ts';
import { formOf } from '#usecases/catalog/listings/listing-fields.ts';
import { type PreviewedLimits, putPlannedLimits } from '#usecases/catalog/listings/put-limits.ts';
import type { Editor } from '#usecases/editor.ts';
import { applyPrices } from '#usecases/repricing/prices/apply-prices.ts';
import type { ConfirmedReasons } from '#usecases/repricing/prices/confirmed-reasons.ts';
import { holdListings, markUploaded, resumeListings } from '#usecases/repricing/prices/hold-listings.ts';
import { type UndoneSet, undoChangedPrices } from '#usecases/repricing/prices/undo-changed-prices.ts';
import { type UndoneRun, undoPrices } from '#usecases/repricing/prices/undo-prices-of-run.ts';
import { restoreListings } from './restore-listings.ts';

/** An action that a user runs on many listings at once. */
export type BulkAction =
  | { readonly kind: 'edit'; readonly fields: ListingFields }
  /** Limits as they were previewed, for each listing its own. */
  | ({ readonly kind: 'limits' } & PreviewedLimits)
  /** In hours; null until resumed. */
  | { readonly kind: 'hold'; readonly howLong: number | null; readonly reason: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'uploaded' }
  | { readonly kind: 'apply'; readonly despiteReasons: ConfirmedReasons }
  /** Undoes the prices of one run. */
  | ({ readonly kind: 'undo' } & UndoneRun)
  /** Undoes a set of price changes. */
  | ({ readonly kind: 'undo_changes' } & UndoneSet)
  /** Undoes what another action changed, named by its request. */
  | { readonly kind: 'restore'; readonly undoId: string };

/** What an action did, and what its next batch needs to know. */
export interface BatchResult extends BulkActionResult {
  readonly runId: number | null;
}

/**
 * Runs an action on one batch of listings, in the caller's transaction.
 * @param runId of the batches before, where the action makes a run; null for the first
 * @throws AppError when nothing can be done at all
 */
export async function runBulkAction(
  tx: Db,
  action: BulkAction,
  ids: readonly number[],
  runId: number | null,
  editor: Editor,
  now: Instant,
): Promise<BatchResult> {
  switch (action.kind) {
    case 'apply':
      return applyPrices(tx, ids, action.despiteReasons, runId, editor, now);
    case 'undo':
      return undoPrices(tx, ids, action, runId, editor, now);
    case 'undo_changes':
      return undoChangedPrices(tx, ids, action, runId, editor, now);
    case 'edit':
      return alone(editListings(tx, ids, action.fields, editor, now));
    case 'limits':
      return alone(putPlannedLimits(tx, ids, action, editor, now));
    case 'hold':
      return alone(holdListings(tx, ids, action, editor, now));
    case 'delete':
      return alone(deleteListings(tx, ids, editor, now));
    case 'resume':
      return alone(resumeListings(tx, ids, editor, now));
    case 'uploaded':
      return alone(markUploaded(tx, ids, editor, now));
    case 'restore':
      return alone(restoreListings(tx, ids, action.undoId, editor, now));
  }
}

async function alone(result: Promise<BulkActionResult>): Promise<BatchResult> {
  return { ...(await result), runId: null };
}

/** An action as a job stores it: amounts as decimals, so that it means the same after an upgrade. */
export function storedBulkAction(action: BulkAction): Record<string, unknown> {
  if (action.kind === 'edit') return { kind: action.kind, fields: formOf(action.fields) };
  return action.kind === 'limits' ? { ...action, planned: [...action.planned] } : { ...action };
}

/**
 * Reads what {@link storedBulkAction} wrote.
 * @throws AppError conflict for limits of an earlier version, Error for anything else
 */
export function parseBulkAction(stored: unknown): BulkAction {
  if (typeof stored !== 'object' || stored === null || !('kind' in stored)) {
    throw new Error('The job carries no act on listings.');
  }
  if (stored.kind === 'limits' && !('limits' in stored)) {
    throw new AppError(
      'conflict',
      'Pricewright was updated after you confirmed these limits. Preview them again, then confirm.',
    );
  }
  // Only storeAct writes this; the fields are parsed by the contract because amounts are text.
  const action = stored as BulkAction;
  if (action.kind === 'edit') return { kind: action.kind, fields: ListingFields.parse(action.fields) };
  if (action.kind === 'limits') return { ...action, planned: new Map(action.planned) };
  // A job of an earlier version was confirmed without a question.
  const isOfPrices = action.kind === 'apply' || action.kind === 'undo' || action.kind === 'undo_changes';
  return isOfPrices ? { ...action, despiteReasons: action.despiteReasons ?? [] } : action;
}

const VERBS = {
  edit: 'Edit',
  limits: 'Set the price limits of',
  hold: 'Hold',
  delete: 'Delete',
  resume: 'Resume',
  uploaded: 'Mark as uploaded:',
  apply: 'Apply the recommended prices of',
  undo: 'Undo the price changes of',
  undo_changes: 'Undo the price changes of',
  restore: 'Undo the change of',
} as const satisfies Record<BulkAction['kind'], string>;

/** "Edit 1,204 listings" */
export function titleOf(action: BulkAction, count: number): string {
  return `${VERBS[action.kind]} ${count.toLocaleString('en-US')} listings`;
}
