import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { composeFees } from './compose-fees.ts';
import { dayOf, type FeeAnswer, revenueOf } from './fee-answer.ts';
import type { FeeCategorySource, FeeSource, ReportedRate, ReportedSource } from './fee-basis.ts';
import { candidatesFor, commissionAlone, type FeeCandidate, fits } from './fee-candidates.ts';
import { type FeeSchedule, hasPaymentInCommission } from './fee-schedule.ts';
import { type FeeTable, feeTimesWhole } from './fee-table.ts';
import { categoryKey } from './fee-tables.ts';
import { highestSource } from './highest-source.ts';
import { areConsistent, reportedRates } from './reported-rates.ts';
import { schedulePieces } from './schedule-pieces.ts';
import { atLeastSetAside } from './set-aside.ts';
import { agreedAnswers, settledSchedule } from './settled-schedule.ts';

/** A commission that a user entered for a listing. */
export interface OwnRate {
  readonly rate: Bps;
  /** Null where that is not known. */
  readonly by: string | null;
}

/** Everything that says what a marketplace takes for a listing. */
export interface FeeEvidence {
  readonly marketplace: Marketplace;
  readonly fulfillmentType: FulfillmentType;
  /** A user's own rate for the listing; null for none. */
  readonly ownRate: OwnRate | null;
  /** Used answers of the marketplace, oldest first, for any fulfillment type. */
  readonly answers: readonly FeeAnswer[];
  /**
   * What was taken of sales of each other listing, by the category by which this one was last charged, or, never charged, as
   * others of its product type; oldest first.
   */
  readonly sameCategory: readonly (readonly FeeAnswer[])[];
  /** The marketplace's schedules in force. */
  readonly candidates: readonly FeeCandidate[];
  /** The schedule of the listing's category, or the default without one; null while it is unknown. */
  readonly schedule: FeeSchedule | null;
  readonly category: FeeCategorySource;
  /** The marketplace's default where its fee is higher than that of a category that no user accepted. */
  readonly atLeast?: FeeSchedule;
  /** Price and shipping charge now. */
  readonly revenue: Cents;
  readonly salesTax: Bps;
  /**
   * What was reported since is doubted: the marketplace reported other fees for many listings at once, and no administrator has
   * accepted or rejected them yet. Null: nothing is.
   */
  readonly doubtedSince: Instant | null;
  readonly now: Instant;
}

/** Which fee counts for a listing, and which lower one waits. */
export interface ListingFees {
  /** Null while the fee is unknown. */
  readonly inForce: FeeSource | null;
  /** A lower fee that waits for a second answer, or for a user, with its newest answer; null for none. */
  readonly held: HeldSource | null;
}

/** A lower fee that does not count yet. */
interface HeldSource extends ReportedSource {
  /** The answers that say so: each of them may be the first of two. At least one. */
  readonly answers: readonly FeeAnswer[];
}

/** Answers count for this long; of older ones only those of the newest day. What was taken of sales: not at all then. */
const ANSWERS_COUNT = hours(60 * 24);
const SALES_COUNT = hours(180 * 24);
/** A lower fee is believed when it is reported again after this long. */
const CONFIRMED_AFTER = hours(24);
/** A fee that falls at any reported revenue by more than this share of it waits. */
const MAX_SUDDEN_FALL = 50 as Bps;

/**
 * Which fee counts: a user's own rate, else what the marketplace reported, else the schedule of the category or the
 * marketplace's default. A rise is believed at once, a fall the second time.
 */
export function feesOfListing(evidence: FeeEvidence): ListingFees {
  const { ownRate, schedule, category, atLeast } = evidence;
  if (ownRate !== null) {
    return { inForce: schedule === null ? null : { kind: 'person', ...ownRate, schedule }, held: null };
  }
  const scheduled: FeeSource | null =
    schedule === null
      ? null
      : { kind: 'schedule', schedule, category, ...(atLeast === undefined ? {} : { atLeast }) };
  const answers = countingAnswers(evidence);
  const fees = raisedByOthers(believed(answers, scheduled, evidence), answers, evidence);
  const doubted = answers.filter((answer) => isDoubted(answer, evidence));
  if (doubted.length === 0) return fees;
  const trusted = evidence.answers.filter((answer) => !isDoubted(answer, evidence));
  const before = believed(countingAnswers({ ...evidence, answers: trusted }), scheduled, evidence);
  return atLeastBefore(before, fees, doubted, evidence);
}

function isDoubted({ toldAt, isAccepted }: FeeAnswer, { doubtedSince }: FeeEvidence): boolean {
  return doubtedSince !== null && toldAt >= doubtedSince && !isAccepted;
}

