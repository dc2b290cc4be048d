import type { Db } from '#db/client.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import { readLeft, withdrawIntents } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { type ListingChanges, readChangedListings } from '#db/queries/repricing/change-set.ts';
import type { Instant } from '#domain/units.ts';
import type { Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import type { Editor } from '#usecases/editor.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { undoOutcomeOf } from './change-set.ts';
import { type ConfirmedReasons, reasonsOfBatch } from './confirmed-reasons.ts';
import { type ManualPriceMove, manualMoves } from './manual-price.ts';
import { goPastHalt } from './priced-listing.ts';
import {
  oncePerListing,
  PRICE_IN_PROGRESS,
  recordUndone,
  stoppedBy,
  type UndoneBatch,
  withMates,
} from './undo-prices-of-run.ts';

const CONFIRMED_MESSAGE = 'The new price is confirmed now. Review the changes again to undo it.';

/** A set of price changes as stored in a job, with its description. */
export interface UndoneSet {
  readonly what: string;
  readonly changes: readonly ListingChanges[];
  /** Prices of the set that buyers did not see yet. */
  readonly open: readonly (readonly [listingId: number, intentId: number])[];
  /** The halt despite which it was confirmed; null for none. */
  readonly pastHalt: Instant | null;
  /** Reasons not to change prices, in spite of which it was confirmed. */
  readonly despiteReasons: ConfirmedReasons;
}

/**
 * Undoes the changes of a set for a batch of listings, in one transaction. Queued prices are withdrawn. A listing is
 * skipped and reported when its price has changed again, its old price is not allowed now, or a price is in progress.
 * @param runId the run of the batches before; null for the first
 * @throws AppError halted during a halt that was not confirmed
 */
export async function undoChangedPrices(
  tx: Db,
  ids: readonly number[],
  { what, changes, open, pastHalt: confirmed, despiteReasons }: UndoneSet,
  runId: number | null,
  editor: Editor,
  now: Instant,
): Promise<UndoneBatch> {
  await lockListings(tx, ids);
  const pastHalt = await goPastHalt(tx, confirmed);
  const context = await loadPricingContext(tx, now);
  const wanted = new Set(ids);
  const intents = open.filter(([id]) => wanted.has(id)).map(([, intent]) => intent);
  const withdrawn = await withdrawIntents(tx, intents, now);
  const listings = await readChangedListings(
    tx,
    changes.filter(([id]) => wanted.has(id)),
  );
  const cases = new Map((await loadPricingInputs(tx, context, ids)).map((one) => [one.listing.id, one]));
  const reason = `Reverted to the price before ${what} by ${editor.name}.`;
  const undone: ManualPriceMove[] = [];
  const checkedIds = new Set(listings.map(({ id }) => id));
  const refusals: Refusal[] = (await readLeft(tx, intents))
    .filter(({ id }) => !checkedIds.has(id))
    .map(({ id, sku, isSeen }) => ({
      listingId: id,
      sku,
      message: isSeen ? CONFIRMED_MESSAGE : PRICE_IN_PROGRESS,
    }));
  const reasons = await reasonsOfBatch(tx, withMates(cases.values()), despiteReasons, now);
  for (const listing of listings) {
    const outcome = undoOutcomeOf(listing, cases.get(listing.id));
    if (outcome.why !== null) {
      refusals.push({ listingId: listing.id, sku: listing.sku, message: outcome.message });
      continue;
    }
    const { pricingInput, price, floor } = outcome;
    const moves = manualMoves(pricingInput, price, floor, reason);
    const stopped = stoppedBy(moves, reasons.stopped);
    if (stopped === null) undone.push(...moves);
    else refusals.push({ listingId: listing.id, sku: listing.sku, message: stopped });
  }
  const { taken, refused } = oncePerListing(undone, refusals);
  const work = {
    taken,
    withdrawn,
    withdrawnListings: withdrawn.flatMap(({ id }) => cases.get(id)?.listing ?? []),
    refused,
    undoesRunId: null,
    runId,
    pastHalt,
    despiteReasons,
    passed: reasons.passed,
  };
  return recordUndone(tx, work, editor, now);
}
