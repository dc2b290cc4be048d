import type { Account } from '#connectors/connector.ts';
import type { MarketplaceLimits } from '#domain/marketplace-limits.ts';
import { isPrice } from '#domain/units.ts';
import type { Offer } from './ebay-responses.ts';

/**
 * What limits the price of an offer: the MAP price, and the price at which Best Offers are accepted automatically. At or
 * below that one buyers would get it for less than its price.
 * @returns null for none, and where the account ignores them
 */
export function offerLimits(
  { pricingSummary, listingPolicies }: Pick<Offer, 'pricingSummary' | 'listingPolicies'>,
  { credentials }: Account,
): MarketplaceLimits | null {
  if (credentials.ignorePriceLimits?.trim() === 'yes') return null;
  const { bestOfferEnabled, autoAcceptPrice } = listingPolicies?.bestOfferTerms ?? {};
  const above = bestOfferEnabled === true && autoAcceptPrice != null ? autoAcceptPrice + 1 : null;
  const min = isPrice(above) ? above : null;
  const map = pricingSummary?.minimumAdvertisedPrice ?? null;
  return min === null && map === null ? null : { min, max: null, map };
}
