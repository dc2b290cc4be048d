import type { FulfillmentType, Marketplace } from './marketplaces.ts';
import type { Bps, Cents, Instant } from './units.ts';

/** A seller's name made comparable: trimmed and case-folded. Two spellings of one seller share one key. */
export type SellerKey = string & { readonly __key: 'seller' };

/**
 * Makes a seller's name comparable.
 * @returns null for a blank name: a blank seller is nobody we know, never "us"
 */
export function sellerKey(name: string | null | undefined): SellerKey | null {
  // Up, then down: "Straße" and "STRASSE" fold to one; NFKC: so do composed and decomposed accents.
  const key = name?.normalize('NFKC').trim().toUpperCase().toLowerCase();
  return key ? (key as SellerKey) : null;
}

/** Whether a seller of a file is the marketplace itself: Amazon and Walmart sell too, as "Amazon" or "Amazon.com". */
export function isMarketplaceItself(seller: SellerKey | null, marketplace: Marketplace): boolean {
  if (marketplace !== 'amazon' && marketplace !== 'walmart') return false;
  return seller === marketplace || seller === `${marketplace}.com`;
}

/** One seller's offer for the item of a listing, as a marketplace or a file reported it. */
export interface Offer {
  /** The seller as the source wrote it, for people to read; null when the source does not say. */
  readonly sellerName: string | null;
  /** {@link sellerKey} of that name. */
  readonly seller: SellerKey | null;
  /** The marketplace's own retail offer ("Amazon", "Walmart"), not a third party's. */
  readonly isMarketplace: boolean;
  /** The item's price without shipping. */
  readonly price: Cents;
  /** What the buyer pays for shipping on top; 0 when delivered free. */
  readonly shipping: Cents;
  /** Who ships; null when the source does not say. */
  readonly fulfillmentType: FulfillmentType | null;
  /** Holds the featured offer (buy box). */
  readonly isFeatured: boolean;
  /** The source itself marks this offer as ours. */
  readonly isOurs: boolean;
  /** When it was seen; null when the source does not say, and then it does not count. */
  readonly seenAt: Instant | null;
  /** Positive ratings as a share; null when unknown. */
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  /** Days until it ships; null when unknown. */
  readonly handlingDays: number | null;
  /** Where it was seen: the listing's own marketplace, or another channel of the same SKU. */
  readonly channel: Marketplace;
}
