import type { Weekday } from '#domain/lines/line.ts';
import type { LocalTime } from '#domain/policy.ts';
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
