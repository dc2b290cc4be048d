import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import { simplestRate } from './fee-drift.ts';
import { countingAnswers, type FeeEvidence, feesOfListing, knownFees } from './fees-of-listing.ts';

/** A fee that is told far from what was told of the listing before, as shares of the same revenue. */
export interface FeeJump {
  readonly before: Bps;
  readonly told: Bps;
}

/** A fee told this many points away from all that may count is a jump. */
const SMALLEST_JUMP = 200 as Bps;

/**
 * How far what is told now is from what was told of the listing before: the larger one where several prices are told at once. What is told for the first time is no jump, and neither is an answer that one of the schedules left over has.
 * Without the fulfillment fee, which follows seasons and sizes.
 * @returns null for one that is no jump, and for a listing with a rate of its own
 */
export function feeJump(evidence: FeeEvidence): FeeJump | null {
  const { now } = evidence;
  const newest = countingAnswers(evidence).filter(({ toldAt }) => toldAt === now);
  if (newest.length === 0) return null;
  const earlier = { ...evidence, answers: evidence.answers.filter(({ toldAt }) => toldAt < now) };
  if (countingAnswers(earlier).length === 0) return null;
  const { inForce } = feesOfListing(earlier);
  if (inForce?.kind !== 'told') return null;
  const jumps = newest.flatMap((answer) => jumpOf(answer, knownFees(inForce, revenueOf(answer), evidence)));
  return jumps.reduce<FeeJump | null>(
    (largest, each) => (largest === null || sizeOf(each) > sizeOf(largest) ? each : largest),
    null,
  );
}

function sizeOf({ before, told }: FeeJump): number {
  return Math.abs(told - before);
}

/** @param known fees at the revenue of the answer, any of which may count, in ten-thousandths of a cent */
function jumpOf(answer: FeeAnswer, known: readonly number[]): FeeJump[] {
  const revenue = revenueOf(answer);
  const told = (answer.commission + answer.perUnit) as Cents;
  if (known.length === 0 || revenue === 0) return [];
  const nearest = Math.min(Math.max(told * WHOLE, Math.min(...known)), Math.max(...known));
  // The marketplace rounds to the cent.
  if (Math.abs(told * WHOLE - nearest) <= SMALLEST_JUMP * revenue + WHOLE) return [];
  const rateOf = (fee: number) => Math.min(WHOLE, simplestRate(Math.round(fee) as Cents, revenue)) as Bps;
  return [{ before: rateOf(nearest / WHOLE), told: rateOf(told) }];
}

/** What a marketplace told within a day. */
export interface FeesTold {
  /** Listings with a jump. */
  readonly jumped: number;
  /** Listings of which anything was told. */
  readonly told: number;
  /** Listings of the marketplace. */
  readonly listings: number;
}

const FEWEST_JUMPS = 5;
const LARGEST_SHARE = 2_000 as Bps;
/** Of more listings than this, the share of those told within a day decides: all of them take longer to read. */
const READ_IN_A_DAY = 1_000;

/** Whether so many fees jumped that they may be a mistake of the marketplace: at least five, and more than a fifth. */
export function areTooManyJumps({ jumped, told, listings }: FeesTold): boolean {
  const whole = Math.max(told, Math.min(listings, READ_IN_A_DAY));
  return jumped >= FEWEST_JUMPS && jumped * WHOLE > LARGEST_SHARE * whole;
}
