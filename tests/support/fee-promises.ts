import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readSalesTax } from '#db/queries/repricing/pricing-context.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { ASSUMED_SALES_TAX } from '#domain/fees/compose-fees.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, type Instant, WHOLE } from '#domain/units.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { totalOf } from '#sandbox/world/truth/fee-truth.ts';
import type { World } from '#sandbox/world/world.ts';

/** Half amounts of a cent move the margin, and so does a tenth of a point that is promised. */
const TOLERANCE = 0.1;
/** Sales tax of the sandbox's buyers on average. */
const AVERAGE_TAX = 703 as Bps;

/** How far a true margin is from the promised one, in points, and how far it may be. */
export interface Promised {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly price: Cents;
  readonly points: number;
  readonly slack: number;
  /** The part of `slack` that half a cent of the revenue is. */
  readonly rounding: number;
}

/** What a store promises, and what its parcels cost. */
export interface FeePromise {
  readonly minimumMargin: Bps;
  /** Of FBM; an FBA or WFS parcel is in the marketplace's fee. */
  readonly parcel: Cents;
}

/** A price with what its unit costs. */
interface PricedUnit {
  /** Without the shipping charge. */
  readonly price: Cents;
  readonly cost: Cents;
  readonly at: Instant;
  /** Some marketplaces take their share of it too; absent: that of an average buyer. */
  readonly salesTax?: Bps;
}

/** The true margin at a price, before promotions, which are no lower fee. */
export function promisedAt(
  world: World,
  item: MarketItem,
  marketplace: Marketplace,
  { price, cost, at, salesTax = AVERAGE_TAX }: PricedUnit,
  { minimumMargin, parcel }: FeePromise,
): Promised {
  const revenue = price + item.shippingCharge;
  const tax = cents(Math.round((revenue * salesTax) / WHOLE));
  const taken = world
    .market(marketplace)
    .fees.feesFor(item, { unitPrice: price, shipping: item.shippingCharge, quantity: 1, tax, at });
  const sent = item.fulfillmentType === 'FBM' ? parcel : 0;
  const margin = (revenue - totalOf(taken) - taken.waived - cost - sent) / revenue;
  return {
    marketplace,
    sku: item.sku,
    price,
    points: margin * 100 - minimumMargin / 100,
    slack: TOLERANCE + 50 / revenue,
    rounding: 50 / revenue,
  };
}

/** A listing's margin floor against the promise. */
export interface PromisedFloor extends Promised {
  /** The marketplace reported a fee of the listing, which is used. */
  readonly isReported: boolean;
  /**
   * The floor leaves what is promised, of a buyer with the sales tax that the store counts, which is assumed until orders show
   * it; or no lower price does: where the fee falls at the end of a band, none may leave just that.
   */
  readonly isKept: boolean;
}

/** A listing with a cost, and without a margin floor: no price of it is allowed. */
export interface MissingFloor {
  readonly sku: string;
  readonly isMissing: true;
  /** The marketplace's list lacks it. */
  readonly isUnlisted: boolean;
  /** Why nothing was decided, or what. */
  readonly reason: string | null;
}

/** Null for a listing without a cost. */
export type Floor = PromisedFloor | MissingFloor | null;

/** Those with a margin floor. */
export function knownFloors(floors: readonly Floor[]): readonly PromisedFloor[] {
  return floors.flatMap((one) => (one === null || 'isMissing' in one ? [] : [one]));
}

/**
 * Listings with a cost and without a floor, by kind of listing. One that is in no list has none until it is listed again, which
 * is right for one that sold out and a mistake for every other.
 * @param soldOut SKUs that the marketplace's list lacked for that when it was last read
 */
export function withoutFloor(
  groups: ReadonlyMap<string, readonly Floor[]>,
  soldOut: ReadonlySet<string>,
): string[] {
  return [...groups].flatMap(([name, each]) =>
    each.flatMap((one) => {
      if (one === null || !('isMissing' in one)) return [];
      return one.isUnlisted && soldOut.has(one.sku) ? [] : [`${name}: ${one.sku} ${one.reason}`];
    }),
  );
}

