const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const dayWithYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const exact = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/**
 * "just now", "12 min ago", "3 h ago"; after a day, and for the future, the date: "Nov 3, 14:05".
 * @param now epoch milliseconds
 */
export function formatRelative(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (age < -MINUTE || age >= DAY) return formatMoment(iso, 'short', now);
  if (age < MINUTE) return 'just now';
  return age < HOUR ? `${Math.floor(age / MINUTE)} min ago` : `${Math.floor(age / HOUR)} h ago`;
}

/**
 * "Nov 3, 14:05" (with the year when it is another one), or `exact` to the second with the zone. In the reader's zone.
 * @param now epoch milliseconds; only `short` needs it
 */
export function formatMoment(iso: string, style: 'short' | 'exact', now = Date.now()): string {
  const moment = new Date(iso);
  if (style === 'exact') return exact.format(moment);
  const isThisYear = moment.getFullYear() === new Date(now).getFullYear();
  return `${(isThisYear ? day : dayWithYear).format(moment)}, ${clock.format(moment)}`;
}

/** Where the reader is: "America/New_York". */
export function readersZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const calendarDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const calendarDayWithYear = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Nov 3" from "2026-11-03", with the year when it is another one: a day, wherever the reader is. @param now epoch milliseconds */
export function formatDay(day: string, now = Date.now()): string {
  const isThisYear = day.startsWith(String(new Date(now).getFullYear()));
  return (isThisYear ? calendarDay : calendarDayWithYear).format(Date.parse(day));
}

/** "in 7 min", "in 3 h", "now" once it has come. @param now epoch milliseconds */
export function formatUntil(iso: string, now: number): string {
  const rest = Date.parse(iso) - now;
  if (rest <= 0) return 'now';
  return rest < HOUR ? `in ${Math.ceil(rest / MINUTE)} min` : `in ${Math.round(rest / HOUR)} h`;
}

/** "4 s", "2 min 5 s", "1 h 12 min": how long something took. @param millis milliseconds, not negative */
export function formatDuration(millis: number): string {
  const seconds = Math.round(millis / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
