import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import type { AnswerKey, FeeFact, FeeQuestion } from './fee-fact.ts';

/** What a marketplace reported in one answer of one unit, without fulfillment. */
export interface FeeAnswer extends AnswerKey {
  /** The regular amount. */
  readonly commission: Cents;
  /** Closing fees, and fees that are known by their name only. */
  readonly perUnit: Cents;
  /** An administrator accepted it. */
  readonly isAccepted: boolean;
  /** What was taken of a sale; absent for an answer to a question. */
  readonly settled?: SettledTerms;
}

/** What a marketplace took of one unit of a sale. */
interface SettledTerms {
  /** As it was charged: of a total with sales tax, `commission` of the answer is that with the usual tax. */
  readonly commission: Cents;
  /** The total with sales tax that it was taken on; null: the revenue. */
  readonly base: Cents | null;
  /** The marketplace's name of the category by which it was charged; null where it reports none. */
  readonly category: string | null;
}

/**
 * The facts of each answer together.
 * @param facts used ones, in any order
 * @param salesTax the usual one, by which sales with different taxes are compared
 * @returns oldest first
 */
export function answersOf(facts: readonly FeeFact[], salesTax: Bps): FeeAnswer[] {
  const answers = new Map<string, FeeAnswer>();
  for (const fact of facts) {
    if (fact.kind === 'fulfillment') continue;
    const { kind, name: _, amount, promotion: __, feeBase, categoryTold, ...question } = fact;
    const { source, toldAt, fulfillmentType, askedPrice, askedShipping } = question;
    const key = [source, toldAt, fulfillmentType, askedPrice, askedShipping].join(' ');
    const known = answers.get(key) ?? { ...question, commission: 0 as Cents, perUnit: 0 as Cents };
    const base = feeBase ?? null;
    const answer =
      source === 'settled' && kind === 'commission'
        ? { ...known, settled: { commission: amount, base, category: categoryTold ?? null } }
        : known;
    const usual = base === null ? amount : withUsualTax(amount, base, revenueOf(question), salesTax);
    answers.set(key, withPart(answer, kind, usual));
  }
  return [...answers.values()].sort((a, b) => a.toldAt - b.toldAt);
}

/** A share of a total with the sales tax of one sale, as the same share with the usual tax. */
function withUsualTax(amount: Cents, base: Cents, revenue: Cents, salesTax: Bps): Cents {
  return Math.ceil((amount * revenue * (WHOLE + salesTax)) / (base * WHOLE)) as Cents;
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
