import type { Db } from '#db/client.ts';
import { countFree, readPastShares, readSince } from '#db/queries/repricing/breaker-past.ts';
import type { ReviewScope, Switches } from '#db/queries/repricing/engine.ts';
import type { RunShares, RunTally } from '#domain/decision/run-tally.ts';
import {
  circuitBreakerReason,
  type HourShares,
  MIN_LISTINGS,
  PAST_RUNS,
} from '#domain/limits/circuit-breaker.ts';
import { hours, type Instant } from '#domain/units.ts';
import type { RunPlan } from './run-plan.ts';

const HOUR = hours(1);

/** The start of the rolling hour: after a resume it starts there, since the user has seen what happened before. */
export function hourStart({ halted, changedAt }: Switches, now: Instant): Instant {
  const hourAgo = (now - HOUR) as Instant;
  // A time in the future, from a wrong clock, would exclude everything until then.
  return !halted && changedAt > hourAgo && changedAt <= now ? changedAt : hourAgo;
}

/**
 * Checks a plan by the circuit breaker.
 * @param runId the run of the plan; null when there is none yet
 * @returns why the run must not start; null lets it pass
 */
export async function checkCircuitBreaker(
  db: Db,
  plan: RunPlan,
  since: Instant,
  runId: number | null,
  now: Instant,
): Promise<string | null> {
  const { tally, hourDropped, hourRose, limits } = plan;
  // Without changes it cannot do harm.
  if (tally.changed === 0) return null;
  const before = await readSince(db, since, tally.commonPrice, limits.dropDepth);
  const hour = {
    dropped: before.dropped + hourDropped,
    rose: before.rose + hourRose,
    movedUnread: before.movedUnread + tally.movedUnread,
    atMarginFloor: before.atMarginFloor + tally.atMarginFloor,
    newlyBlocked: before.newlyBlocked + tally.newlyBlocked,
    atSamePrice: before.atSamePrice + tally.atSamePrice,
  };
  const isMuch = Object.values(hour).some((count) => count >= MIN_LISTINGS);
  if (!isMuch) return null;
  const past = await readPastShares(db, runId, minComparable(tally), PAST_RUNS);
  const mayChange = Math.max(tally.mayChange, await countFree(db, now));
  const reason = circuitBreakerReason(tally, { ...hour, mayChange } satisfies HourShares, past, limits);
  return reason === null ? null : `${reason} ${plan.mainSource()}`;
}

/**
 * Checks what of a plan no administrator has reviewed.
 * @param review what was reviewed of it; null for nothing
 * @returns why the run must not start; null lets it pass
 */
export async function checkPlan(
  db: Db,
  plan: RunPlan,
  review: ReviewScope | null,
  since: Instant,
  runId: number | null,
  now: Instant,
): Promise<string | null> {
  if (review === null) return checkCircuitBreaker(db, plan, since, runId, now);
  return review === 'store' ? null : checkBlocked(db, plan, runId);
}

/** The preview of a rule shows its price changes, and not what is blocked elsewhere when the run starts. */
async function checkBlocked(db: Db, plan: RunPlan, runId: number | null): Promise<string | null> {
  const { tally, limits } = plan;
  const reviewed = { dropped: 0, rose: 0, movedUnread: 0, atMarginFloor: 0, atSamePrice: 0 };
  const { mayChange, competitive, movedUnreadOf, newlyBlocked } = tally;
  const shares: RunShares = { ...reviewed, mayChange, competitive, movedUnreadOf, newlyBlocked };
  const past = await readPastShares(db, runId, minComparable(tally), PAST_RUNS);
  const reason = circuitBreakerReason(shares, null, past, limits);
  return reason === null ? null : `${reason} ${plan.mainSource()}`;
}

/** Number of changeable listings from which a past run is comparable with this one. */
export function minComparable({ mayChange }: Pick<RunTally, 'mayChange'>): number {
  return Math.max(MIN_LISTINGS, Math.ceil(mayChange / 10));
}
