import type { ChangeFilter, KeptReason, UndoPreview } from '#contract/undo-changes.ts';
import { type ChangedListing, readChangedListings } from '#db/queries/change-set.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Cents } from '#domain/units.ts';
import { loadCases, type PricingCase } from '#usecases/pricing/load-cases.ts';
import { marginAt } from '#usecases/pricing/metrics-of.ts';
import { loadShop } from '#usecases/pricing/shop.ts';
import type { ActDeps } from './act-deps.ts';
import { chooseChanges, type Judged, judgeChanged } from './change-set.ts';

/** Listings that are judged together. */
const BATCH = 1_000;
const ROWS = 20;

/**
 * What taking a set of price changes back would do now, listing by listing. Nothing changes.
 * @throws AppError validation_failed when the set is of too many listings
 */
export async function previewUndo({ db, now }: ActDeps, filter: ChangeFilter): Promise<UndoPreview> {
  const at = now();
  const set = await chooseChanges(db, filter, null, at);
  const shop = await loadShop(db, at);
  const kept = new Map<KeptReason, number>();
  const [going, staying]: [Row[], Row[]] = [[], []];
  let [goBack, up, effect] = [0, 0, 0];
  for (let from = 0; from < set.listings.length; from += BATCH) {
    const batch = set.listings.slice(from, from + BATCH);
    const listings = await readChangedListings(db, batch);
    const cases = await loadCases(
      db,
      shop,
      batch.map(([id]) => id),
    );
    const byId = new Map(cases.map((one) => [one.listing.id, one]));
    for (const listing of listings) {
      const judged = judgeChanged(listing, byId.get(listing.id));
      if (judged.why === null) {
        goBack += 1;
        effect += judged.price - listing.currentPrice;
        if (judged.price > listing.currentPrice) up += 1;
      } else kept.set(judged.why, (kept.get(judged.why) ?? 0) + 1);
      const named = judged.why === null ? going : staying;
      if (named.length < ROWS) named.push(rowOf(listing, byId.get(listing.id), judged));
    }
  }
  return {
    ...{ changes: set.changes, listings: set.listings.length, through: set.through, goBack, up },
    down: goBack - up,
    effect: decimalFromCents(effect as Cents),
    kept: [...kept].map(([why, count]) => ({ why, listings: count })).sort((a, b) => b.listings - a.listings),
    rows: [...going, ...staying].slice(0, ROWS),
  };
}

type Row = UndoPreview['rows'][number];

function rowOf(listing: ChangedListing, pricingCase: PricingCase | undefined, judged: Judged): Row {
  const { id, marketplace, sku, title, currentPrice, oldPrice } = listing;
  const margin =
    oldPrice === null || pricingCase === undefined ? null : marginAt(oldPrice, pricingCase.facts);
  return {
    ...{ listingId: String(id), marketplace, sku, title },
    now: decimalFromCents(currentPrice),
    before: oldPrice === null ? null : decimalFromCents(oldPrice),
    marginBefore: margin === null ? null : decimalFromBps(margin),
    why: judged.why,
    message: judged.why === null ? null : judged.message,
  };
}
