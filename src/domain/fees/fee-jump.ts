import { type Bps, type Cents, type Instant, WHOLE } from '#domain/units.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import { candidatesFor } from './fee-candidates.ts';
import { simplestRate } from './fee-drift.ts';
import { type AnswerKey, timeOf } from './fee-fact.ts';
import { feeTimesWhole } from './fee-table.ts';
import { countingAnswers, type FeeEvidence, feesOfListing, knownFees } from './fees-of-listing.ts';
import { type FulfillmentAnswer, isAnswerIn } from './fulfillment-answer.ts';
import { type DatedFulfillmentEvidence, reportedFulfillment, reportedSteps } from './reported-fulfillment.ts';
import { unchangedAnswers } from './reported-rates.ts';
import { countingFulfillment } from './settled-fulfillment.ts';
import { usualCharge } from './usual-charge.ts';
import { feeAtPrice, isInBand, priceBandsOf, stepAtPrice } from './warehouse-fee.ts';

/** What a fee that jumped is: the fulfillment fee, or everything else. */
export const FEE_PARTS = ['commission', 'fulfillment'] as const;
export type FeePartName = (typeof FEE_PARTS)[number];

/** A fee that is reported far from what was reported of the listing before, as shares of the same revenue; of fulfillment, of the price. */
export interface FeeJump {
  readonly before: Bps;
  readonly told: Bps;
}

/** Which answers of a listing jumped. */
export interface FoundJump extends FeeJump {
  /** When the first of those that jumped was reported. */
  readonly since: Instant;
  /** Of a fulfillment fee, per unit: the one that counted before, and the one that is reported. */
  readonly fees?: { readonly before: Cents; readonly reported: Cents };
}

/** A fee reported this many points away from all that may count is a jump. */
export const SMALLEST_JUMP = 200 as Bps;

/** Which answers of a listing are new. */
type IsNew = (answer: AnswerKey) => boolean;

/**
 * How far what is reported now is from what was reported of the listing before: the larger one where several prices are reported at once. What is reported for the first time is no jump, and neither is an answer that one of the schedules left over has.
 * Without the fulfillment fee: `fulfillmentJump`.
 * @param isNew by default the answers of this very moment; those of sales are read later than they were reported
 * @returns null for one that is no jump, and for a listing with a rate of its own
 */
export function feeJump(
  evidence: FeeEvidence,
  isNew: IsNew = ({ toldAt }) => toldAt === evidence.now,
): FoundJump | null {
  const newest = countingAnswers(evidence).filter(isNew);
  if (newest.length === 0) return null;
  const earlier = { ...evidence, answers: evidence.answers.filter((answer) => !isNew(answer)) };
  const known = countingAnswers(earlier);
  if (known.length === 0) return null;
  const settled = newest.filter(({ source }) => source === 'settled');
  if (settled.length > 0) {
    if (evidence.ownRate !== null) return null;
    const knownAt = settledFees(known, evidence);
    const last = newestOf(known);
    return largest(
      settled
        .filter((answer) => timeOf(answer) >= last)
        .flatMap((answer) => jumpOf(answer, knownAt(revenueOf(answer)))),
    );
  }
  const { inForce } = feesOfListing(earlier);
  if (inForce?.kind !== 'told') return null;
  return largest(newest.flatMap((answer) => jumpOf(answer, knownFees(inForce, revenueOf(answer), evidence))));
}

function newestOf(answers: readonly Pick<AnswerKey, 'toldAt'>[]): number {
  return Math.max(...answers.map(timeOf));
}

/**
 * The commissions that what was taken before allows at a revenue, in ten-thousandths of a cent: those of the schedules that agree
 * with it, else every share that was taken. What a schedule says beyond the prices sold was reported by no one.
 */
function settledFees(
  earlier: readonly FeeAnswer[],
  { candidates }: FeeEvidence,
): (revenue: Cents) => readonly number[] {
  const fitting = candidatesFor(candidates, earlier);
  return (revenue) =>
    fitting.length > 0
      ? fitting
          .map(({ commission }) => feeTimesWhole({ pieces: commission }, revenue))
          .filter((fee) => !Number.isNaN(fee))
      : unchangedAnswers(earlier).map((answer) => (answer.commission * WHOLE * revenue) / revenueOf(answer));
}

/**
 * How far the fulfillment fee reported now is from the one that counted before, as shares of the price. One that the published
 * fees explain is none: where a season or another table began, they count. Neither is one from before what was known of its
 * price band.
 * @param evidence answers as they were reported, oldest first
 * @param published the fee of the table for the package, with which charges are compared; null without one
 * @returns null for one that is no jump
 */
