import type { ChangeFilter, KeptReason, UndoPreview } from '#contract/undo-changes.ts';
import {
  type ChangedListing,
  type ListingChanges,
  type OpenPrice,
  readChangedListings,
} from '#db/queries/repricing/change-set.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Cents } from '#domain/units.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import {
  chooseChanges,
  chooseOpenPrices,
  type UndoOutcome,
  undoOutcomeOf,
  withoutQueued,
} from './change-set.ts';

/** Listings checked together. */
const BATCH_SIZE = 1_000;
/** Named of those that are restored, and as many of those that stay. */
const MAX_ROWS = 20;

/**
 * Previews undoing a set of price changes, listing by listing. Nothing changes.
 * @throws AppError validation_failed when the set has too many listings
 */
export async function previewUndo({ db, now }: ListingDeps, filter: ChangeFilter): Promise<UndoPreview> {
  const at = now();
  const set = await chooseChanges(db, filter, null, at);
  const open = await chooseOpenPrices(db, filter, null, at);
  const queued = open.filter(({ isQueued }) => isQueued);
  // A queued price would be withdrawn, so it does not prevent the undo, unless another one has been sent.
  const freed = new Set(queued.filter(({ isOnly }) => isOnly).map(({ listingId }) => listingId));
  const shop = await loadPricingContext(db, at);
  const kept = new Map<KeptReason, number>();
  const going: Row[] = [];
  const staying = new Map<KeptReason, Row[]>();
  let [goBack, up, effect] = [0, 0, 0];
  const inSet = new Set(set.listings.map(([id]) => id));
  const also = new Set<string>();
  for (let from = 0; from < set.listings.length; from += BATCH_SIZE) {
    const batch = set.listings.slice(from, from + BATCH_SIZE);
    const listings = await readChangedListings(db, batch);
    const cases = await loadPricingInputs(
      db,
      shop,
      batch.map(([id]) => id),
    );
    const byId = new Map(
      cases.map((one) => [one.listing.id, freed.has(one.listing.id) ? withoutQueued(one) : one]),
    );
    for (const listing of listings) {
      const checked = undoOutcomeOf(listing, byId.get(listing.id));
      if (checked.why === null) {
        goBack += 1;
        effect += checked.price - listing.currentPrice;
        if (checked.price > listing.currentPrice) up += 1;
        for (const mate of checked.pricingInput.mates) {
          if (!inSet.has(mate.listing.id)) also.add(mate.listing.sku);
        }
      } else kept.set(checked.why, (kept.get(checked.why) ?? 0) + 1);
      const named = checked.why === null ? going : (staying.get(checked.why) ?? []);
      if (checked.why !== null) staying.set(checked.why, named);
      if (named.length < MAX_ROWS) named.push(rowOf(listing, byId.get(listing.id), checked));
    }
  }
  return {
    changes: set.changes,
    listings: set.listings.length,
    through: set.through,
    goBack,
    up,
    down: goBack - up,
    effect: decimalFromCents(effect as Cents),
    notSent: queued.length,
    inProgress: countOtherSent(set.listings, open),
    openThrough: open.length === 0 ? null : String(Math.max(...open.map(({ intentId }) => intentId))),
    alsoChanges: [...also].sort(),
    kept: [...kept].map(([why, count]) => ({ why, listings: count })).sort((a, b) => b.listings - a.listings),
    rows: [...going, ...namedFirst(staying)],
  };
}

/** The first that stay: those whose old price is not allowed today before the others. */
function namedFirst(staying: ReadonlyMap<KeptReason, readonly Row[]>): Row[] {
  const { not_allowed: refused = [], ...others } = Object.fromEntries(staying);
  return [...refused, ...Object.values(others).flat()].slice(0, MAX_ROWS);
}

/** Number of listings outside the changes with a sent price, which cannot be stopped. */
function countOtherSent(changes: readonly ListingChanges[], open: readonly OpenPrice[]): number {
  const checked = new Set(changes.map(([id]) => id));
  const out = open.filter(({ isQueued, listingId }) => !isQueued && !checked.has(listingId));
  return new Set(out.map(({ listingId }) => listingId)).size;
}

type Row = UndoPreview['rows'][number];

function rowOf(listing: ChangedListing, pricingInput: PricingInput | undefined, checked: UndoOutcome): Row {
  const { id, marketplace, sku, title, currentPrice, oldPrice } = listing;
  const margin =
    oldPrice === null || pricingInput === undefined ? null : marginAt(oldPrice, pricingInput.facts);
  return {
    listingId: String(id),
    marketplace,
    sku,
    title,
    now: decimalFromCents(currentPrice),
    before: oldPrice === null ? null : decimalFromCents(oldPrice),
    marginBefore: margin === null ? null : decimalFromBps(margin),
    why: checked.why,
    message: checked.why === null ? null : checked.message,
  };
}
