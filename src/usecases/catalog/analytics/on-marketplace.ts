import type { OnMarketplace } from '#contract/listing-analytics.ts';
import { findMarketplaceStatus } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { findCheckedPrice } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { bestOffer } from './best-offer.ts';
import { businessPrices } from './business-prices.ts';

/**
 * Whether a listing is for sale on its marketplace, and its stock there, from the last catalog sync; and another price that
 * it showed, while that is being checked; and Best Offers and prices for business buyers there.
 * @returns null when the marketplace never returned it
 * @throws AppError not_found
 */
export async function onMarketplace(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  listingId: number,
): Promise<OnMarketplace> {
  await findLiveListing(db, listingId);
  const word = await findMarketplaceStatus(db, listingId);
  if (word === null) return null;
  const { isActive, quantity, seenAt, missingSince } = word;
  const checked = await findCheckedPrice(db, listingId, now());
  return {
    isForSale: isActive && missingSince === null,
    quantity,
    seenAt: new Date(seenAt).toISOString(),
    missingSince: missingSince === null ? null : new Date(missingSince).toISOString(),
    checkedPrice:
      checked === null
        ? null
        : {
            price: decimalFromCents(checked.price),
            source: checked.source,
            since: new Date(checked.since).toISOString(),
          },
    bestOffer: await bestOffer(db, listingId, word, now()),
    businessPrices: await businessPrices(db, listingId, now()),
  };
}
