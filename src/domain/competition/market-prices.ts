import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type Cents, isAmount, isPrice } from '#domain/units.ts';
import { landedPrice } from './competitors.ts';
import type { Offer } from './offer.ts';

/** Competitors' landed prices for a listing's item on its own marketplace; null without an offer. */
export interface MarketPrices {
  /** The marketplace's own offer. */
  readonly marketplace: Cents | null;
  readonly thirdPartyWarehouse: Cents | null;
  /** Includes sellers whose fulfillment type is unknown, as for most at Walmart: without a column they would be invisible. */
  readonly thirdPartyMerchant: Cents | null;
}

/** The three columns of the listings page: the lowest fresh offer of each kind except ours, independent of rules. */
export function marketPrices({ offers, marketplace }: ListingFacts, policy: Policy): MarketPrices {
  const fresh = offers.filter((offer) => offer.channel === marketplace && isFreshCompetitor(offer, policy));
  const third = (...types: readonly (FulfillmentType | null)[]): Cents | null =>
    lowest(fresh.filter((offer) => !offer.isMarketplace && types.includes(offer.fulfillmentType)));
  return {
    marketplace: lowest(fresh.filter(({ isMarketplace }) => isMarketplace)),
    thirdPartyWarehouse: third('FBA/WFS'),
    thirdPartyMerchant: third('FBM', null),
  };
}

function isFreshCompetitor(offer: Offer, { now, maxOfferAge, ownSellers }: Policy): boolean {
  if (!isPrice(offer.price) || !isAmount(offer.shipping)) return false;
  if (offer.isOurs || (offer.seller !== null && ownSellers.has(offer.seller))) return false;
  return offer.seenAt !== null && offer.seenAt <= now && now - offer.seenAt <= maxOfferAge;
}

function lowest(offers: readonly Offer[]): Cents | null {
  const prices = offers.map(landedPrice).filter(isPrice);
  return prices.length === 0 ? null : (Math.min(...prices) as Cents);
}
