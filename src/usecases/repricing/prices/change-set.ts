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
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { daySpan } from '#usecases/catalog/analytics/day-starts.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { judgePersonsPrice } from './manual-price.ts';

/** More than that is looked at in parts. */
const MOST_LISTINGS = 20_000;

/**
 * The set of price changes that somebody wants to take back.
 * @param through of the preview; null takes what there is
 * @throws AppError validation_failed when it is of too many listings
 */
export async function chooseChanges(
  db: Db,
  filter: ChangeFilter,
  through: string | null,
  now: Instant,
): Promise<ChangeSet> {
  const set = await readChangeSet(db, storedFilter(filter), through, MOST_LISTINGS, now);
  if (set.listings.length <= MOST_LISTINGS) return set;
  throw new AppError(
    'validation_failed',
    'The selection covers more than 20,000 listings. Choose fewer days, a marketplace or a rule.',
  );
}

/**
 * The prices of the set that buyers do not see yet.
 * @param through of the preview; null takes what there is
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

/** What becomes of a listing of the set: the price it goes back to with the limit it was held against, or why it stays. */
export type Judged =
  | { readonly why: null; readonly price: Cents; readonly floor: Cents; readonly pricingCase: PricingInput }
  | { readonly why: KeptReason; readonly message: string };

/** A case as it is once the price that waits to be sent is withdrawn. */
export function withoutQueued(pricingCase: PricingInput): PricingInput {
  return { ...pricingCase, listing: { ...pricingCase.listing, pendingPrice: null } };
}

/** Judges a listing by its facts as they are now. */
export function judgeChanged(listing: ChangedListing, pricingCase: PricingInput | undefined): Judged {
  const { oldPrice, sku, currentPrice, isLatest, isDeleted } = listing;
  const stays = (why: KeptReason, message: string): Judged => ({ why, message });
  if (isDeleted || pricingCase === undefined) return stays('deleted', 'This listing was deleted.');
  if (oldPrice === null)
    return stays('first_price', `This is the first price of ${sku}: there is no earlier price.`);
  if (!isLatest) return stays('changed_since', 'The price has changed since then.');
  if (pricingCase.listing.pendingPrice !== null) {
    return stays('on_its_way', 'A price is on its way to the marketplace. Undo it after it is confirmed.');
  }
  const { floor, message } = judgePersonsPrice(pricingCase, oldPrice);
  if (floor !== null) return { why: null, price: oldPrice, floor, pricingCase };
  return stays(oldPrice === currentPrice ? 'already_there' : 'not_allowed', message);
}