/**
 * The higher of the fees before doubted answers and with them, at each revenue: their rises count, but move no price; their
 * falls wait.
 */
function atLeastBefore(
  { inForce: before, held }: ListingFees,
  after: ListingFees,
  doubted: readonly FeeAnswer[],
  { salesTax }: FeeEvidence,
): ListingFees {
  const reported = after.held ?? after.inForce;
  if (before === null || after.inForce?.kind !== 'told' || reported?.kind !== 'told')
    return { inForce: before, held };
  let highest = highestSource(before, after.inForce, null, salesTax);
  // Of a listing with rates of its own now, its schedules say nothing of the rise.
  for (const answer of after.inForce.schedules.length === 0 ? doubted : []) {
    const rise = riseOf(answer, before, salesTax);
    if (rise !== null) highest = highestSource(highest, after.inForce, rise, salesTax);
  }
  const answers = after.held?.answers ?? doubted.slice(-1);
  const waiting = isHigherSomewhere(before, reported, salesTax) ? { ...reported, answers } : held;
  if (highest.kind !== 'told' || !isHigherSomewhere(highest, before, salesTax)) {
    return { inForce: before, held: waiting };
  }
  return { inForce: { ...highest, isDoubted: true }, held: waiting };
}

/** Whether a fee is above another one by more than a cent at an end of any range of either. */
function isHigherSomewhere(source: FeeSource, other: FeeSource, salesTax: Bps): boolean {
  const [fees, others] = [tableOf(source, salesTax), tableOf(other, salesTax)];
  return [...fees.pieces, ...others.pieces].some(({ from, to }) =>
    [from, to].some((end) => feeTimesWhole(fees, end) > feeTimesWhole(others, end) + WHOLE),
  );
}

/**
 * The fees that may count at a revenue, in ten-thousandths of a cent: of several schedules that of each; of a listing with
 * rates of its own that of the revenue, beyond what was asked all of them. Of a sale the commission alone is reported.
 */
export function knownFees(
  source: ReportedSource,
  revenue: Cents,
  { salesTax }: Pick<FeeEvidence, 'salesTax'>,
): readonly number[] {
  if (source.schedules.length > 0) {
    const reported = source.by === 'settled' ? source.schedules.map(commissionAlone) : source.schedules;
    return reported
      .map((schedule) => feeTimesWhole({ pieces: schedulePieces(schedule, salesTax) }, revenue))
      .filter((fee) => !Number.isNaN(fee));
  }
  const there = source.rates.filter(({ from, to }) => from <= revenue && revenue <= to);
  const rates = there.length > 0 && !there.some(({ isAssumed }) => isAssumed) ? there : source.rates;
  // Such a rate was rounded up by the half cent that the marketplace may have rounded off.
  return rates.map(({ percent, perUnit }) => percent * revenue + perUnit * WHOLE - WHOLE / 2);
}

/**
 * The answers that count now: of the listing's fulfillment type, and recent ones where there are any. What was taken of sales
 * does not count where the schedule has the payment fee in its commission: the marketplace reported a part of that alone.
 */
export function countingAnswers({
  answers,
  fulfillmentType,
  schedule,
  now,
}: Pick<FeeEvidence, 'answers' | 'fulfillmentType' | 'schedule' | 'now'>): readonly FeeAnswer[] {
  const isComparable = schedule === null || !hasPaymentInCommission(schedule);
  const ofType = answers.filter(
    (answer) => answer.fulfillmentType === fulfillmentType && (isComparable || answer.source !== 'settled'),
  );
  if (ofType.some(({ source }) => source === 'settled'))
    return ofType.filter(({ toldAt }) => now - toldAt < SALES_COUNT);
  const recent = ofType.filter(({ toldAt }) => now - toldAt < ANSWERS_COUNT);
  if (recent.length > 0) return recent;
  const last = ofType.at(-1);
  return last === undefined ? [] : ofType.filter((answer) => dayOf(answer.toldAt) === dayOf(last.toldAt));
}

/**
 * Reads the answers in their order. While a fall at any reported revenue is unconfirmed, the higher fee of before and after
 * counts at each revenue.
 */
