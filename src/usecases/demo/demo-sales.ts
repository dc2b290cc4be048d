import type { SaleInsert } from '#db/queries/plant.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A listing as the shoppers of the sample shop see it. */
export interface SoldListing {
  readonly id: number;
  /** What it cost at each moment, the oldest first. */
  readonly prices: readonly { readonly at: Instant; readonly price: Cents }[];
  readonly marketPrice: Cents;
  readonly totalCost: Cents | null;
}

const DAY = hours(24);
/** Sales a day at the market price, for the best sellers; most sell far less. */
const BEST = 1.2;

/** Ninety days of sales: fewer the dearer a listing is against its market, each at the price of its day. */
export function salesOf(
  random: SeededRandom,
  listing: SoldListing,
  from: Instant,
  to: Instant,
): SaleInsert[] {
  const popularity = BEST * random.next() ** 3;
  const sales: SaleInsert[] = [];
  for (let day = from; day < to; day = (day + DAY) as Instant) {
    const price = priceAt(listing, day);
    const count = random.times(popularity * Math.min(3, (listing.marketPrice / price) ** 4));
    if (count > 0) sales.push(saleOf(listing, price, count, (day + hours(random.next() * 24)) as Instant));
  }
  return sales.filter(({ saleDate }) => saleDate <= to);
}

function saleOf({ id, totalCost }: SoldListing, price: Cents, count: number, at: Instant): SaleInsert {
  const revenue = cents(price * count);
  return {
    ...{ listingId: id, saleDate: at, quantitySold: count, unitPrice: price, totalRevenue: revenue },
    externalId: `demo-${at}`,
    unitCost: totalCost,
    totalCost: totalCost === null ? null : cents(totalCost * count),
    createdAt: at,
  };
}

function priceAt({ prices }: SoldListing, at: Instant): Cents {
  return (prices.findLast((entry) => entry.at <= at) ?? prices[0])?.price ?? cents(1);
}
