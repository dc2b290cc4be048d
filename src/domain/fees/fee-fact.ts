import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type Bps, type Cents, type Instant, WHOLE } from '#domain/units.ts';

/**
 * What a fee is taken on. `commission` a share of the revenue · `closing` a fixed amount of each unit · `fulfillment`
 * picking, packing and shipping a unit from the marketplace's warehouse · `other` known by its name only: it counts as a
 * fixed amount of each unit.
 */
export const FEE_FACT_KINDS = ['commission', 'closing', 'fulfillment', 'other'] as const;
export type FeeFactKind = (typeof FEE_FACT_KINDS)[number];

/** How a fee was reported. `estimate` the marketplace answered what it would take · `settled` it took it of a sale. */
export const FEE_FACT_SOURCES = ['estimate', 'settled'] as const;
export type FeeFactSource = (typeof FEE_FACT_SOURCES)[number];

/**
 * Why an answer is not used. `currency` not US dollars · `negative` an amount below zero · `unreadable` no amount ·
 * `other_question` for another SKU, price or fulfillment · `wrong_total` its parts do not add up · `above_revenue` more
 * than the buyer pays · `no_commission` none, without a promotion · `no_fulfillment` none or 0.00, though the marketplace ships ·
 * `out_of_range` a commission below 1% or above 60%, or a fulfillment fee above $100.00 and ten times the revenue, until an
 * administrator accepts it · `rejected` by an administrator.
 */
export const FEE_REFUSALS = [
  'currency',
  'negative',
  'unreadable',
  'other_question',
  'wrong_total',
  'above_revenue',
  'no_commission',
  'no_fulfillment',
  'out_of_range',
  'rejected',
] as const;
export type FeeRefusal = (typeof FEE_REFUSALS)[number];

/** What an administrator decides about what was reported: `adopt` it counts now, `keep` the fee in force stays. */
export const FEE_DECISIONS = ['adopt', 'keep'] as const;
export type FeeDecision = (typeof FEE_DECISIONS)[number];

/** The question that a fee answers: what is taken of one unit sold at that price. */
export interface FeeQuestion {
  readonly fulfillmentType: FulfillmentType;
  readonly askedPrice: Cents;
  /** What the buyer pays for shipping. */
  readonly askedShipping: Cents;
}

/** What identifies an answer about a listing. The moment alone does not: sales at several prices are settled at the same one. */
export interface AnswerKey extends FeeQuestion {
  readonly source: FeeFactSource;
  readonly toldAt: Instant;
}

/** When an answer was reported, or a fee charged: sales may be booked in any order. */
export function timeOf({ toldAt }: Pick<AnswerKey, 'toldAt'>): Instant {
  return toldAt;
}

export function isSameAnswer(one: AnswerKey, other: AnswerKey): boolean {
  return (
    one.toldAt === other.toldAt &&
    one.source === other.source &&
    one.fulfillmentType === other.fulfillmentType &&
    one.askedPrice === other.askedPrice &&
    one.askedShipping === other.askedShipping
  );
}

/** One fee that a marketplace reported for a listing. */
export interface FeeFact extends AnswerKey {
  readonly kind: FeeFactKind;
  /** The marketplace's name of it; null for a known kind. */
  readonly name: string | null;
  /** The regular amount: a promotion may end any day. */
  readonly amount: Cents;
  /** What a promotion took off it. */
  readonly promotion: Cents;
  /** An administrator accepted it, so that it counts at once. */
  readonly isAccepted: boolean;
  /** When that was, the same for all that was accepted together; null or absent where it is not known. */
  readonly acceptedAt?: Instant | null;
  /** Of a settled fee: the total with sales tax that it was taken on; null or absent: the revenue. */
  readonly feeBase?: Cents | null;
  /** Of a settled fee: the marketplace's name of the category by which it was charged. */
  readonly categoryTold?: string | null;
  /** Of a settled fulfillment fee: the units of its sale, from 1; absent: 1. */
  readonly units?: number;
  /** Of a settled fulfillment fee: weight, size, hazard or components of the package were others. */
  readonly isOfOtherPackage?: true;
  /** Of a settled fulfillment fee: why it is kept and not used; null or absent: it is used. */
  readonly refusal?: FeeRefusal | null;
}

/** Whether it is what the marketplace charged for fulfilling units of a sale. */
export function isFulfillmentCharge({ kind, source }: Pick<FeeFact, 'kind' | 'source'>): boolean {
  return kind === 'fulfillment' && source === 'settled';
}

