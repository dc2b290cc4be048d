import type { Marketplace } from '#domain/marketplaces.ts';
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

/** What was sold to one buyer. */
export interface DemoSale {
  readonly listingId: number;
  readonly saleDate: Instant;
  readonly quantitySold: number;
  readonly unitPrice: Cents;
  readonly totalRevenue: Cents;
  readonly shippingRevenue: Cents;
  readonly createdAt: Instant;
}

const DAY = hours(24);
/** Sales a day at the market price, for the best sellers; most sell far less. */
const MAX_DAILY_SALES = 0.6;

/** Ninety days of sales: fewer the higher a price is above its market price, each at the price of its day. */
export function salesOf(random: SeededRandom, listing: SoldListing, from: Instant, to: Instant): DemoSale[] {
  const popularity = MAX_DAILY_SALES * random.next() ** 3;
  const sales: DemoSale[] = [];
  for (let day = from; day < to; day = (day + DAY) as Instant) {
    const price = priceAt(listing, day);
    const count = random.times(popularity * Math.min(3, (listing.marketPrice / price) ** 4));
    if (count > 0)
      sales.push(saleOf(listing, price, count, (day + Math.floor(hours(random.next() * 24))) as Instant));
  }
  return sales.filter(({ saleDate }) => saleDate <= to);
}

/** An order line as a marketplace reports it: what it earned is calculated like that of any other. */
function saleOf({ id, shippingCharge }: SoldListing, price: Cents, count: number, at: Instant): DemoSale {
  return {
    listingId: id,
    saleDate: at,
    quantitySold: count,
    unitPrice: price,
    totalRevenue: cents(price * count),
    shippingRevenue: cents(shippingCharge * count),
    createdAt: at,
  };
}

/** How a marketplace names an order and its only line. */
export interface OrderNames {
  readonly orderRef: string;
  readonly externalId: string;
}

/** The names of the sale of that number, counted from 1; none that a simulated marketplace uses. */
export function namesOfOrder(marketplace: Marketplace, number: number): OrderNames {
  const digits = (count: number, value = number): string => String(value % 10 ** count).padStart(count, '0');
  switch (marketplace) {
    case 'amazon': {
      const orderRef = `111-${digits(7, number * 7_919)}-${digits(7)}`;
      return { orderRef, externalId: `${orderRef}:${digits(13, number * 7_919)}1` };
    }
    case 'walmart':
      return { orderRef: `108${digits(10)}`, externalId: `108${digits(10)}:1` };
    case 'ebay':
      return { orderRef: `08-${digits(5)}-${digits(5, number * 7_919)}`, externalId: `100${digits(9)}` };
    case 'etsy':
      return { orderRef: `30${digits(8)}`, externalId: `41${digits(8)}` };
    case 'shopify': {
      const of = (what: string) => `gid://shopify/${what}/51${digits(8)}`;
      return { orderRef: of('Order'), externalId: of('LineItem') };
    }
    case 'michaels':
      return { orderRef: `TH${digits(8)}`, externalId: `TH${digits(8)}:1` };
  }
}

/** The price of the listing at a moment. */
export function priceAt({ prices }: SoldListing, at: Instant): Cents {
  return (prices.findLast((entry) => entry.at <= at) ?? prices[0])?.price ?? cents(1);
}