export function fulfillmentJump(
  evidence: DatedFulfillmentEvidence,
  isNew: IsNew = ({ toldAt }) => toldAt === evidence.now,
  published: readonly FulfillmentStep[] | null = null,
): FoundJump | null {
  const earlier = evidence.answers.filter((answer) => !isNew(answer));
  if (earlier.length === evidence.answers.length) return null;
  const counting = countingFulfillment({ ...evidence, answers: earlier }, published);
  if (counting.length === 0) return null;
  const steps = reportedSteps({ ...evidence, answers: counting }, null);
  const shareOf = (fee: Cents, price: Cents) => Math.min(WHOLE, Math.round((fee * WHOLE) / price)) as Bps;
  const bands = priceBandsOf(evidence.marketplace).map((band) => {
    const known = earlier.filter((answer) => isAnswerIn(band, answer));
    const least = published === null ? null : leastFee({ ...evidence, answers: known }, published);
    const explained = least === null || published === null ? null : feeAtPrice(published, band.from);
    return { band, last: newestOf(known), usual: usualCharge(known, evidence.now), least, explained };
  });
  return largest(
    evidence.answers.filter(isNew).flatMap((answer) => {
      const { askedPrice: price, fee } = answer;
      const step = stepAtPrice(steps, price);
      const known = bands.find(({ band }) => isInBand(band, price));
      const { last = 0, usual = null, least = null, explained = null } = known ?? {};
      const before = step?.isAssumed === true ? least : (step?.fee ?? null);
      const isFar = (other: number | null) => other === null || isFarFrom(other, answer);
      // What is usually charged is no change after a higher one: it waits for a second sale anyway.
      if (timeOf(answer) < last || before === null || ![before, usual, explained].every(isFar)) return [];
      const shares = { before: shareOf(before, price), told: shareOf(fee, price) };
      return [{ ...shares, since: timeOf(answer), fees: { before, reported: fee } }];
    }),
  );
}

/**
 * The fee of a price band whose charges only say what it is at least, with the published one: too old, or from before the fees or
 * the package changed.
 * @returns null where a charge decides it, and without any
 */
function leastFee(evidence: DatedFulfillmentEvidence, published: readonly FulfillmentStep[]): Cents | null {
  const [newest] = evidence.answers.slice(-1);
  const answers = countingFulfillment(evidence, published);
  if (newest === undefined || answers.length === 0) return null;
  const { steps, isReported } = reportedFulfillment({ ...evidence, answers }, published);
  return isReported ? null : feeAtPrice(steps, newest.askedPrice);
}

/** Whether a fulfillment fee is so far from another one, in cents, that it jumped: by more than 2% of the price. */
export function isFarFrom(known: number, { fee, askedPrice }: FulfillmentAnswer): boolean {
  return Math.abs(fee - known) * WHOLE > SMALLEST_JUMP * askedPrice;
}

/** The largest one, with when the first one was reported: a report that mixed up its rows is too high and too low. */
function largest(jumps: readonly FoundJump[]): FoundJump | null {
  const most = jumps.reduce<FoundJump | null>(
    (found, each) => (found === null || sizeOf(each) > sizeOf(found) ? each : found),
    null,
  );
  if (most === null) return null;
  return { ...most, since: Math.min(...jumps.map(({ since }) => since)) as Instant };
}

/** A share of the price is at most all of it. */
function sizeOf({ before, told, fees }: FoundJump): number {
  return fees === undefined || told < WHOLE ? Math.abs(told - before) : fees.reported;
}

/** @param known fees at the revenue of the answer, any of which may count, in ten-thousandths of a cent */
function jumpOf(answer: FeeAnswer, known: readonly number[]): FoundJump[] {
  const revenue = revenueOf(answer);
  const reported = (answer.commission + answer.perUnit) as Cents;
  if (known.length === 0 || revenue === 0) return [];
  const nearest = Math.min(Math.max(reported * WHOLE, Math.min(...known)), Math.max(...known));
  // The marketplace rounds to the cent.
  if (Math.abs(reported * WHOLE - nearest) <= SMALLEST_JUMP * revenue + WHOLE) return [];
  const rateOf = (fee: number) => Math.min(WHOLE, simplestRate(Math.round(fee) as Cents, revenue)) as Bps;
  return [{ before: rateOf(nearest / WHOLE), told: rateOf(reported), since: timeOf(answer) }];
}

/** What a marketplace reported within a day: answers and, of sales, what was read then. */
export interface ReportedFees {
  /** Listings with a jump. */
  readonly jumped: number;
  /** Listings of which anything was reported. */
  readonly told: number;
  /** Listings of the marketplace. */
  readonly listings: number;
}

const FEWEST_JUMPS = 5;
const LARGEST_SHARE = 2_000 as Bps;
/** Of more listings than this, the share of those reported within a day decides: all of them take longer to read. */
const READ_IN_A_DAY = 1_000;

/** Whether so many fees jumped that they may be a mistake of the marketplace: at least five, and more than a fifth. */
export function areTooManyJumps({ jumped, told, listings }: ReportedFees): boolean {
  const whole = Math.max(told, Math.min(listings, READ_IN_A_DAY));
  return jumped >= FEWEST_JUMPS && jumped * WHOLE > LARGEST_SHARE * whole;
}
