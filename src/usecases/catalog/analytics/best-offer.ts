import type { OnMarketplace } from '#contract/listing-analytics.ts';
import type { Db } from '#db/client.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { isBelowAllowed } from '#domain/sending/business-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { loadCase } from '#usecases/repricing/prices/priced-listing.ts';
import { ownLimits } from './own-limits.ts';

/** The price from which offers of buyers are accepted automatically, with the lowest allowed price. */
export async function bestOffer(
  db: Db,
  listingId: number,
  autoAcceptPrice: Cents,
  now: Instant,
): Promise<NonNullable<OnMarketplace>['bestOffer']> {
  const { allowed, lowestAllowedPrice } = ownLimits(await loadCase(db, listingId, now));
  return {
    autoAcceptPrice: decimalFromCents(autoAcceptPrice),
    lowestAllowedPrice,
    isTooLow: allowed === null ? null : isBelowAllowed(autoAcceptPrice, allowed),
  };
}
