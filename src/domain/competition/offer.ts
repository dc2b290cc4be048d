import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';

/** A normalized seller name, trimmed and case-folded: all spellings of a seller share one key. */
export type SellerKey = string & { readonly __key: 'seller' };

/**
 * Normalizes a seller name.
 * @returns null for a blank name, which is an unknown seller and never us
 */
export function sellerKey(name: string | null | undefined): SellerKey | null {
  // Upper, then lower case makes "Straße" and "STRASSE" equal; NFKC does the same for composed and decomposed accents.
  const key = name?.normalize('NFKC').trim().toUpperCase().toLowerCase();
  return key ? (key as SellerKey) : null;
}

/** Whether a seller in a file is the marketplace itself, such as "Amazon" or "Amazon.com". */
export function isMarketplaceItself(seller: SellerKey | null, marketplace: Marketplace): boolean {
  if (marketplace !== 'amazon' && marketplace !== 'walmart') return false;
  return seller === marketplace || seller === `${marketplace}.com`;
}

/** One seller's offer for the item of a listing, from a sync or a file. */
export interface Offer {
  /** The seller's name as the source wrote it, for display; null if unknown. */
  readonly sellerName: string | null;
  /** {@link sellerKey} of that name. */
  readonly seller: SellerKey | null;
  /** The marketplace's own retail offer ("Amazon", "Walmart"), not a third party's. */
  readonly isMarketplace: boolean;
  /** The item's price without shipping. */
  readonly price: Cents;
  /** What the buyer pays for shipping in addition; 0 for free shipping. */
  readonly shipping: Cents;
  /** Who ships; null if unknown. */
  readonly fulfillmentType: FulfillmentType | null;
  /** Holds the featured offer (buy box). */
  readonly isFeatured: boolean;
  /** The source itself marks this offer as ours. */
  readonly isOurs: boolean;
  /** When the offer was seen; null if unknown, and then it does not count. */
  readonly seenAt: Instant | null;
  /** Positive ratings as a share; null when unknown. */
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  /** Days until it ships; null when unknown. */
  readonly handlingDays: number | null;
  /** Where it was seen: the listing's own marketplace, or another channel of the same SKU. */
  readonly channel: Marketplace;
}
