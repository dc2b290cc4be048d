import { landedPrice } from './competitors.ts';
import type { ListingFacts } from './facts.ts';
import type { FulfillmentType } from './marketplaces.ts';
import type { Offer } from './offer.ts';
import type { Policy } from './policy.ts';
import { type Cents, isAmount, isPrice } from './units.ts';

/** What others ask for a listing's item on its own marketplace, landed; null where nobody does. */
export interface MarketPrices {
  /** The marketplace's own offer. */
  readonly marketplace: Cents | null;
  readonly thirdPartyWarehouse: Cents | null;
  /** Also of sellers whose shipper the marketplace does not tell, as Walmart does for most: without a place they would look like no competitor. */
  readonly thirdPartyMerchant: Cents | null;
}

/** The three columns of the listings screen: the lowest fresh offer of each kind, ours aside. Rules have no say in it. */
export function marketPrices({ offers, marketplace }: ListingFacts, policy: Policy): MarketPrices {
  const fresh = offers.filter((offer) => offer.channel === marketplace && isRivalAndFresh(offer, policy));
  const third = (...types: readonly (FulfillmentType | null)[]): Cents | null =>
    lowest(fresh.filter((offer) => !offer.isMarketplace && types.includes(offer.fulfillmentType)));
  return {
    marketplace: lowest(fresh.filter(({ isMarketplace }) => isMarketplace)),
    thirdPartyWarehouse: third('FBA/WFS'),
    thirdPartyMerchant: third('FBM', null),
  };
}

function isRivalAndFresh(offer: Offer, { now, maxOfferAge, ownSellers }: Policy): boolean {
  if (!isPrice(offer.price) || !isAmount(offer.shipping)) return false;
  if (offer.isOurs || (offer.seller !== null && ownSellers.has(offer.seller))) return false;
  return offer.seenAt !== null && offer.seenAt <= now && now - offer.seenAt <= maxOfferAge;
}

function lowest(offers: readonly Offer[]): Cents | null {
  const prices = offers.map(landedPrice).filter(isPrice);
  return prices.length === 0 ? null : (Math.min(...prices) as Cents);
}
