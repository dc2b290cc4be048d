import { hours, type Instant } from '#domain/units.ts';
import { dayNumber } from './day-number.ts';
import { shopTime } from './local-time.ts';

const DAY = hours(24);

/** The Monday of the week of a day. Both as "2026-11-23". */
export function mondayOf(day: string): string {
  const start = dayNumber(day) * DAY;
  const { weekday } = shopTime(start as Instant, null);
  return shopTime((start - (weekday - 1) * DAY) as Instant, null).day;
}
