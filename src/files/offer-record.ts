import { isMarketplaceItself, type Offer, type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import { KeyIndex } from './key-index.ts';
import type { OfferRow } from './offer-format.ts';

/** One offer as it is held: codes and names are numbers. */
export interface HeldOffer extends OfferRow {
  readonly marketplace: Marketplace;
  readonly price: Cents;
  /** Number of the SKU's code. */
  readonly sku: number;
  /** Number of the seller's name; -1 when the source does not say. */
  readonly seller: number;
}

const FULFILLMENT_BITS: Readonly<Record<FulfillmentType, number>> = { 'FBA/WFS': 1, FBM: 2 };
const FULFILLMENT_OF: readonly (FulfillmentType | null)[] = [null, 'FBA/WFS', 'FBM', null];
const FEATURED_BIT = 4;
/** How many bits {@link flagsOf} needs. */
export const FLAG_BITS = 3;

/** Fulfillment type and featured mark in one small number. */
export function flagsOf({ fulfillmentType, isFeatured }: OfferRow): number {
  return (fulfillmentType === null ? 0 : FULFILLMENT_BITS[fulfillmentType]) | (isFeatured ? FEATURED_BIT : 0);
}

/** Takes {@link flagsOf} apart again. */
export function fulfillmentOf(flags: number): FulfillmentType | null {
  return FULFILLMENT_OF[flags & 3] ?? null;
}

/** Whether {@link flagsOf} holds the featured mark. */
export function featuredOf(flags: number): boolean {
  return (flags & FEATURED_BIT) !== 0;
}

/** Names kept as strings; beyond this many sellers they are read from the index each time. */
const KEPT_SELLERS = 65_536;

interface Seller {
  readonly name: string;
  readonly key: SellerKey | null;
}

/** The names of the sellers by number. */
export class Sellers {
  readonly names: KeyIndex = new KeyIndex();
  readonly #kept: Seller[] = [];

  /** An offer with its names, as the domain knows it. */
  offerOf(held: HeldOffer): Offer {
    const { marketplace } = held;
    const seller = this.#sellerOf(held.seller);
    const key = seller?.key ?? null;
    return {
      sellerName: seller?.name ?? null,
      seller: key,
      isMarketplace: isMarketplaceItself(key, marketplace),
      price: held.price,
      shipping: held.shipping,
      fulfillmentType: held.fulfillmentType,
      isFeatured: held.isFeatured,
      isOurs: false,
      seenAt: held.seenAt,
      rating: held.rating,
      ratingCount: held.ratingCount,
      handlingDays: held.handlingDays,
      channel: marketplace,
    };
  }

  #sellerOf(number: number): Seller | null {
    if (number < 0) return null;
    if (number >= KEPT_SELLERS) return this.#read(number);
    while (this.#kept.length <= number) this.#kept.push(this.#read(this.#kept.length));
    return this.#kept[number] ?? null;
  }

  #read(number: number): Seller {
    const name = this.names.text(number);
    return { name, key: sellerKey(name) };
  }
}
