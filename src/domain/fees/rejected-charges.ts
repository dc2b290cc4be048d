import type { Cents, Instant } from '#domain/units.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import { timeOf } from './fee-fact.ts';
import { isFarFrom } from './fee-jump.ts';
import { type FulfillmentAnswer, isAnswerIn } from './fulfillment-answer.ts';
import { type DatedFulfillmentEvidence, reportedFulfillment } from './reported-fulfillment.ts';
import { countingFulfillment } from './settled-fulfillment.ts';
import { feeAtPrice, type PriceBand, priceBandsOf, stepAtPrice } from './warehouse-fee.ts';

/** What was charged of a listing, before a reading that is rejected and in it. */
export interface RejectedReading extends DatedFulfillmentEvidence {
  /** When the first charge that jumped was, of any listing. */
  readonly since: Instant;
  /** A charge of this listing jumped. */
  readonly hasJumped: boolean;
}

/**
 * The charges of a listing that count no more once a reading is rejected: the lower ones, jump or not, since a report that mixed up
 * its rows is too high for some sales and too low for others; and, of a listing with a jump, higher ones that are one. Each is
 * compared with the fee in force before, of its own price band; a cent is rounding.
 * @param published the fee of the table for the package, where a band was not charged for it before; null without one
 */
export function chargesToReject(
  reading: RejectedReading,
  published: readonly FulfillmentStep[] | null,
): FulfillmentAnswer[] {
  const { marketplace, answers, since, hasJumped } = reading;
  const isInReading = (answer: FulfillmentAnswer) =>
    answer.source === 'settled' && timeOf(answer) >= since && !answer.isAccepted;
  return priceBandsOf(marketplace).flatMap((band) => {
    const { fee: before, isKnown } = feeBefore(reading, band, published);
    if (before === null) return [];
    return answers.filter((answer) => {
      if (!isInReading(answer) || !isAnswerIn(band, answer)) return false;
      const isJump = answer.fee > before && isFarFrom(before, answer);
      return answer.fee < before - 1 || (isJump && hasJumped && isKnown);
    });
  });
}

/** The fee of a price band before the reading, and whether it was charged there for the same package: of another one the published fee says more. */
function feeBefore(
  { since, ...evidence }: RejectedReading,
  band: PriceBand,
  published: readonly FulfillmentStep[] | null,
): { readonly fee: Cents | null; readonly isKnown: boolean } {
  const earlier = evidence.answers.filter((answer) => timeOf(answer) < since);
  const own = earlier.filter((answer) => isAnswerIn(band, answer));
  const inTable = published === null ? null : feeAtPrice(published, band.from);
  if (own.every(({ isOfOtherPackage }) => isOfOtherPackage) && inTable !== null) {
    return { fee: inTable, isKnown: false };
  }
  const known = { ...evidence, answers: own.length === 0 ? earlier : own, doubtedSince: null };
  const counting = countingFulfillment(known, published);
  if (counting.length === 0) return { fee: null, isKnown: false };
  const { steps } = reportedFulfillment({ ...known, answers: counting }, published);
  const step = stepAtPrice(steps, band.from);
  return { fee: step?.fee ?? null, isKnown: own.length > 0 && step?.isAssumed !== true };
}
