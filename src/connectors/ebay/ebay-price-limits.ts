import type { Account } from '#connectors/connector.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import { type Cents, isPrice } from '#domain/units.ts';
import type { Offer } from './ebay-responses.ts';

/** What eBay reports of an offer that limits its price. */
export interface OfferTerms {
  readonly map: Cents | null;
  /** The price at which Best Offers are accepted automatically; null for none, and while Best Offer is off. */
  readonly autoAccept: Cents | null;
  /** The price at which they are declined automatically; null likewise. */
  readonly autoDecline: Cents | null;
}

/**
 * What limits the price of an offer: the MAP price, and the prices at which Best Offers are accepted and declined
 * automatically. eBay requires both to be lower than the price (autoAcceptPrice and autoDeclinePrice in
 * https://developer.ebay.com/api-docs/sell/inventory/types/slr:BestOffer), and refuses a price at or below them.
 * @returns null for none, and where the account ignores them
 */
export function termLimits(
  { map, autoAccept, autoDecline }: OfferTerms,
  { credentials }: Account,
): MarketplaceLimits | null {
  if (credentials.ignorePriceLimits?.trim() === 'yes') return null;
  const highest = Math.max(autoAccept ?? 0, autoDecline ?? 0);
  const above = highest === 0 ? null : highest + 1;
  const min = isPrice(above) ? above : null;
  return min === null && map === null ? null : { min, max: null, map };
}

/** {@link termLimits} of an offer of the Inventory API. */
export function offerLimits(
  offer: Pick<Offer, 'pricingSummary' | 'listingPolicies'>,
  account: Account,
): MarketplaceLimits | null {
  const map = offer.pricingSummary?.minimumAdvertisedPrice ?? null;
  const { bestOfferEnabled, autoDeclinePrice } = offer.listingPolicies?.bestOfferTerms ?? {};
  const autoDecline = bestOfferEnabled === true ? (autoDeclinePrice ?? null) : null;
  return termLimits({ map, autoAccept: autoAcceptOf(offer), autoDecline }, account);
}

/** The price at which Best Offers for an offer of the Inventory API are accepted automatically. */
export function autoAcceptOf({ listingPolicies }: Pick<Offer, 'listingPolicies'>): OfferTerms['autoAccept'] {
  const { bestOfferEnabled, autoAcceptPrice } = listingPolicies?.bestOfferTerms ?? {};
  return bestOfferEnabled === true ? (autoAcceptPrice ?? null) : null;
}
