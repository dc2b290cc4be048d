import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, type Instant } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { FULFILLMENT_KEYWORDS, MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { TableFormat } from './table.ts';

export type OfferColumn =
  | 'marketplace'
  | 'sku'
  | 'seller'
  | 'price'
  | 'shipping'
  | 'fulfillmentType'
  | 'isFeatured'
  | 'seenAt'
  | 'rating'
  | 'ratingCount'
  | 'handlingDays';

/** The offers file. */
export const OFFER_FORMAT: TableFormat<OfferColumn> = {
  columns: {
    marketplace: 'required',
    sku: 'required',
    seller: 'required',
    price: 'required',
    shipping: 'required',
    fulfillmentType: 'required',
    isFeatured: 'required',
    seenAt: 'required',
    rating: 'optional',
    ratingCount: 'optional',
    handlingDays: 'optional',
  },
};

/** What an offer row says, its SKU and seller aside. */
export interface OfferRow {
  readonly marketplace: Marketplace | null;
  /** Null in a row that cannot be used, and in one without a seller that says that there was no offer at `seenAt`. */
  readonly price: Cents | null;
  /** A blank cell is 0.00: delivered free. */
  readonly shipping: Cents;
  readonly fulfillmentType: FulfillmentType | null;
  readonly isFeatured: boolean;
  /** Null when the source does not say; such an offer does not count. */
  readonly seenAt: Instant | null;
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  readonly handlingDays: number | null;
}

const FREE = cents(0);
const PRICE_FIX =
  'Write the price of the offer, such as 19.99. Without an offer, leave seller and price empty and enter seenAt.';

/** Reads the current row of `cells`. Use it only when `cells.bad` stays empty. */
export function readOffer(cells: Cells<OfferColumn>): OfferRow {
  const price = cells.price('price');
  const seenAt = cells.moment('seenAt');
  const saysNone = price === null && seenAt !== null && cells.text('seller') === null;
  return {
    marketplace: cells.required(
      'marketplace',
      cells.word('marketplace', MARKETPLACE_KEYWORDS),
      MARKETPLACE_KEYWORDS.fix,
    ),
    price: saysNone ? null : cells.required('price', price, PRICE_FIX),
    shipping: cells.charge('shipping') ?? FREE,
    fulfillmentType: cells.word('fulfillmentType', FULFILLMENT_KEYWORDS),
    isFeatured: cells.flag('isFeatured') ?? false,
    seenAt,
    rating: cells.percent('rating'),
    ratingCount: cells.count('ratingCount'),
    handlingDays: cells.count('handlingDays'),
  };
}
