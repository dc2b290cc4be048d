import type { StoredPlan } from '#db/schema/runs.ts';
import type { RunTally } from '#domain/run-tally.ts';

/** What a run keeps of its plan, to be held against what it does. */
export function storedPlanOf(tally: RunTally, isLookedAt: boolean): StoredPlan {
  const { changed, mayChange, competitive, dropped, onFloor, newlyBlocked, samePrice } = tally;
  return { changed, mayChange, competitive, dropped, onFloor, newlyBlocked, samePrice, isLookedAt };
}
