import type { OnMarketplace } from '#contract/listing-analytics.ts';
import type { Db } from '#db/client.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { isBelowAllowed } from '#domain/sending/business-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { loadCase } from '#usecases/repricing/prices/priced-listing.ts';
import { ownLimits } from './own-limits.ts';

/** What a listing's marketplace reported of the offers that it accepts. */
interface Told {
  readonly autoAcceptPrice: Cents | null;
  readonly raiseRefusal: string | null;
}

/**
 * The price from which offers of buyers are accepted automatically, with the lowest allowed price.
 * @returns null where none are
 */
export async function bestOffer(
  db: Db,
  listingId: number,
  { autoAcceptPrice, raiseRefusal }: Told,
  now: Instant,
): Promise<NonNullable<OnMarketplace>['bestOffer']> {
  if (autoAcceptPrice === null) return null;
  const { allowed, lowestAllowedPrice } = ownLimits(await loadCase(db, listingId, now));
  return {
    autoAcceptPrice: decimalFromCents(autoAcceptPrice),
    lowestAllowedPrice,
    isTooLow: allowed === null ? null : isBelowAllowed(autoAcceptPrice, allowed),
    raiseRefusal,
  };
}
