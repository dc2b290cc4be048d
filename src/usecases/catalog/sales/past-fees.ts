import { dayOf } from '#domain/fees/fee-answer.ts';
import type { MappedCategory } from '#domain/fees/fee-category.ts';
import {
  type FeeFact,
  isFulfillmentCharge,
  newestAnswers,
  withOtherPackages,
} from '#domain/fees/fee-fact.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { SalesTax } from '#domain/fees/fee-tables.ts';
import { fulfillmentAnswers } from '#domain/fees/fulfillment-answer.ts';
import { type CountingAnswers, countedOnce, NOTHING_COUNTS } from '#domain/fees/settled-fulfillment.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { IsOtherPackage } from '#domain/sales/package-changes.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import {
  type FeeKnowledge,
  type FeeListing,
  feeKnowledge,
  feesOf,
  fulfillmentCategory,
  scheduledFees,
} from '#usecases/repricing/pricing/listing-fees.ts';

/** The fees in force at a moment. */
export interface PastFees {
  /** What the marketplace reported by then, else that of the schedule; null while it is unknown. */
  readonly fees: FeeTable | null;
  /** Counts where what was reported does not reach; null while it is unknown. */
  readonly scheduledFees: FeeTable | null;
  /** Entered or found; null for none. */
  readonly feeCategory: string | null;
}

/** A listing at a sale. */
type SoldAs = Omit<FeeListing, 'currentPrice' | 'feeRateBy'> & {
  readonly id: number;
  /** Of one unit. */
  readonly price: Cents;
};

/** What was answered first counts for sales of this long before as well. */
const FIRST_ANSWERS_COUNT = hours(60 * 24);
const DAY = hours(24);

/**
 * What was reported of a listing's fees by a moment; before anything was reported the first day of answers, for sales of up to
 * 60 days before it. What was taken of a sale counts for sales of later days alone: it would be the estimate of that very
 * sale, and never differ from it. As for a decision, only the newest answers count: to read all of them in their order
 * takes too long.
 * @param facts used ones but charges of fulfillment, oldest first
 */
export function factsAt(facts: readonly FeeFact[], at: Instant): readonly FeeFact[] {
  const known = facts.filter(({ source, toldAt }) =>
    source === 'settled' ? dayOf(toldAt) < dayOf(at) : toldAt <= at,
  );
  return answersAt(facts, known, at);
}

/** What was charged for fulfilling sales of a listing, as far as it counts for a sale at a moment. */
export type ChargesAt = (at: Instant, isOther: IsOtherPackage | null) => CountingAnswers;

/**
 * Charges of earlier days alone, as of the beginning of the day: every sale of it has the same, which are found once.
 * @param facts of a listing, any
 */
export function pastCharges(marketplace: Marketplace, facts: readonly FeeFact[]): ChargesAt {
  const charges = facts.filter(isFulfillmentCharge);
  const found = new Map<IsOtherPackage | null, Map<Instant, CountingAnswers>>();
  return (at, isOther) => {
    if (charges.length === 0) return NOTHING_COUNTS;
    const now = instant(dayOf(at) * DAY);
    const ofPackage = found.get(isOther) ?? new Map<Instant, CountingAnswers>();
    found.set(isOther, ofPackage);
    const before = ofPackage.get(now);
    if (before !== undefined) return before;
    const known = charges.filter((charge) => dayOf(charge.toldAt) < dayOf(at));
    const answers = fulfillmentAnswers(withOtherPackages(known, isOther));
    const counting = countedOnce({ marketplace, answers, now });
    ofPackage.set(now, counting);
    return counting;
  };
}

function answersAt(facts: readonly FeeFact[], reported: readonly FeeFact[], at: Instant): readonly FeeFact[] {
  if (reported.length > 0) return newestAnswers(reported);
  const answers = facts.filter(({ source }) => source === 'estimate');
  const [first] = answers;
  if (first === undefined || first.toldAt - at > FIRST_ANSWERS_COUNT) return [];
  return answers.filter(({ toldAt }) => dayOf(toldAt) === dayOf(first.toldAt));
}

/** The fees of listings at any moment. */
export function pastFees({
  feeSchedules,
  ...rest
}: {
  readonly feeSchedules: readonly FeeSchedule[];
  readonly salesTax: SalesTax;
  readonly mappedCategories: readonly MappedCategory[];
}): (listing: SoldAs, reported: readonly FeeFact[], at: Instant) => PastFees {
  const starts = [...new Set(feeSchedules.flatMap(({ effectiveFrom }) => effectiveFrom ?? []))].sort(
    (a, b) => b - a,
  );
  const known = new Map<Instant | null, FeeKnowledge>();
  const found = new Map<string, FeeTable | null>();
  // Between two days on which schedules begin the same ones are in force.
  const knowledgeAt = (at: Instant): FeeKnowledge => {
    const start = starts.find((each) => each <= at) ?? null;
    const knowledge =
      known.get(start) ??
      feeKnowledge({
        feeSchedules,
        ...rest,
        categoriesOfTypes: [],
        doubtedFees: [],
        now: start ?? instant(0),
      });
    known.set(start, knowledge);
    return { ...knowledge, now: at };
  };
  return ({ id, price, ...listing }, reported, at) => {
    const { fulfillmentType, shippingCharge } = listing;
    const knowledge = knowledgeAt(at);
    const scheduled = scheduledFees(knowledge, listing);
    const feeCategory = fulfillmentCategory(knowledge, listing);
    if (reported.length === 0 && listing.feeRate === null)
      return { fees: scheduled, scheduledFees: scheduled, feeCategory };
    // Sales of a day at one price have the same fees, unless something was reported in between.
    const { productType, externalCategory, acceptedCategory, feeRate } = listing;
    const key = JSON.stringify([
      ...[id, price, shippingCharge, fulfillmentType, feeRate],
      ...[listing.feeCategory, productType, externalCategory, acceptedCategory],
      ...[reported.length, reported.at(-1)?.toldAt, dayOf(at), starts.find((each) => each <= at)],
    ]);
    const before = found.get(key);
    if (before !== undefined) return { fees: before, scheduledFees: scheduled, feeCategory };
    const { table } = feesOf(knowledge, { ...listing, feeRateBy: null, currentPrice: price }, reported);
    found.set(key, table);
    return { fees: table, scheduledFees: scheduled, feeCategory };
  };
}
