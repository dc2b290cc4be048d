import { hours, type Instant } from '#domain/units.ts';

const DAY = hours(24);
/** Days from a Monday to January 1, 1970, a Thursday. */
const TO_THURSDAY = 3;

/** The Monday of a week of UTC, as its start. */
export function mondayOf(at: Instant): Instant {
  const day = Math.floor(at / DAY);
  const sinceMonday = (((day + TO_THURSDAY) % 7) + 7) % 7;
  return ((day - sinceMonday) * DAY) as Instant;
}
