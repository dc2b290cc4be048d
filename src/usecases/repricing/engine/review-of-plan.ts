import type { Db } from '#db/client.ts';
import type { ReviewScope, Switches } from '#db/queries/repricing/engine.ts';
import { hasReviewedRunSince } from '#db/queries/repricing/runs.ts';
import { hours, type Instant } from '#domain/units.ts';

/** How long a review counts: the run that it is for starts at once. */
const VALID_FOR = hours(1);

/**
 * What of a plan an administrator has reviewed: the whole run (`store`), or its price changes alone (`rule`). A review counts
 * for an hour, and for one run.
 * @param token of the plan
 * @returns null when it was not reviewed
 */
export async function reviewOfPlan(
  db: Db,
  { reviewedPlan, reviewedAt, reviewedScope }: Switches,
  token: string,
  now: Instant,
): Promise<ReviewScope | null> {
  if (token !== reviewedPlan || reviewedAt === null) return null;
  // A time in the future is that of a clock that was set back.
  if (reviewedAt > now || now - reviewedAt > VALID_FOR) return null;
  return (await hasReviewedRunSince(db, reviewedAt)) ? null : reviewedScope;
}
