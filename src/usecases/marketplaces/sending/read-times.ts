import { type Instant, instant } from '#domain/units.ts';

const MINUTE = 60_000;
/** After the sending: what is not live after the last of them never will be. */
const READ_AT = [1, 5, 15, 45, 120];
/** A price that the engine's next one waits for is read so often. */
const WAITED_FOR = 5;
/** So long the engine's next price waits for one that was taken: a marketplace may have lost it. */
const WAITS = 45;
/** A price that cannot be read is asked for again after this, and less often once it should long be live. */
const UNREADABLE_AGAIN = 1;
const LATE_AGAIN = 15;
/** Nothing can be read for so long: the marketplace does not know the listing, or we may not ask. */
const GIVE_UP = 24 * 60;

/** When a price that another one waits for is read at the latest. */
export function waitedForReadAfter(now: Instant): Instant {
  return instant(now + WAITED_FOR * MINUTE);
}

/** Prices that were taken since then are waited for. */
export function waitedForSince(now: Instant): Instant {
  return instant(now - WAITS * MINUTE);
}

export function firstReadAfter(sentAt: Instant): Instant {
  return instant(sentAt + Number(READ_AT[0]) * MINUTE);
}

/** When a price that was read and is not there yet is read next; null when it was the last time. */
export function nextReadAfter(sentAt: Instant, now: Instant): Instant | null {
  const next = READ_AT.map((minutes) => sentAt + minutes * MINUTE).find((moment) => moment > now);
  return next === undefined ? null : instant(next);
}

/** When a price that could not be read is asked for again; null when nobody tries any more. */
export function retryReadAfter(sentAt: Instant, now: Instant): Instant | null {
  const minutes = (now - sentAt) / MINUTE;
  if (minutes >= GIVE_UP) return null;
  const wait = nextReadAfter(sentAt, now) === null ? LATE_AGAIN : UNREADABLE_AGAIN;
  return instant(now + wait * MINUTE);
}
