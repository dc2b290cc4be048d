import type { LocalTime } from '#domain/limits/policy.ts';
import type { Weekday } from '#domain/lines/line.ts';
import type { Instant } from '#domain/units.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A time where the shop is. @param zone the name of a time zone, such as "America/New_York" */
export function localTimeOf(at: Instant, zone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    minuteOfDay: Number(part('hour')) * 60 + Number(part('minute')),
    weekday: (WEEKDAYS.indexOf(part('weekday')) + 1) as Weekday,
    day: `${part('year')}-${part('month')}-${part('day')}`,
  };
}

/** The time of a shop. @param zone null: none is entered, which counts as UTC */
export function shopTime(at: Instant, zone: string | null): LocalTime {
  return localTimeOf(at, zone ?? 'UTC');
}

/** "2026-11-28 at 09:05 America/New_York" @param zone of the store; null counts as UTC */
export function storeTimeText(at: Instant, zone: string | null): string {
  const { day, minuteOfDay } = shopTime(at, zone);
  const [hour, minute] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${day} at ${hour}:${minute} ${zone ?? 'UTC'}`;
}

/** Days of the week, both included, over Sunday where the second is earlier. */
export function isAround(day: Weekday, from: Weekday, to: Weekday): boolean {
  return from <= to ? day >= from && day <= to : day >= from || day <= to;
}
