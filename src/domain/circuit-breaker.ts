import type { RunShares } from './run-tally.ts';
import { percentText } from './text.ts';
import { type Bps, WHOLE } from './units.ts';

/** Fewer listings than this prove nothing. */
export const MIN_LISTINGS = 5;
/** Runs that a new one is compared with. */
export const PAST_RUNS = 10;
const FEW_RUNS = 3;
const USUAL_TIMES = 3;

/** What a shop may set about the circuit breaker. It can be made stricter or laxer, never be switched off. */
export interface BreakerLimits {
  /** Most of the listings that may change which may drop in one run. */
  readonly dropShare: Bps;
  /** A price that falls by this share of itself, or more, counts as dropped. */
  readonly dropDepth: Bps;
  /** Most that may go to their floor, be blocked or get one price, unless earlier runs did much the same. */
  readonly sameOutcomeShare: Bps;
}

/** The limits of a new install. */
export const DEFAULT_BREAKER = {
  dropShare: 2_000 as Bps,
  dropDepth: 1_000 as Bps,
  sameOutcomeShare: 2_000 as Bps,
} as const satisfies BreakerLimits;

/** Every run of the last hour and the one that is planned, together. */
export interface HourShares {
  /** All listings that the engine is free to change now. */
  readonly mayChange: number;
  /** Listings that cost less than an hour ago by the depth of a drop or more, by the engine. */
  readonly dropped: number;
  readonly atMarginFloor: number;
  readonly newlyBlocked: number;
  readonly atSamePrice: number;
}

type Measure = 'atMarginFloor' | 'newlyBlocked' | 'atSamePrice';

const WORDS = {
  atMarginFloor: 'would drop to their margin floor',
  newlyBlocked: 'would be newly blocked',
  atSamePrice: 'would get the same price',
} as const satisfies Record<Measure, string>;

/**
 * Whether a run is too wild to let it record anything.
 * @param past the last {@link PAST_RUNS} runs before it that are comparable, in any order
 * @param hour null leaves the rolling hour out
 * @returns why it is stopped, for people; null lets it pass
 */
export function circuitBreakerReason(
  run: RunShares,
  hour: HourShares | null,
  past: readonly RunShares[],
  limits: BreakerLimits,
): string | null {
  return (
    sharesVerdict(run, '', past, limits) ??
    (hour === null ? null : sharesVerdict(hour, 'over one hour, ', past, limits))
  );
}

function sharesVerdict(
  now: HourShares & { readonly competitive?: number },
  when: string,
  past: readonly RunShares[],
  { dropShare, dropDepth, sameOutcomeShare }: BreakerLimits,
): string | null {
  const dropped = { count: now.dropped, whole: now.mayChange };
  if (isBeyond(dropped, shareOf(dropShare))) {
    const what = `would drop by ${percentText(dropDepth)} or more`;
    return sentence(dropped, when, what, percentText(dropShare));
  }
  for (const measure of ['atMarginFloor', 'newlyBlocked', 'atSamePrice'] as const) {
    const share = { count: now[measure], whole: wholeOf(now, measure) };
    const { limit, words } =
      past.length < FEW_RUNS ? WITHOUT_PAST : usualLimit(past, measure, sameOutcomeShare);
    if (isBeyond(share, limit)) return sentence(share, when, WORDS[measure], words);
  }
  return null;
}

/** Counts, never their quotient: 3 x 30% is not quite 90% in binary fractions. */
interface Share {
  readonly count: number;
  readonly whole: number;
}

function wholeOf(
  { mayChange, competitive }: { mayChange: number; competitive?: number },
  measure: Measure,
): number {
  return measure === 'atMarginFloor' ? (competitive ?? mayChange) : mayChange;
}

/** A limit and how it is told. */
interface ToldLimit {
  readonly limit: Share;
  readonly words: string;
}

/** No share that can be set is wider, see `GUARD_RANGES` of the contract. */
const WITHOUT_PAST: ToldLimit = {
  limit: { count: 1, whole: 2 },
  words: '50% while there are fewer than three runs to compare with',
};

/** The share that is set or three times the highest share of the past, whichever is more. */
function usualLimit(past: readonly RunShares[], measure: Measure, set: Bps): ToldLimit {
  const isMore = (a: Share, b: Share): boolean => a.count * b.whole > b.count * a.whole;
  const highest = past
    .map((run) => ({ count: USUAL_TIMES * run[measure], whole: wholeOf(run, measure) }))
    .reduce((most: Share, share) => (isMore(share, most) ? share : most), { count: 0, whole: 1 });
  return isMore(highest, shareOf(set))
    ? { limit: highest, words: `${percentOf(highest)}, three times the highest of the last ten runs` }
    : { limit: shareOf(set), words: percentText(set) };
}

function shareOf(share: Bps): Share {
  return { count: share, whole: WHOLE };
}

function isBeyond({ count, whole }: Share, limit: Share): boolean {
  return count >= MIN_LISTINGS && count * limit.whole > limit.count * whole;
}

function percentOf({ count, whole }: Share): string {
  return `${Math.round((count / whole) * 100)}%`;
}

function sentence(share: Share, when: string, what: string, limit: string): string {
  const [count, all] = [share.count, share.whole].map((number) => number.toLocaleString('en-US'));
  const whole = percentOf(share);
  // "20%. The limit is 20%." is no reason: then the tenths are told, and never rounded down to the limit.
  const percent = limit.startsWith(whole) ? `${Math.ceil((share.count / share.whole) * 1_000) / 10}%` : whole;
  const many = `${count} of ${all} listings that may change (${percent})`;
  const text = `${when}${many} ${what}. The limit is ${limit}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
