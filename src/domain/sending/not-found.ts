import { hours, type Instant, instant, minutes } from '#domain/units.ts';

/*
 * A marketplace that does not find a listing once proves nothing: its stores disagree for a while. A listing counts as gone when
 * it is not found a second time, ten minutes later; before a price is sent, and when one is read back.
 */

/** Between two readings that do not find a listing, after which it counts as removed. */
const NOT_FOUND_RETRY = minutes(10);
/** A reading that did not find a listing counts for this long after that: what came later begins anew. */
const NOT_FOUND_COUNTS_FOR = hours(1);

/**
 * Before sending: until when a listing that was not found gets no price; null where it is gone.
 * @param lastUntil the same of the last time; null without one
 */
export function notFoundUntil(lastUntil: Instant | null, now: Instant): Instant | null {
  const sinceLast = lastUntil === null ? Number.POSITIVE_INFINITY : now - lastUntil;
  // After the clock was set back, or too long ago: as if it were the first one.
  if (sinceLast < -NOT_FOUND_RETRY || sinceLast > NOT_FOUND_COUNTS_FOR) return instant(now + NOT_FOUND_RETRY);
  return sinceLast < 0 ? lastUntil : null;
}

/** After sending: from when on a listing is gone that was first not found at that time, if it is not found then either. */
export function missingForGoodFrom(missingSince: Instant): Instant {
  return instant(missingSince + NOT_FOUND_RETRY);
}
