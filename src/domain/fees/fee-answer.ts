import { type Cents, hours, type Instant } from '#domain/units.ts';
import type { FeeFact, FeeFactSource, FeeQuestion } from './fee-fact.ts';

/** What a marketplace told in one answer of one unit, without fulfillment. */
export interface FeeAnswer extends FeeQuestion {
  readonly source: FeeFactSource;
  readonly toldAt: Instant;
  /** The regular amount. */
  readonly commission: Cents;
  /** Closing fees, and fees that are known by their name only. */
  readonly perUnit: Cents;
  /** An administrator accepted it. */
  readonly isAccepted: boolean;
}

/** The facts of each answer together. @param facts used ones, in any order @returns oldest first */
export function answersOf(facts: readonly FeeFact[]): FeeAnswer[] {
  const answers = new Map<string, FeeAnswer>();
  for (const { kind, name: _, amount, promotion: __, ...question } of facts) {
    if (kind === 'fulfillment') continue;
    const { source, toldAt, fulfillmentType, askedPrice, askedShipping } = question;
    const key = [source, toldAt, fulfillmentType, askedPrice, askedShipping].join(' ');
    const known = answers.get(key) ?? { ...question, commission: 0 as Cents, perUnit: 0 as Cents };
    answers.set(key, withPart(known, kind, amount));
  }
  return [...answers.values()].sort((a, b) => a.toldAt - b.toldAt);
}

function withPart(
  answer: FeeAnswer,
  kind: Exclude<FeeFact['kind'], 'fulfillment'>,
  amount: Cents,
): FeeAnswer {
  switch (kind) {
    case 'commission':
      return { ...answer, commission: (answer.commission + amount) as Cents };
    case 'closing':
    case 'other':
      return { ...answer, perUnit: (answer.perUnit + amount) as Cents };
  }
}

/** The revenue that an answer is about. */
export function revenueOf({ askedPrice, askedShipping }: FeeQuestion): Cents {
  return (askedPrice + askedShipping) as Cents;
}

/** The UTC day of a moment, as a number. */
export function dayOf(at: Instant): number {
  return Math.floor(at / hours(24));
}
