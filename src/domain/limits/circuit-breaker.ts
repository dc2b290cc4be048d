import type { RunShares } from '#domain/decision/run-tally.ts';
import { percentText } from '#domain/text.ts';
import { type Bps, WHOLE } from '#domain/units.ts';

/** The circuit breaker ignores outcomes of fewer listings. */
export const MIN_LISTINGS = 5;
/** The number of past runs that a new run is compared with. */
export const PAST_RUNS = 10;
const MIN_PAST_RUNS = 3;
const PAST_SHARE_FACTOR = 3;

/** The adjustable limits of the circuit breaker. It cannot be turned off. */
export interface BreakerLimits {
  /** The largest share of the changeable listings whose price may drop in one run, and likewise rise. */
  readonly dropShare: Bps;
  /** A price lowered by at least this share counts as dropped, one raised by it as risen. */
  readonly dropDepth: Bps;
  /** The largest share that may drop to the margin floor, be blocked or get the same price, unless past runs did the same. */
  readonly sameOutcomeShare: Bps;
}

/** The limits of a new install. */
export const DEFAULT_BREAKER = {
  dropShare: 2_000 as Bps,
  dropDepth: 1_000 as Bps,
  sameOutcomeShare: 2_000 as Bps,
} as const satisfies BreakerLimits;

/** All runs of the last hour and the planned one, combined. */
export interface HourShares {
  /** Listings that the engine may change now. */
  readonly mayChange: number;
  /** Listings whose price the engine lowered within the hour by at least the depth of a drop. */
  readonly dropped: number;
  /** The same for raised prices. */
  readonly rose: number;
  /** Prices changed although the competitors of the listing were not read any longer. */
  readonly movedUnread: number;
  readonly atMarginFloor: number;
  readonly newlyBlocked: number;
  readonly atSamePrice: number;
}

/** The largest share of a marketplace's listings that may move without knowing their competitors any longer. */
const UNREAD_SHARE = 2_000 as Bps;

type Measure = 'atMarginFloor' | 'newlyBlocked' | 'atSamePrice';

const OUTCOME_TEXT = {
  atMarginFloor: 'would drop to their margin floor',
  newlyBlocked: 'would be newly blocked',
  atSamePrice: 'would get the same price',
} as const satisfies Record<Measure, string>;

/**
 * Checks a run before any of its prices is recorded.
 * @param past the last {@link PAST_RUNS} comparable runs, in any order
 * @param hour null skips the check of the rolling hour
 * @returns why the run is stopped, as a sentence for users; null if it may continue
 */
export function circuitBreakerReason(
  run: RunShares,
  hour: HourShares | null,
  past: readonly RunShares[],
  limits: BreakerLimits,
): string | null {
  return (
    reasonInShares(run, '', past, limits) ??
    (hour === null ? null : reasonInShares(hour, 'over one hour, ', past, limits))
  );
}

function reasonInShares(
  now: HourShares & { readonly competitive?: number; readonly movedUnreadOf?: number },
  when: string,
  past: readonly RunShares[],
  { dropShare, dropDepth, sameOutcomeShare }: BreakerLimits,
): string | null {
  const dropped = { count: now.dropped, whole: now.mayChange };
  if (isBeyond(dropped, setLimit(dropShare))) {
    const what = `would drop by ${percentText(dropDepth)} or more`;
    return sentence(dropped, when, what, percentText(dropShare));
  }
  const rose = { count: now.rose, whole: now.mayChange };
  if (isBeyond(rose, setLimit(dropShare))) {
    return sentence(rose, when, `would rise by ${percentText(dropDepth)} or more`, percentText(dropShare));
  }
  const unread = { count: now.movedUnread, whole: now.movedUnreadOf ?? now.mayChange };
  if (isBeyond(unread, setLimit(UNREAD_SHARE))) {
    const what = 'would change after their competitor data became unavailable';
    return sentence(unread, when, what, percentText(UNREAD_SHARE));
  }
  for (const measure of ['atMarginFloor', 'newlyBlocked', 'atSamePrice'] as const) {
    const share = { count: now[measure], whole: wholeOf(now, measure) };
    const { limit, text } =
      past.length < MIN_PAST_RUNS ? WITHOUT_PAST : usualLimit(past, measure, sameOutcomeShare);
    if (isBeyond(share, limit)) return sentence(share, when, OUTCOME_TEXT[measure], text);
  }
  return null;
}

/** Two counts instead of their quotient: 3 x 30% is not exactly 90% in binary fractions. */
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

interface LimitWithText {
  readonly limit: Share;
  readonly text: string;
}

/** No configurable share is larger: see `LIMIT_RANGES` in the contract. */
const WITHOUT_PAST: LimitWithText = {
  limit: { count: 1, whole: 2 },
  text: '50% while there are fewer than three runs to compare with',
};

/** The configured share or three times the highest past share, whichever is larger. */
function usualLimit(past: readonly RunShares[], measure: Measure, set: Bps): LimitWithText {
  const isMore = (a: Share, b: Share): boolean => a.count * b.whole > b.count * a.whole;
  const highest = past
    .map((run) => ({ count: PAST_SHARE_FACTOR * run[measure], whole: wholeOf(run, measure) }))
    .reduce((most: Share, share) => (isMore(share, most) ? share : most), { count: 0, whole: 1 });
  return isMore(highest, setLimit(set))
    ? { limit: highest, text: `${shareText(highest)}, three times the highest of the last ten runs` }
    : { limit: setLimit(set), text: percentText(set) };
}

function setLimit(share: Bps): Share {
  return { count: share, whole: WHOLE };
}

function isBeyond({ count, whole }: Share, limit: Share): boolean {
  return count >= MIN_LISTINGS && count * limit.whole > limit.count * whole;
}

function shareText({ count, whole }: Share): string {
  return `${Math.round((count / whole) * 100)}%`;
}

function sentence(share: Share, when: string, what: string, limit: string): string {
  const [count, all] = [share.count, share.whole].map((number) => number.toLocaleString('en-US'));
  const whole = shareText(share);
  // "20%. The limit is 20%." explains nothing: show tenths then, rounded up so that they exceed the limit.
  const percent = limit.startsWith(whole) ? `${Math.ceil((share.count / share.whole) * 1_000) / 10}%` : whole;
  const many = `${count} of ${all} listings that may change (${percent})`;
  const text = `${when}${many} ${what}. The limit is ${limit}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
