import type { Cents, Instant } from '#domain/units.ts';
import { type AnswerKey, type FeeFact, timeOf } from './fee-fact.ts';
import { isInBand, type PriceBand } from './warehouse-fee.ts';

/** The fulfillment fee of a unit that a marketplace reported for one price, which is without shipping. */
export interface FulfillmentAnswer extends AnswerKey {
  readonly fee: Cents;
  /** An administrator accepted it. */
  readonly isAccepted: boolean;
  /** Of a charge: when that was; null or absent where it is not known. */
  readonly acceptedAt?: Instant | null;
  /** Of a charge: the units of its sale, from 1. Absent: 1. */
  readonly units?: number;
  /** Of a charge: it is from before the fees changed, and only says what they are at least. */
  readonly isFormer?: true;
  /** Of a charge: it was for another package: `FeeFact`. */
  readonly isOfOtherPackage?: true;
  /**
   * Of a charge: it waits for others because it is so much lower or higher, and decides nothing. `past` it was so much higher, and
   * sales since, or the package, or the season, are others.
   */
  readonly waits?: 'low' | 'high' | 'past';
}

/**
 * The fulfillment fees of FBA/WFS among these. The parts of one answer are added up; charges of several sales are apart.
 * @param facts used ones of a listing, in any order
 * @returns oldest first
 */
export function fulfillmentAnswers(facts: readonly FeeFact[]): FulfillmentAnswer[] {
  const answers = new Map<string, FulfillmentAnswer>();
  const charges: FulfillmentAnswer[] = [];
  for (const fact of facts) {
    const { kind, fulfillmentType, askedPrice, askedShipping, amount, source, toldAt, isAccepted } = fact;
    if (kind !== 'fulfillment' || fulfillmentType !== 'FBA/WFS') continue;
    if (source === 'settled') {
      const { units = 1, acceptedAt = null } = fact;
      // Written out: a listing has hundreds of them, and a spread takes longer than all the rest.
      charges.push({
        source,
        fulfillmentType,
        askedPrice,
        askedShipping,
        fee: amount,
        toldAt,
        isAccepted,
        acceptedAt,
        units,
        ...(fact.isOfOtherPackage ? { isOfOtherPackage: true } : {}),
      });
      continue;
    }
    const question = { source, fulfillmentType, askedPrice, askedShipping };
    const key = [toldAt, askedPrice, askedShipping].join(' ');
    const known = answers.get(key)?.fee ?? 0;
    answers.set(key, { ...question, fee: (known + amount) as Cents, toldAt, isAccepted });
  }
  return [...answers.values(), ...charges].sort((one, other) => timeOf(one) - timeOf(other));
}

/** Whether an answer is about a price in a band. */
export function isAnswerIn(band: PriceBand, { askedPrice }: FulfillmentAnswer): boolean {
  return isInBand(band, askedPrice);
}
