import { type Instant, instant } from '#domain/units.ts';

const MINUTE = 60_000;
/** Minutes after sending at which a price is read back. One that buyers do not see by the last is considered lost. */
const READ_BACK_MINUTES = [1, 5, 15, 45, 120];
/** Minutes between two read-backs of a price that the engine's next price is waiting for. */
const WAITED_FOR_READ_MINUTES = 5;
/** Minutes that the engine's next price waits for an accepted one: the marketplace may have lost it. */
const MAX_WAIT_MINUTES = 45;
/** Minutes until an unreadable price is read again, before and after the last regular read-back. */
const UNREADABLE_RETRY_MINUTES = 1;
const LATE_RETRY_MINUTES = 15;
/** Minutes of failed reads after which the price counts as rejected. */
const MAX_UNREADABLE_MINUTES = 24 * 60;

/** Latest next read-back of a price that another one is waiting for. */
export function waitedForReadAfter(now: Instant): Instant {
  return instant(now + WAITED_FOR_READ_MINUTES * MINUTE);
}

/** Prices accepted after this are waited for. */
export function waitedForSince(now: Instant): Instant {
  return instant(now - MAX_WAIT_MINUTES * MINUTE);
}

/** First read-back of an accepted price. @param shownAfter milliseconds before which the marketplace does not show it */
export function firstReadAfter(sentAt: Instant, shownAfter = 0): Instant {
  return instant(sentAt + Math.max(Number(READ_BACK_MINUTES[0]) * MINUTE, shownAfter));
}

/** Next read-back of a price that buyers do not see yet; null after the last. */
export function nextReadAfter(sentAt: Instant, now: Instant): Instant | null {
  const next = READ_BACK_MINUTES.map((minutes) => sentAt + minutes * MINUTE).find((moment) => moment > now);
  return next === undefined ? null : instant(next);
}

/** Next read-back of a price that could not be read; null when there are no more tries. */
export function retryReadAfter(sentAt: Instant, now: Instant): Instant | null {
  const minutes = (now - sentAt) / MINUTE;
  if (minutes >= MAX_UNREADABLE_MINUTES) return null;
  const wait = nextReadAfter(sentAt, now) === null ? LATE_RETRY_MINUTES : UNREADABLE_RETRY_MINUTES;
  return instant(now + wait * MINUTE);
}
