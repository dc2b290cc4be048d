import type { ListingFacts } from './facts.ts';
import type { Marketplace } from './marketplaces.ts';
import type { Policy } from './policy.ts';

/**
 * Whether the featured offer of a listing's item on its own marketplace is ours.
 * @returns null while nobody can say: no fresh featured offer, or one whose seller is not named, or no word yet on
 * which sellers are us
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

/** Days that a marketplace's own share of the buy box is about. */
export interface ShareWindow {
  readonly days: number;
  /** Days before today on which the window ends. */
  readonly endsDaysAgo: number;
}

/** Amazon's traffic is complete after three days, and a week of it evens out. */
export const AMAZON_SHARE_WINDOW: ShareWindow = { days: 7, endsDaysAgo: 3 };

/** @returns null where the marketplace does not say which days its share is about */
export function shareWindowOf(marketplace: Marketplace): ShareWindow | null {
  return marketplace === 'amazon' ? AMAZON_SHARE_WINDOW : null;
}
