import type { Db } from '#db/client.ts';
import { readDatedListingCosts, readDatedSkuCosts, readDatedTiers } from '#db/queries/catalog/due-sales.ts';
import { findListingsOfCost, pageOfSales, type SalesOf } from '#db/queries/catalog/sku-costs.ts';
import type { TierInput } from '#db/queries/catalog/tiers.ts';
import type { TierRange } from '#domain/costs/cost.ts';
import { tiersOverlap } from '#domain/costs/listing-cost.ts';
import { groupBy } from '#domain/group-by.ts';
import {
  type DatedListingCosts,
  type DatedSkuCosts,
  type ListingCostChange,
  listingCostsAt,
  type SkuCostChange,
  skuCostsAt,
  withCostsSince,
  withListingCostsSince,
} from '#domain/sales/dated-costs.ts';
import { type Instant, instant, ounces } from '#domain/units.ts';
import { calculateOrders, loadOrders } from './calculate-orders.ts';
import { type AssumedCosts, loadSaleFacts } from './sale-facts.ts';

const BATCH = 1_000;
/** More sales are not counted: the preview answers while the user types. */
const MAX_SALES = 20_000;
const EVER = instant(0);

/** From when edited costs would apply, and the time of the edit. */
interface EditTimes {
  readonly since: Instant;
  readonly now: Instant;
}

/** Sales so far whose profit changes, and by how much in total. A profit that becomes known counts as a change from 0.00. */
interface SalesEffect {
  readonly changed: number;
  /** Decimal dollars. */
  readonly profitChange: string;
  /** Only the newest 20,000 sales are counted. */
  readonly isMore: boolean;
}

/** Previews what edited costs of a SKU change on sales so far. Writes nothing. */
export async function skuCostEffect(
  db: Db,
  sku: string,
  change: SkuCostChange,
  { since, now }: EditTimes,
): Promise<SalesEffect> {
  const stored = await readDatedSkuCosts(db, [sku]);
  const edited = withCostsSince(stored, change, since, now);
  return effectOnSales(
    db,
    { listingIds: await findListingsOfCost(db, sku) },
    { skus: new Map([[sku, edited]]) },
    isFirstOfSku(stored, edited) ? EVER : since,
  );
}

/** Previews what edited costs of a listing, and of its SKU, change on sales so far. Writes nothing. */
export async function listingCostEffect(
  db: Db,
  listingId: number,
  change: ListingCostChange,
  ofSku: { readonly sku: string; readonly change: SkuCostChange },
  { since, now }: EditTimes,
): Promise<SalesEffect> {
  const stored = await readDatedListingCosts(db, [listingId]);
  const edited = withListingCostsSince(stored, change, since, now);
  const skuStored = await readDatedSkuCosts(db, [ofSku.sku]);
  const skuEdited = withCostsSince(skuStored, ofSku.change, since, now);
  const isShared = Object.keys(ofSku.change).length > 0;
  const isFirst = isFirstOfListing(stored, edited) || isFirstOfSku(skuStored, skuEdited);
  return effectOnSales(
    db,
    { listingIds: isShared ? await findListingsOfCost(db, ofSku.sku) : [listingId] },
    { listings: new Map([[listingId, edited]]), skus: new Map([[ofSku.sku, skuEdited]]) },
    isFirst ? EVER : since,
  );
}

/** Previews what the same edited costs of many listings change on sales so far. Writes nothing. */
export async function listingsCostEffect(
  db: Db,
  listingIds: readonly number[],
  change: ListingCostChange,
  { since, now }: EditTimes,
): Promise<SalesEffect> {
  const stored = groupBy(await readDatedListingCosts(db, listingIds), ({ listingId }) => listingId);
  const edited = new Map(
    [...stored].map(([id, rows]) => [id, withListingCostsSince(rows, change, since, now)]),
  );
  const isFirst = [...stored].some(([id, rows]) => isFirstOfListing(rows, edited.get(id) ?? rows));
  return effectOnSales(db, { listingIds }, { listings: edited }, isFirst ? EVER : since);
}

