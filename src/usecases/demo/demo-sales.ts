import type { SaleInsert } from '#db/queries/demo/seed.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A listing as the buyers of the sample store see it. */
export interface SoldListing {
  readonly id: number;
  /** Its prices over time, oldest first. */
  readonly prices: readonly { readonly at: Instant; readonly price: Cents }[];
  readonly marketPrice: Cents;
  /** What buyers pay for the shipping of a unit. */
  readonly shippingCharge: Cents;
}

const DAY = hours(24);
/** Sales a day at the market price, for the best sellers; most sell far less. */
const MAX_DAILY_SALES = 1.2;

/** Ninety days of sales: fewer the higher a price is above its market price, each at the price of its day. */
export function salesOf(
  random: SeededRandom,
  listing: SoldListing,
  from: Instant,
  to: Instant,
): SaleInsert[] {
  const popularity = MAX_DAILY_SALES * random.next() ** 3;
  const sales: SaleInsert[] = [];
  for (let day = from; day < to; day = (day + DAY) as Instant) {
    const price = priceAt(listing, day);
    const count = random.times(popularity * Math.min(3, (listing.marketPrice / price) ** 4));
    if (count > 0) sales.push(saleOf(listing, price, count, (day + hours(random.next() * 24)) as Instant));
  }
  return sales.filter(({ saleDate }) => saleDate <= to);
}

/** An order line as a marketplace tells it: what it earned is calculated like that of any other. */
function saleOf({ id, shippingCharge }: SoldListing, price: Cents, count: number, at: Instant): SaleInsert {
  return {
    listingId: id,
    saleDate: at,
    quantitySold: count,
    unitPrice: price,
    totalRevenue: cents(price * count),
    shippingRevenue: cents(shippingCharge * count),
    externalId: `demo-${at}`,
    createdAt: at,
  };
}

/** The price of the listing at a moment. */
export function priceAt({ prices }: SoldListing, at: Instant): Cents {
  return (prices.findLast((entry) => entry.at <= at) ?? prices[0])?.price ?? cents(1);
}
