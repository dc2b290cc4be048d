import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, type Instant, WHOLE } from '#domain/units.ts';
import { type FulfillmentAnswer, isAnswerIn } from './fulfillment-answer.ts';
import { SETTLED_FULFILLMENT_COUNTS, usualCharge } from './usual-charge.ts';
import { isInBand, priceBandsOf } from './warehouse-fee.ts';

/** A smaller difference is no mistake of the seller. */
const SMALLEST_DIFFERENCE = 500 as Bps;
const FEWEST_UNITS = 3;

/**
 * What is charged for fulfilling a unit where it differs by more than 5% from the fee that the seller entered: the median of the
 * last 60 days in the price band of the current price, of three units or more. The entered fee counts all the same.
 * @param charges of the listing, in any order
 * @returns null where they agree, or too few units were charged
 */
export function differingCharge(
  { marketplace, price, entered }: { marketplace: Marketplace; price: Cents; entered: Cents },
  charges: readonly FulfillmentAnswer[],
  now: Instant,
): Cents | null {
  const band = priceBandsOf(marketplace).find((each) => isInBand(each, price));
  const isRecent = ({ toldAt: at }: FulfillmentAnswer) => at <= now && now - at < SETTLED_FULFILLMENT_COUNTS;
  const recent = charges.filter(
    (charge) =>
      charge.source === 'settled' &&
      charge.isOfOtherPackage === undefined &&
      band !== undefined &&
      isAnswerIn(band, charge) &&
      isRecent(charge),
  );
  const units = recent.reduce((sum, charge) => sum + (charge.units ?? 1), 0);
  const usual = units < FEWEST_UNITS ? null : usualCharge(recent, now);
  const isFar = usual !== null && Math.abs(usual - entered) * WHOLE > SMALLEST_DIFFERENCE * entered;
  return isFar ? (usual as Cents) : null;
}
