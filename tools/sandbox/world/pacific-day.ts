import { type Instant, instant } from '#domain/units.ts';

const HOUR = 3_600_000;
const DAY_FORMAT = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The calendar day in Los Angeles: "2026-11-23". */
export function pacificDay(moment: Instant): string {
  return DAY_FORMAT.format(moment);
}

/** The next midnight in Los Angeles, where days have 23 to 25 hours. */
export function nextPacificMidnight(moment: Instant): Instant {
  const today = pacificDay(moment);
  // Midnight there is a whole hour here, on days when the clock changes too.
  let hour = Math.floor(moment / HOUR) * HOUR + HOUR;
  while (pacificDay(instant(hour)) === today) hour += HOUR;
  return instant(hour);
}
