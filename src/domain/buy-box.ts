import type { ListingFacts } from './facts.ts';
import type { Policy } from './policy.ts';

/**
 * Whether the featured offer of a listing's item on its own marketplace is ours.
 * @returns null while nobody can say: no fresh featured offer, or one whose seller is not named, or no word yet on
 * which sellers are us
 */
export function holdsBuyBox({ offers, marketplace }: ListingFacts, policy: Policy): boolean | null {
  const { now, maxOfferAge, ownSellers, ownOffersKnown } = policy;
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
  return ownOffersKnown && featured.some(({ seller }) => seller !== null) ? false : null;
}
