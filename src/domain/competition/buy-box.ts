import type { ListingFacts } from '#domain/decision/facts.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/**
 * Whether the featured offer of a listing's item on its own marketplace is ours.
 * @returns null if unknown: no fresh featured offer, a featured offer without a seller name, or no seller names of
 * ours set
 */
export function holdsBuyBox({ offers, marketplace }: ListingFacts, policy: Policy): boolean | null {
  const { now, maxOfferAge, ownSellers, areOwnSellersKnown } = policy;
  const featured = offers.filter(
    ({ isFeatured, channel, seenAt }) =>
      isFeatured &&
      channel === marketplace &&
      seenAt !== null &&
      seenAt <= now &&
      now - seenAt <= maxOfferAge,
  );
  if (featured.some(({ isOurs, seller }) => isOurs || (seller !== null && ownSellers.has(seller))))
    return true;
  if (featured.some(({ isMarketplace }) => isMarketplace)) return false;
  return areOwnSellersKnown && featured.some(({ seller }) => seller !== null) ? false : null;
}

/** The days that a marketplace's own buy box share covers. */
export interface ShareWindow {
  readonly days: number;
  /** Days before today on which the window ends. */
  readonly endsDaysAgo: number;
}

/** Amazon's traffic data is complete after three days; seven days even out weekdays. */
export const AMAZON_SHARE_WINDOW: ShareWindow = { days: 7, endsDaysAgo: 3 };

/** @returns null if the marketplace does not report a period */
export function shareWindowOf(marketplace: Marketplace): ShareWindow | null {
  return marketplace === 'amazon' ? AMAZON_SHARE_WINDOW : null;
}