function believed(
  answers: readonly FeeAnswer[],
  scheduled: FeeSource | null,
  evidence: FeeEvidence,
): ListingFees {
  // The usual case, a hundred times as fast: with a schedule that fits all of it nothing fell, see `isRefined`.
  if (evidence.candidates.some((candidate) => answers.every((answer) => fits(candidate, answer)))) {
    return { inForce: reportedSource(answers, evidence) ?? scheduled, held: null };
  }
  let inForce = scheduled;
  let held: HeldSource | null = null;
  /** Those below the fee in force. */
  let lower: readonly FeeAnswer[] = [];
  for (const [index, answer] of answers.entries()) {
    const reported = answers.slice(0, index + 1);
    const before = inForce;
    const after = reportedSource(reported, evidence);
    if (after === null) continue;
    const isLowerAt = lowerFees(before, after, evidence.salesTax);
    const fallen = [evidence.revenue, ...new Set(reported.map(revenueOf))].filter(isLowerAt);
    const isFall = fallen.length > 0 && !isRefined(before, after, reported, fallen, evidence);
    const isLower = isFall && isLowerAt(revenueOf(answer));
    // What is reported now contradicts what was reported of the same revenue before.
    if (!isLower) lower = lower.filter((each) => revenueOf(each) !== revenueOf(answer));
    // What was reported as lower, but not as low, says nothing of a fee this low.
    else lower = lower.filter((each) => !isLowerThan(answer, each));
    const { isAccepted } = answer;
    const isAgain = isLower && isConfirmed(answer, lower[0]);
    if (isAgain && !isAccepted && held !== null && isLowerBeyond(held, after, answer, evidence)) {
      // Reported again, but lower still where nothing was reported: that waits in turn.
      const { answers: _, ...confirmed } = held;
      inForce = confirmed;
      held = { ...after, answers: [answer] };
      lower = [answer];
    } else if (before === null || !isFall || isAccepted || isAgain) {
      inForce = after;
      held = null;
      lower = [];
    } else {
      inForce = highestSource(before, after, riseOf(answer, before, evidence.salesTax), evidence.salesTax);
      if (isLower) lower = [...lower, answer];
      const waiting = lower.length === 0 ? [answer] : lower;
      const { askedPrice, toldAt } = waiting.at(-1) ?? answer;
      held = { ...after, askedPrice, toldAt, answers: waiting };
    }
  }
  return { inForce: atLeastSetAside(inForce, answers, evidence), held };
}

/** Whether an answer is lower than another one to the same question by more than may happen at once. */
function isLowerThan(answer: FeeAnswer, other: FeeAnswer): boolean {
  const revenue = revenueOf(answer);
  const difference = other.commission + other.perUnit - answer.commission - answer.perUnit;
  return revenueOf(other) === revenue && difference * WHOLE > MAX_SUDDEN_FALL * revenue;
}

/** The rate of an answer that is above the fee before; null for one that is not. */
function riseOf(answer: FeeAnswer, before: FeeSource, salesTax: Bps): ReportedRate | null {
  const revenue = revenueOf(answer);
  const isAbove = (answer.commission + answer.perUnit) * WHOLE > feeOf(before, salesTax)(revenue) + WHOLE;
  return isAbove ? (reportedRates([answer])[0] ?? null) : null;
}

/** Whether more is known now, and nothing of it contradicts what was reported before: then the fee did not fall. */
function isRefined(
  before: FeeSource | null,
  after: ReportedSource,
  reported: readonly FeeAnswer[],
  fallen: readonly Cents[],
  { candidates }: FeeEvidence,
): boolean {
  if (after.schedules.length === 0) {
    const rates = ownRates(before);
    const wasAssumed = (revenue: Cents) => rates.some(({ from, to }) => from <= revenue && revenue <= to);
    return fallen.every(wasAssumed) && areConsistent(reported);
  }
  return candidates.some((candidate) => reported.every((answer) => fits(candidate, answer)));
}

function isConfirmed({ toldAt }: FeeAnswer, first: FeeAnswer | undefined): boolean {
  return first !== undefined && toldAt - first.toldAt >= CONFIRMED_AFTER;
}

/** Whether an answer lowers the fee outside of what was asked of a listing with rates of its own. */
function isLowerBeyond(
  source: ReportedSource,
  after: ReportedSource,
  answer: FeeAnswer,
  { salesTax }: FeeEvidence,
): boolean {
  const revenue = revenueOf(answer);
  if (!Number.isNaN(feeOf(source, salesTax)(revenue))) return false;
  return lowerFees(source, after, salesTax)(revenue);
}

/** Where the fee falls by more than may happen at once. */
function lowerFees(
  before: FeeSource | null,
  after: ReportedSource,
  salesTax: Bps,
): (revenue: Cents) => boolean {
  if (before === null) return () => false;
  const feeBefore = feeOf(before, salesTax);
  const feeAfter = feeOf(after, salesTax);
  const rates = ownRates(before);
  // Beyond what was asked of a listing with rates of its own: the highest of them.
  const highest = (revenue: Cents) =>
    Math.max(...rates.map(({ percent, perUnit }) => percent * revenue + perUnit * WHOLE));
  return (revenue) => {
    const known = feeBefore(revenue);
    const reference = Number.isNaN(known) && rates.length > 0 ? highest(revenue) : known;
    // An unknown fee is NaN, and no fall.
    return reference - feeAfter(revenue) > MAX_SUDDEN_FALL * revenue;
  };
}

