import { hours, type Instant } from '#domain/units.ts';

/** What purges know of the clock. */
export interface PurgeClock {
  /** The last purge. */
  readonly seenAt: Instant;
  /** When the clock was seen far ahead of the purge before; null where it was not, or not lately. */
  readonly jumpedAt: Instant | null;
}

/** Purges run every hour. Further apart, the program was stopped, or the clock was moved: which one is not known. */
const JUMP = hours(48);
/** Nothing is deleted for so long then: in that time someone sees the wrong clock, and sets it back. */
const WAIT = hours(24);

/**
 * The clock as the next purge sees it; it deletes nothing while `jumpedAt` is set.
 * @param before null before the first purge
 */
export function nextPurgeClock(before: PurgeClock | null, now: Instant): PurgeClock {
  if (before === null || now < before.seenAt) return { seenAt: now, jumpedAt: null };
  if (now - before.seenAt > JUMP) return { seenAt: now, jumpedAt: now };
  const { jumpedAt } = before;
  return { seenAt: now, jumpedAt: jumpedAt !== null && now - jumpedAt < WAIT ? jumpedAt : null };
}