/** Marks the charges for another package. @param isOther whether it was another one at a moment; null: never */
export function withOtherPackages<Fact extends FeeFact>(
  facts: readonly Fact[],
  isOther: ((at: Instant) => boolean) | null,
): readonly Fact[] {
  if (isOther === null) return facts;
  return facts.map((fact) =>
    isFulfillmentCharge(fact) && isOther(fact.toldAt) ? { ...fact, isOfOtherPackage: true } : fact,
  );
}

/**
 * What counts of that which was reported: an answer of the marketplace comes before what it took of sales, for fulfillment and
 * for everything else.
 * @param facts of one listing, in any order
 */
export function precedingFacts<Fact extends FeeFact>(facts: readonly Fact[]): readonly Fact[] {
  const isOfSales = ({ source }: FeeFact) => source === 'settled';
  if (facts.every(isOfSales) || !facts.some(isOfSales)) return facts;
  const partOf = ({ kind, fulfillmentType }: FeeFact) => `${fulfillmentType} ${kind === 'fulfillment'}`;
  const answered = new Set(facts.filter(({ source }) => source === 'estimate').map(partOf));
  return facts.filter((fact) => fact.source === 'estimate' || !answered.has(partOf(fact)));
}

/** More than a week of answers at several prices; older ones decide nothing. Charges of fulfillment are apart. */
export const MAX_ANSWERS = 40;

/**
 * The facts of the newest answers, as many as decide a fee.
 * @param facts of one listing, oldest first
 */
export function newestAnswers<Fact extends FeeFact>(facts: readonly Fact[]): readonly Fact[] {
  if (facts.length <= MAX_ANSWERS) return facts;
  const moments = new Set<Instant>();
  const start = facts.findLastIndex(({ toldAt }) => moments.add(toldAt).size > MAX_ANSWERS);
  return facts.slice(start + 1);
}

/** An accepted rate may change by this many points and still is the accepted one. */
const SAME_RATE = 50;

/** Whether two commissions, each of what it is taken on, are the same rate, near enough for one that was accepted. */
export function isSameRate(
  one: { readonly amount: number; readonly revenue: number },
  other: { readonly amount: number; readonly revenue: number },
): boolean {
  return Math.abs(one.amount / one.revenue - other.amount / other.revenue) * WHOLE <= SAME_RATE;
}

/** The fulfillment fee of an answer, or everything else of it. */
export interface FeePart extends FeeQuestion {
  readonly isFulfillment: boolean;
  readonly amount: Cents;
  /** Of a settled fee: the total with sales tax that it was taken on; null or absent: the revenue. */
  readonly feeBase?: Cents | null;
}

/** Whether two answers say the same: of fulfillment the same amount, of the rest the same share, near enough for one that was decided about. */
export function isSameFee(one: FeePart, other: FeePart): boolean {
  if (one.fulfillmentType !== other.fulfillmentType || one.isFulfillment !== other.isFulfillment)
    return false;
  const withRevenue = ({ amount, askedPrice, askedShipping, feeBase }: FeePart) => ({
    amount,
    revenue: feeBase ?? askedPrice + askedShipping,
  });
  return one.isFulfillment
    ? Math.abs(one.amount - other.amount) <= 1
    : isSameRate(withRevenue(one), withRevenue(other));
}

const MIN_RATE = 100 as Bps;
const MAX_RATE = 6_000 as Bps;
/** Commissions have a minimum, which is any share of a small revenue. */
const MAX_MINIMUM_FEE = 30;

/**
 * Why an answer cannot be right; null for one that may be used.
 * @param parts all fees of one answer, with regular amounts
 */
export function refusalOf(
  { fulfillmentType, askedPrice, askedShipping }: FeeQuestion,
  parts: readonly Pick<FeeFact, 'kind' | 'amount' | 'promotion'>[],
): FeeRefusal | null {
  const revenue = askedPrice + askedShipping;
  const sum = (wanted: (kind: FeeFactKind) => boolean, of: 'amount' | 'promotion' = 'amount') =>
    parts.reduce((total, part) => total + (wanted(part.kind) ? part[of] : 0), 0);
  const isCommission = (kind: FeeFactKind) => kind === 'commission';
  const commission = sum(isCommission);
  if (sum(() => true) > revenue) return 'above_revenue';
  if (commission === 0 && sum(isCommission, 'promotion') === 0) return 'no_commission';
  if (fulfillmentType === 'FBA/WFS' && sum((kind) => kind === 'fulfillment') === 0) return 'no_fulfillment';
  const isTooLow = commission * WHOLE < MIN_RATE * revenue;
  const isTooHigh = commission * WHOLE > MAX_RATE * revenue && commission > MAX_MINIMUM_FEE;
  return isTooLow || isTooHigh ? 'out_of_range' : null;
}