function ownRates(source: FeeSource | null): readonly ReportedRate[] {
  return source?.kind === 'told' && source.schedules.length === 0 ? source.rates : [];
}

function feeOf(source: FeeSource, salesTax: Bps): (revenue: Cents) => number {
  const table = tableOf(source, salesTax);
  return (revenue) => feeTimesWhole(table, revenue);
}

function tableOf(source: FeeSource, salesTax: Bps): FeeTable {
  const none = 0 as Bps;
  const parts = { fulfillment: [], shippingCharge: 0 as Cents, adShare: none, returnShare: none };
  return composeFees({ source, salesTax, ...parts });
}

/** Those of the category by which the marketplace last charged; all of them where it charged by no known one. */
function ofReportedCategory(
  fitting: readonly FeeCandidate[],
  answers: readonly FeeAnswer[],
): readonly FeeCandidate[] {
  const reported = fitting.filter((candidate) => isOfCategory(candidate, lastCategory(answers)));
  return reported.length > 0 ? reported : fitting;
}

function isOfCategory({ categories }: FeeCandidate, category: string | null): boolean {
  return category !== null && categories.has(categoryKey(category));
}

/** The category by which the marketplace last charged; null where it reported none. */
function lastCategory(answers: readonly FeeAnswer[]): string | null {
  return answers.findLast(({ settled }) => settled?.category != null)?.settled?.category ?? null;
}

/**
 * What was taken of other listings by the same category raises the fee at prices of which no sale of the listing itself
 * reports. It never lowers it: they may have other terms.
 */
function raisedByOthers(
  fees: ListingFees,
  answers: readonly FeeAnswer[],
  { candidates, sameCategory, schedule, atLeast, marketplace, salesTax }: FeeEvidence,
): ListingFees {
  const { inForce } = fees;
  const newest = answers.at(-1);
  if (sameCategory.length === 0 || inForce === null || schedule === null) return fees;
  if (newest === undefined) {
    const others = agreedAnswers(sameCategory, schedule);
    const isHigher = others.some((answer) => riseOf(answer, inForce, salesTax) !== null);
    if (inForce.kind !== 'schedule' || !isHigher) return fees;
    const atLeastOthers = settledSchedule([], schedule, atLeast ?? null, others);
    return { ...fees, inForce: { ...inForce, atLeast: atLeastOthers, isRaisedByType: true } };
  }
  if (newest.settled === undefined) return fees;
  const category = lastCategory(answers);
  if (candidatesFor(candidates, answers).some((candidate) => isOfCategory(candidate, category))) return fees;
  const others = agreedAnswers(sameCategory, schedule);
  if (!others.some((answer) => riseOf(answer, inForce, salesTax) !== null)) return fees;
  const { toldAt, askedPrice } = inForce.kind === 'told' ? inForce : newest;
  const schedules = [settledSchedule(answers, schedule, atLeast ?? null, others)];
  const raised: ReportedSource = {
    kind: 'told',
    marketplace,
    by: 'settled',
    toldAt,
    askedPrice,
    schedules,
    rates: [],
  };
  return { ...fees, inForce: highestSource(inForce, raised, null, salesTax) };
}

/** What answers say together; null without any. */
function reportedSource(answers: readonly FeeAnswer[], evidence: FeeEvidence): ReportedSource | null {
  const { candidates, marketplace } = evidence;
  const newest = answers.at(-1);
  if (newest === undefined) return null;
  const { source, toldAt, askedPrice } = newest;
  const fitting = ofReportedCategory(candidatesFor(candidates, answers), answers);
  const schedules = fitting.map(({ schedule }) => schedule);
  if (source === 'settled' && schedules.length === 0) {
    // Without a schedule nothing is known of what it takes besides the commission.
    const { schedule, atLeast } = evidence;
    if (schedule === null) return null;
    const known = settledSchedule(answers, schedule, atLeast ?? null);
    return { kind: 'told', marketplace, by: source, toldAt, askedPrice, schedules: [known], rates: [] };
  }
  const rates = schedules.length > 0 ? [] : reportedRates(answers);
  return { kind: 'told', marketplace, by: source, toldAt, askedPrice, schedules, rates };
}
