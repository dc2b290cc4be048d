import { decimalFromCents } from '#domain/decimal.ts';
import { missingFact } from '#domain/decision/completeness.ts';
import { allowedPricesOf } from '#domain/decision/decide.ts';
import { manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import type { Bps, Cents } from '#domain/units.ts';
import type { loadCase } from '#usecases/repricing/prices/priced-listing.ts';

/** What the seller's own margins allow for a listing: neither MAP nor limits on the marketplace. */
export interface OwnLimits {
  readonly minimumMargin: Bps;
  /** Null while costs or fees are missing. */
  readonly allowed: AllowedPrices | null;
  /** A decimal; null while it is unknown, and where no price is allowed. */
  readonly lowestAllowedPrice: string | null;
}

export function ownLimits({ facts, choice }: Awaited<ReturnType<typeof loadCase>>): OwnLimits {
  const minimumMargin = manualPriceMargin(choice, facts);
  const own = { ...facts, marketplaceLimits: null };
  const allowed = missingFact(own) === null ? allowedPricesOf(own, minimumMargin) : null;
  const lowest = allowed?.ranges[0];
  return {
    minimumMargin,
    allowed,
    lowestAllowedPrice: lowest === undefined ? null : decimalFromCents(lowest as Cents),
  };
}
