import type { Account } from '#connectors/connector.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import { type Cents, isPrice } from '#domain/units.ts';
import type { Offer } from './ebay-responses.ts';

/** What eBay tells of an offer that limits its price. */
export interface OfferTerms {
  readonly map: Cents | null;
  /** The price at which Best Offers are accepted automatically; null for none, and while Best Offer is off. */
  readonly autoAccept: Cents | null;
}

/**
 * What limits the price of an offer: the MAP price, and the price at which Best Offers are accepted automatically. At or
 * below that one buyers would get it for less than its price.
 * @returns null for none, and where the account ignores them
 */
export function termLimits(
  { map, autoAccept }: OfferTerms,
  { credentials }: Account,
): MarketplaceLimits | null {
  if (credentials.ignorePriceLimits?.trim() === 'yes') return null;
  const above = autoAccept === null ? null : autoAccept + 1;
  const min = isPrice(above) ? above : null;
  return min === null && map === null ? null : { min, max: null, map };
}

/** {@link termLimits} of an offer of the Inventory API. */
export function offerLimits(
  offer: Pick<Offer, 'pricingSummary' | 'listingPolicies'>,
  account: Account,
): MarketplaceLimits | null {
  const map = offer.pricingSummary?.minimumAdvertisedPrice ?? null;
  return termLimits({ map, autoAccept: autoAcceptOf(offer) }, account);
}

/** The price at which Best Offers for an offer of the Inventory API are accepted automatically. */
export function autoAcceptOf({ listingPolicies }: Pick<Offer, 'listingPolicies'>): OfferTerms['autoAccept'] {
  const { bestOfferEnabled, autoAcceptPrice } = listingPolicies?.bestOfferTerms ?? {};
  return bestOfferEnabled === true ? (autoAcceptPrice ?? null) : null;
}
