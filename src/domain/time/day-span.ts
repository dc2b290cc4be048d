import { hours, type Instant, instant } from '#domain/units.ts';
import { dayNumber } from './day-number.ts';
import { shopTime } from './local-time.ts';

const DAY = hours(24);
/** The largest offset of a time zone from UTC. */
const FARTHEST = hours(14);

/** A calendar day in a time zone: "2026-11-21", and the time it started there. */
export interface DayStart {
  readonly day: string;
  readonly start: Instant;
}

/**
 * The last days in a time zone, oldest first; the last one is that of `now`.
 * @param zone a time zone that the platform knows
 * @param count how many days, from 1
 */
export function dayStarts(now: Instant, zone: string, count: number): DayStart[] {
  const clock = clockOf(zone);
  const today = Math.floor(localTime(clock, now) / DAY);
  return Array.from({ length: count }, (_, index) => {
    const utc = (today - count + 1 + index) * DAY;
    return { day: shopTime(instant(utc), null).day, start: firstMoment(clock, utc) };
  });
}

/**
 * The time span of whole days in a time zone.
 * @param from and to the first and the last day, as "2026-11-21"; without one that side is open
 * @param zone a time zone that the platform knows
 */
export function daySpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  zone: string,
): { since: Instant | undefined; until: Instant | undefined } {
  const clock = clockOf(zone);
  return {
    since: from === undefined ? undefined : firstMoment(clock, dayNumber(from) * DAY),
    until: to === undefined ? undefined : firstMoment(clock, (dayNumber(to) + 1) * DAY),
  };
}

function clockOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

/** The local time, as if it were UTC. */
function localTime(clock: Intl.DateTimeFormat, at: number): number {
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year = '1970', month = '1', day = '1', hour = '0', minute = '0', second = '0' } = part;
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  return dayNumber(`${year}-${month}-${day}`) * DAY + seconds * 1_000;
}

/**
 * Midnight of a day, or the first moment of it where clocks are put forward at midnight.
 * @param utc midnight of that date in UTC
 */
function firstMoment(clock: Intl.DateTimeFormat, utc: number): Instant {
  // The offset may change in between: one of the two gives midnight.
  const candidates = [utc - FARTHEST, utc + FARTHEST].map((near) => utc - (localTime(clock, near) - near));
  const ofDay = candidates.filter((at) => Math.floor(localTime(clock, at) / DAY) * DAY === utc);
  return instant(Math.min(...ofDay));
}
