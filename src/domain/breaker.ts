import type { RunShares } from './run-tally.ts';

/** Fewer listings than this prove nothing. */
export const LEAST_LISTINGS = 5;
/** Runs that a new one is compared with. */
export const PAST_RUNS = 10;
const FEW_RUNS = 3;
const LIMIT = { count: 1, whole: 5 };
const LIMIT_WITHOUT_PAST = { count: 1, whole: 2 };
const USUAL_TIMES = 3;

/** Every run of the last hour and the one that is planned, together. */
export interface HourShares {
  /** All listings that the engine is free to change now. */
  readonly mayChange: number;
  /** Listings that cost at least 10 % less than an hour ago, by the engine. */
  readonly dropped: number;
  readonly onFloor: number;
  readonly newlyBlocked: number;
  readonly samePrice: number;
}

type Measure = 'onFloor' | 'newlyBlocked' | 'samePrice';

const WORDS = {
  onFloor: 'would be put on their lowest legal price',
  newlyBlocked: 'would be blocked that were not before',
  samePrice: 'would get one and the same price',
} as const satisfies Record<Measure, string>;

/**
 * Whether a run is too wild to let it record anything.
 * @param past the last {@link PAST_RUNS} runs before it that are comparable, in any order
 * @param hour null leaves the rolling hour out
 * @returns why it is stopped, for people; null lets it pass
 */
export function breakerVerdict(
  run: RunShares,
  hour: HourShares | null,
  past: readonly RunShares[],
): string | null {
  return (
    sharesVerdict(run, '', past) ?? (hour === null ? null : sharesVerdict(hour, 'over one hour, ', past))
  );
}

function sharesVerdict(
  now: HourShares & { readonly competitive?: number },
  when: string,
  past: readonly RunShares[],
): string | null {
  if (isBeyond({ count: now.dropped, whole: now.mayChange }, LIMIT)) {
    return sentence({ count: now.dropped, whole: now.mayChange }, when, 'would drop by 10% or more', '20%');
  }
  for (const measure of ['onFloor', 'newlyBlocked', 'samePrice'] as const) {
    const share = { count: now[measure], whole: wholeOf(now, measure) };
    const limit = past.length < FEW_RUNS ? LIMIT_WITHOUT_PAST : usualLimit(past, measure);
    if (isBeyond(share, limit)) return sentence(share, when, WORDS[measure], limitWords(limit));
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
  return measure === 'onFloor' ? (competitive ?? mayChange) : mayChange;
}

/** 20 % or three times the highest share of the past, whichever is more. */
function usualLimit(past: readonly RunShares[], measure: Measure): Share {
  const isMore = (a: Share, b: Share): boolean => a.count * b.whole > b.count * a.whole;
  return past
    .map((run) => ({ count: USUAL_TIMES * run[measure], whole: wholeOf(run, measure) }))
    .reduce((most: Share, share) => (isMore(share, most) ? share : most), LIMIT);
}

function isBeyond({ count, whole }: Share, limit: Share): boolean {
  return count >= LEAST_LISTINGS && count * limit.whole > limit.count * whole;
}

function limitWords(limit: Share): string {
  if (limit === LIMIT) return '20%';
  if (limit === LIMIT_WITHOUT_PAST) return '50% while there are fewer than three runs to compare with';
  return `${percentOf(limit)}, three times the highest of the last ten runs`;
}

function percentOf({ count, whole }: Share): string {
  return `${Math.round((count / whole) * 100)}%`;
}

function sentence(share: Share, when: string, what: string, limit: string): string {
  const many = `${share.count} of ${share.whole} listings that may change (${percentOf(share)})`;
  const text = `${when}${many} ${what}. The limit is ${limit}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
