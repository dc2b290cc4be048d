import type { StoredPlan } from '#db/schema/runs.ts';
import type { RunTally } from '#domain/run-tally.ts';

/** The part of a plan stored with its run, for comparison with what the run does. */
export function storedPlanOf(tally: RunTally, isReviewed: boolean): StoredPlan {
  const { changed, mayChange, competitive, dropped, atMarginFloor, newlyBlocked, atSamePrice } = tally;
  return { changed, mayChange, competitive, dropped, atMarginFloor, newlyBlocked, atSamePrice, isReviewed };
}
