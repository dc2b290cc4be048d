import type { StoredPlan } from '#db/schema/runs.ts';
import type { RunTally } from '#domain/run-tally.ts';

/** What a run keeps of its plan, to be held against what it does. */
export function storedPlanOf(tally: RunTally, isReviewed: boolean): StoredPlan {
  const { changed, mayChange, competitive, dropped, atMarginFloor, newlyBlocked, atSamePrice } = tally;
  return { changed, mayChange, competitive, dropped, atMarginFloor, newlyBlocked, atSamePrice, isReviewed };
}
