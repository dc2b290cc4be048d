import type { OnMarketplace } from '#contract/listing-analytics.ts';
import type { Db } from '#db/client.ts';
import { findBusinessStop } from '#db/queries/marketplaces/connections/account-findings.ts';
import { readBusinessGaps } from '#db/queries/marketplaces/sending/business-gaps.ts';
import { findBusinessOffer } from '#db/queries/marketplaces/sync/business-offers.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { isBelowAllowed, unitPrices } from '#domain/sending/business-prices.ts';
import type { Instant } from '#domain/units.ts';
import { loadCase } from '#usecases/repricing/prices/priced-listing.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { ownLimits } from './own-limits.ts';

type BusinessPrices = NonNullable<NonNullable<OnMarketplace>['businessPrices']>;

/** The prices for business buyers of a listing, with what is left of each; null where the seller set none. */
export async function businessPrices(
  db: Db,
  listingId: number,
  now: Instant,
): Promise<BusinessPrices | null> {
  const offer = await findBusinessOffer(db, listingId);
  if (offer === null) return null;
  const kept = (await readBusinessGaps(db, [listingId])).get(listingId);
  const known = await loadCase(db, listingId, now);
  const { listing, facts } = known;
  // MAP and the seller's own limits on the marketplace bind the regular price alone.
  const { minimumMargin, allowed, lowestAllowedPrice } = ownLimits(known);
  return {
    readAt: new Date(offer.readAt).toISOString(),
    prices: unitPrices(offer, listing.currentPrice).map(({ from, price }) => {
      const margin = marginAt(price, facts);
      return {
        from,
        price: decimalFromCents(price),
        margin: margin === null ? null : decimalFromMargin(margin),
        isTooLow: allowed === null ? null : isBelowAllowed(price, allowed),
      };
    }),
    minimumMargin: decimalFromMargin(minimumMargin),
    lowestAllowedPrice,
    isFollowing: kept !== undefined,
    stopped: kept === undefined ? null : await stopOf(db, listing.marketplace, now),
    skipped: [...(kept?.written?.skipped ?? [])],
    isHidden: offer.price !== null && listing.currentPrice < offer.price,
  };
}

async function stopOf(db: Db, marketplace: Marketplace, now: Instant): Promise<BusinessPrices['stopped']> {
  const stop = await findBusinessStop(db, marketplace, now);
  if (stop === null) return null;
  const { sku, refused, until } = stop;
  return { sku, refused, until: until === null ? null : new Date(until).toISOString() };
}