/** How far the true margins at the margin floors are from the promise, by kind of listing. */
export async function promisesIn(
  db: Db,
  world: World,
  at: Instant,
  promise: FeePromise,
): Promise<ReadonlyMap<string, readonly Floor[]>> {
  const rows = await db
    .select({
      marketplace: listings.marketplace,
      sku: listings.sku,
      floor: listingMetrics.marginFloor,
      cost: listingMetrics.productCost,
      reason: listingMetrics.reasonCode,
      missingSince: listings.missingSince,
      isReported: sql<boolean>`EXISTS (SELECT FROM fee_facts f WHERE f.listing_id = ${listings.id} AND f.refused_because IS NULL)`,
    })
    .from(listings)
    .leftJoin(listingMetrics, eq(listingMetrics.listingId, listings.id));
  const salesTaxes = await readSalesTax(db);
  const groups = new Map<string, Floor[]>();
  for (const { marketplace, sku, floor, cost, reason, missingSince, isReported } of rows) {
    const market = world.market(marketplace);
    const item = market.item(sku);
    if (item === null) throw new Error(`${marketplace} does not know ${sku}.`);
    const suggested = market.fees.suggestedFor(item.category);
    // Its rates may have changed; its name stays.
    const isPlaced = market.fees.categoryOf(item, at).name === suggested.name;
    const isSecret = suggested.name.startsWith('Special');
    const kind = isPlaced ? (isSecret ? 'secret' : 'published') : 'other category';
    const name = `${marketplace} ${item.fulfillmentType}, ${kind}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    if (cost === null) group.push(null);
    else if (floor === null) group.push({ sku, isMissing: true, isUnlisted: missingSince !== null, reason });
    else {
      const salesTax = salesTaxes[marketplace] ?? ASSUMED_SALES_TAX;
      const counted = (price: Cents) =>
        promisedAt(world, item, marketplace, { price, cost, at, salesTax }, promise);
      const unit = { price: floor, cost, at };
      group.push({
        ...promisedAt(world, item, marketplace, unit, promise),
        isReported,
        isKept: isKept(counted(floor), cost, (price) => counted(price).points),
      });
    }
  }
  return new Map([...groups].sort(([a], [b]) => a.localeCompare(b)));
}

/** @param pointsAt how far the margin at a price is from the promised one */
function isKept(
  { points, slack, price }: Promised,
  cost: Cents,
  pointsAt: (price: Cents) => number,
): boolean {
  if (points <= slack) return points >= -slack;
  // A reported cent and a whole cent of the price, and 0.1 points.
  const near = price - 2 - price / 1_000;
  for (let lower = cost; lower < near; lower = cents(lower + 1)) if (pointsAt(lower) >= 0) return false;
  return true;
}

/** One line per kind of listing: how many floors keep the promise, are below and above it. */
export function promiseTable(groups: ReadonlyMap<string, readonly Floor[]>): string[] {
  const row = (name: string, cells: readonly string[]) =>
    name.padEnd(34) + cells.map((cell) => cell.padStart(10)).join('');
  const lines = [row('', ['listings', 'no cost', 'no floor', 'kept', 'below', 'above', 'worst', 'median'])];
  for (const [name, floors] of groups) {
    const known = knownFloors(floors);
    const points = known.map(({ points: off }) => off).sort((a, b) => a - b);
    const count = (fits: (one: PromisedFloor) => boolean) => String(known.filter(fits).length);
    const withoutCost = floors.filter((one) => one === null).length;
    lines.push(
      row(name, [
        ...[floors.length, withoutCost, floors.length - withoutCost - known.length].map(String),
        count(({ isKept: holds }) => holds),
        count(({ points: off, slack }) => off < -slack),
        count(({ isKept: holds, points: off }) => !holds && off > 0),
        (points[0] ?? 0).toFixed(2),
        (points[points.length >> 1] ?? 0).toFixed(2),
      ]),
    );
  }
  return lines;
}
