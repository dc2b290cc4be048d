import type { ChangeFilter, KeptReason } from '#contract/undo-changes.ts';
import type { Db } from '#db/client.ts';
import {
  type ChangedListing,
  type ChangeSet,
  type OpenPrice,
  readChangeSet,
  readOpenPrices,
} from '#db/queries/repricing/change-set.ts';
import type { HistoryFilter } from '#db/queries/repricing/history-filter.ts';
import { daySpan } from '#domain/time/day-span.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { validateManualPrice } from './manual-price.ts';

/** Largest set that can be undone at once. */
const MAX_LISTINGS = 20_000;

/**
 * The set of price changes to undo.
 * @param through last change of the preview; null for all current ones
 * @throws AppError validation_failed when it has too many listings
 */
export async function chooseChanges(
  db: Db,
  filter: ChangeFilter,
  through: string | null,
  now: Instant,
): Promise<ChangeSet> {
  const set = await readChangeSet(db, storedFilter(filter), through, MAX_LISTINGS, now);
  if (set.listings.length <= MAX_LISTINGS) return set;
  throw new AppError(
    'validation_failed',
    'The selection covers more than 20,000 listings. Choose fewer days, a marketplace or a rule.',
  );
}

/**
 * The prices of the set that buyers do not see yet.
 * @param through last change of the preview; null for all current ones
 */
export function chooseOpenPrices(
  db: Db,
  filter: ChangeFilter,
  through: string | null,
  now: Instant,
): Promise<OpenPrice[]> {
  return readOpenPrices(db, storedFilter(filter), through, now);
}

function storedFilter({ from, to, zone, since, until, ofRuns, ...filter }: ChangeFilter): HistoryFilter {
  const days = daySpan({ from, to }, zone);
  return {
    ...filter,
    since: latest(days.since, since),
    until: earliest(days.until, until),
    isOfRuns: ofRuns === 'true',
  };
}

function latest(day: Instant | undefined, moment: string | undefined): Instant | undefined {
  if (moment === undefined) return day;
  return instant(Math.max(day ?? Number.NEGATIVE_INFINITY, Date.parse(moment)));
}

function earliest(day: Instant | undefined, moment: string | undefined): Instant | undefined {
  if (moment === undefined) return day;
  return instant(Math.min(day ?? Number.POSITIVE_INFINITY, Date.parse(moment)));
}

/** Result for a listing of the set: the price to restore with the margin floor it was checked against, or why it stays. */
export type UndoOutcome =
  | { readonly why: null; readonly price: Cents; readonly floor: Cents; readonly pricingInput: PricingInput }
  | { readonly why: KeptReason; readonly message: string };

/** Input as it is after the queued price is withdrawn. */
export function withoutQueued(pricingInput: PricingInput): PricingInput {
  return { ...pricingInput, listing: { ...pricingInput.listing, pendingPrice: null } };
}

/** Checks a listing by its current facts. */
export function undoOutcomeOf(listing: ChangedListing, pricingInput: PricingInput | undefined): UndoOutcome {
  const { oldPrice, sku, currentPrice, isLatest, isDeleted } = listing;
  const stays = (why: KeptReason, message: string): UndoOutcome => ({ why, message });
  if (isDeleted || pricingInput === undefined) return stays('deleted', 'This listing was deleted.');
  if (oldPrice === null)
    return stays('first_price', `This is the first price of ${sku}: there is no earlier price.`);
  if (!isLatest) return stays('changed_since', 'The price has changed since then.');
  if (pricingInput.listing.pendingPrice !== null) {
    return stays('on_its_way', 'A price is on its way to the marketplace. Undo it after it is confirmed.');
  }
  const { floor, message } = validateManualPrice(pricingInput, oldPrice);
  if (floor !== null) return { why: null, price: oldPrice, floor, pricingInput };
  return stays(oldPrice === currentPrice ? 'already_there' : 'not_allowed', message);
}