/**
 * Previews what new shipping tiers, or one in place of the tier with this ID, change on sales so far. Writes nothing. As
 * the database dates them: the first tier for a weight applies since ever.
 */
export async function tierEffect(
  db: Db,
  replacedId: number | null,
  tiers: readonly TierInput[],
  { since, now }: EditTimes,
): Promise<SalesEffect> {
  const stored = await readDatedTiers(db);
  const others = stored.filter(({ id, effectiveUntil }) => effectiveUntil !== null || id !== replacedId);
  const replaced = stored
    .filter((tier) => !others.includes(tier))
    .map((tier) => ({ ...tier, effectiveUntil: now }));
  const past = [...replaced, ...others.filter(({ effectiveUntil }) => effectiveUntil !== null)];
  const edited = tiers.map(({ minWeightOz, maxWeightOz, ...tier }) => {
    // In single precision, as the database compares.
    const range = {
      ...tier,
      minWeight: ounces(Math.fround(minWeightOz)),
      maxWeight: ounces(Math.fround(maxWeightOz)),
    };
    const isFirst = !past.some((other) => tiersOverlap(other, range));
    return { ...range, effectiveFrom: isFirst ? null : since, effectiveUntil: null };
  });
  // Another tier for the weights of one changes sales since its day; one for other weights may be their first.
  const isForSameWeights = edited.every((tier) => replaced.some((other) => isWithin(tier, other)));
  return effectOnSales(
    db,
    { marketplaces: [...new Set([...edited, ...replaced].map(({ marketplace }) => marketplace))] },
    { tiers: [...edited, ...others.filter(({ effectiveUntil }) => effectiveUntil === null), ...past] },
    isForSameWeights ? since : EVER,
  );
}

function isWithin(tier: TierRange, other: TierRange): boolean {
  return tiersOverlap(tier, other) && tier.minWeight >= other.minWeight && tier.maxWeight <= other.maxWeight;
}

async function effectOnSales(
  db: Db,
  of: SalesOf,
  assumed: AssumedCosts,
  from: Instant,
): Promise<SalesEffect> {
  const counted = new Set<number>();
  let changed = 0;
  let difference = 0;
  let last: number | null = null;
  for (let read = 0; read < MAX_SALES; read += BATCH) {
    const sales = await pageOfSales(db, of, from, last, BATCH);
    const loaded = await loadOrders(
      db,
      sales.filter(({ id }) => !counted.has(id)),
    );
    const before = calculateOrders(loaded, await loadSaleFacts(db, loaded.listingIds));
    const after = calculateOrders(loaded, await loadSaleFacts(db, loaded.listingIds, assumed));
    for (const [index, { figures }] of before.entries()) {
      counted.add(figures.id);
      const [old, fresh] = [figures.profit, after[index]?.figures.profit ?? null];
      if (old === fresh) continue;
      changed += 1;
      difference += (fresh ?? 0) - (old ?? 0);
    }
    last = sales.at(-1)?.id ?? last;
    if (sales.length < BATCH) return { changed, profitChange: dollars(difference), isMore: false };
  }
  return { changed, profitChange: dollars(difference), isMore: true };
}

/** What becomes known for the first time applies since ever. */
function isFirstOfSku(stored: readonly DatedSkuCosts[], edited: readonly DatedSkuCosts[]): boolean {
  return JSON.stringify(skuCostsAt('', stored, EVER)) !== JSON.stringify(skuCostsAt('', edited, EVER));
}

function isFirstOfListing(
  stored: readonly DatedListingCosts[],
  edited: readonly DatedListingCosts[],
): boolean {
  return JSON.stringify(listingCostsAt(stored, EVER)) !== JSON.stringify(listingCostsAt(edited, EVER));
}

/** A sum may exceed the range of an amount. */
function dollars(cents: number): string {
  const text = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}
