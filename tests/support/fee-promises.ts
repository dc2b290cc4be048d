import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listings } from '#db/schema/listings.ts';
import { listingMetrics } from '#db/schema/metrics.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, type Instant } from '#domain/units.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { totalOf } from '#sandbox/world/truth/fee-truth.ts';
import type { World } from '#sandbox/world/world.ts';

/** Half amounts of a cent move the margin, and so does a tenth of a point that is promised. */
const TOLERANCE = 0.1;
/** Sales tax of the sandbox's buyers on average, in basis points. */
const AVERAGE_TAX = 703;

/** How far a true margin is from the promised one, in points, and how far it may be. */
export interface Promised {
  readonly marketplace: Marketplace;
  readonly sku: string;
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

/** The true margin at a price, before promotions, which are no lower fee. @param price without the shipping charge */
export function promisedAt(
  world: World,
  item: MarketItem,
  marketplace: Marketplace,
  { price, cost, at }: { readonly price: Cents; readonly cost: Cents; readonly at: Instant },
  { minimumMargin, parcel }: FeePromise,
): Promised {
  const revenue = price + item.shippingCharge;
  const tax = cents(Math.round((revenue * AVERAGE_TAX) / 10_000));
  const taken = world
    .market(marketplace)
    .fees.feesFor(item, { unitPrice: price, shipping: item.shippingCharge, quantity: 1, tax, at });
  const sent = item.fulfillmentType === 'FBM' ? parcel : 0;
  const margin = (revenue - totalOf(taken) - taken.waived - cost - sent) / revenue;
  return {
    marketplace,
    sku: item.sku,
    points: margin * 100 - minimumMargin / 100,
    slack: TOLERANCE + 50 / revenue,
    rounding: 50 / revenue,
  };
}

/** How far the true margins at the margin floors are from the promise, by kind of listing; null for a listing without a floor. */
export async function promisesIn(
  db: Db,
  world: World,
  at: Instant,
  promise: FeePromise,
): Promise<ReadonlyMap<string, readonly (Promised | null)[]>> {
  const rows = await db
    .select({
      marketplace: listings.marketplace,
      sku: listings.sku,
      floor: listingMetrics.marginFloor,
      cost: listingMetrics.productCost,
    })
    .from(listings)
    .leftJoin(listingMetrics, eq(listingMetrics.listingId, listings.id));
  const groups = new Map<string, (Promised | null)[]>();
  for (const { marketplace, sku, floor, cost } of rows) {
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
    group.push(
      floor === null || cost === null
        ? null
        : promisedAt(world, item, marketplace, { price: floor, cost, at }, promise),
    );
  }
  return new Map([...groups].sort(([a], [b]) => a.localeCompare(b)));
}

/** One line per kind of listing: how many floors keep the promise, are below and above it. */
export function promiseTable(groups: ReadonlyMap<string, readonly (Promised | null)[]>): string[] {
  const row = (name: string, cells: readonly string[]) =>
    name.padEnd(34) + cells.map((cell) => cell.padStart(10)).join('');
  const lines = [row('', ['listings', 'no floor', 'kept', 'below', 'above', 'worst', 'median'])];
  for (const [name, offs] of groups) {
    const known = offs.flatMap((one) => one ?? []);
    const points = known.map(({ points: off }) => off).sort((a, b) => a - b);
    const count = (fits: (one: Promised) => boolean) => String(known.filter(fits).length);
    lines.push(
      row(name, [
        String(offs.length),
        String(offs.length - known.length),
        count(({ points: off, slack }) => Math.abs(off) <= slack),
        count(({ points: off, slack }) => off < -slack),
        count(({ points: off, slack }) => off > slack),
        (points[0] ?? 0).toFixed(2),
        (points[points.length >> 1] ?? 0).toFixed(2),
      ]),
    );
  }
  return lines;
}
