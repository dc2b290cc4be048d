import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, MAX_CENTS } from '#domain/units.ts';
import { type SellerKey, sellerKey } from './offer.ts';

/** The fields of an offer that a summary needs. */
export interface SummedOffer {
  /** As the source wrote it; null is an unknown seller, never us. */
  readonly seller: string | null;
  readonly price: Cents;
  readonly shipping: Cents;
  readonly isMarketplace: boolean;
  readonly isFeatured: boolean;
  /** The source itself marks it as ours. */
  readonly isOurs: boolean;
}

/** Competitors' landed prices for the item of a listing, without our own offers; null without any. */
export interface OfferSummary {
  readonly amazonDirect: Cents | null;
  readonly walmartDirect: Cents | null;
  readonly thirdParty: {
    readonly lowest: Cents | null;
    readonly highest: Cents | null;
    /** Rounded half up. */
    readonly average: Cents | null;
    /** Each offer without a name counts as another seller. */
    readonly sellers: number;
  };
  /** Of the marketplace's own offer and all third parties. */
  readonly lowest: Cents | null;
  readonly highest: Cents | null;
  /** The featured offer, which can be ours. */
  readonly buyBox: { readonly price: Cents; readonly seller: string | null; readonly isOurs: boolean } | null;
}

/**
 * Summarizes the offers seen for a listing at one time.
 * @param marketplace where they were seen
 * @param ownSellers our seller names there
 */
export function summarizeOffers(
  offers: readonly SummedOffer[],
  marketplace: Marketplace,
  ownSellers: ReadonlySet<SellerKey>,
): OfferSummary {
  const isOurs = (offer: SummedOffer): boolean => {
    const key = sellerKey(offer.seller);
    return offer.isOurs || (key !== null && ownSellers.has(key));
  };
  const competitors = offers.filter((offer) => !isOurs(offer));
  const third = competitors.filter(({ isMarketplace }) => !isMarketplace);
  const direct = lowestOf(competitors.filter((offer) => offer.isMarketplace));
  const featured = cheapest(offers.filter(({ isFeatured }) => isFeatured));
  return {
    amazonDirect: marketplace === 'amazon' ? direct : null,
    walmartDirect: marketplace === 'walmart' ? direct : null,
    thirdParty: {
      lowest: lowestOf(third),
      highest: highestOf(third),
      average: averageOf(third),
      sellers: countSellers(third),
    },
    lowest: lowestOf(competitors),
    highest: highestOf(competitors),
    buyBox:
      featured === null
        ? null
        : { price: landed(featured), seller: featured.seller, isOurs: isOurs(featured) },
  };
}

/** The landed price, capped at the largest amount so that an absurd shipping price does not break a summary. */
function landed({ price, shipping }: SummedOffer): Cents {
  return Math.min(price + shipping, MAX_CENTS) as Cents;
}

function cheapest(offers: readonly SummedOffer[]): SummedOffer | null {
  let found: SummedOffer | null = null;
  for (const offer of offers) if (found === null || landed(offer) < landed(found)) found = offer;
  return found;
}

function lowestOf(offers: readonly SummedOffer[]): Cents | null {
  const found = cheapest(offers);
  return found === null ? null : landed(found);
}

function highestOf(offers: readonly SummedOffer[]): Cents | null {
  return offers.length === 0 ? null : (Math.max(...offers.map(landed)) as Cents);
}

function averageOf(offers: readonly SummedOffer[]): Cents | null {
  if (offers.length === 0) return null;
  const sum = offers.reduce((total, offer) => total + landed(offer), 0);
  // Whole numbers only: (2 x sum + n) / 2n rounds the exact average, without binary fractions.
  return Math.floor((2 * sum + offers.length) / (2 * offers.length)) as Cents;
}

function countSellers(offers: readonly SummedOffer[]): number {
  const keys = offers.map(({ seller }) => sellerKey(seller));
  const named = keys.filter((key) => key !== null);
  return new Set(named).size + keys.length - named.length;
}
