import type { LocalTime } from '#domain/limits/policy.ts';
import { DAY_MINUTES, WEEKDAY_NAMES, type Weekday } from '#domain/lines/line.ts';
import { dayNumber } from '#domain/time/day-number.ts';
import { isAround, shopTime } from '#domain/time/local-time.ts';
import type { Instant } from '#domain/units.ts';

/** A weekly window: on each of these days from a minute on, before another. */
export interface ScheduleWindow {
  /** Both included; over Sunday where the second is earlier. */
  readonly fromDay: Weekday;
  readonly toDay: Weekday;
  /** 0 to 1,439. */
  readonly from: number;
  /** 1 to 1,440; on the next day where it is earlier than `from`. Never equal to it. */
  readonly to: number;
}

/** When a rule applies, in the time of the shop. */
export interface Schedule {
  /** The first day, as YYYY-MM-DD; null: since ever. */
  readonly activeFrom: string | null;
  /** The first day on which it no longer applies; null: for good. */
  readonly activeUntil: string | null;
  /** Any of them has to be open; none: all day, every day. */
  readonly windows: readonly ScheduleWindow[];
}

export const MAX_WINDOWS = 50;

/** Whether a rule with this schedule applies now. @param local null: the time there is not known, which no schedule matches */
export function isInSchedule(schedule: Schedule | null, local: LocalTime | null): boolean {
  if (schedule === null) return true;
  if (local === null) return false;
  const { activeFrom, activeUntil, windows } = schedule;
  if (activeFrom !== null && local.day < activeFrom) return false;
  if (activeUntil !== null && local.day >= activeUntil) return false;
  return windows.length === 0 || windows.some((window) => isOpen(window, local));
}

/**
 * Minutes until a schedule applies next, by the clock of the shop: a change of its clocks before then shifts it as much.
 * @returns null if it applies now or never will again
 */
export function minutesUntilOpen(schedule: Schedule, local: LocalTime): number | null {
  if (isInSchedule(schedule, local)) return null;
  const { activeFrom, windows } = schedule;
  const starts = [...new Set([0, ...windows.map(({ from }) => from)])].sort((a, b) => a - b);
  const firstDay = activeFrom === null ? 0 : Math.max(0, daysBetween(local.day, activeFrom));
  // A week from then on has every window.
  for (let days = firstDay; days <= firstDay + 7; days += 1) {
    for (const minuteOfDay of starts) {
      const minutes = days * DAY_MINUTES + minuteOfDay - local.minuteOfDay;
      if (minutes > 0 && isInSchedule(schedule, { ...dayAfter(local, days), minuteOfDay })) return minutes;
    }
  }
  return null;
}

function daysBetween(day: string, other: string): number {
  return dayNumber(other) - dayNumber(day);
}

function dayAfter({ day }: LocalTime, days: number): Pick<LocalTime, 'day' | 'weekday'> {
  return shopTime(((dayNumber(day) + days) * DAY_MINUTES * 60_000) as Instant, null);
}

/** Whether two schedules can apply at the same time, by their days. */
export function canMeet(one: Schedule | null, other: Schedule | null): boolean {
  const isBefore = (first: Schedule | null, second: Schedule | null): boolean => {
    const until = first?.activeUntil ?? null;
    const from = second?.activeFrom ?? null;
    return until !== null && from !== null && until <= from;
  };
  return !(isBefore(one, other) || isBefore(other, one));
}

/** A window as "mon-fri 08:00-18:00". */
export function windowText({ fromDay, toDay, from, to }: ScheduleWindow): string {
  const days = fromDay === toDay ? nameOf(fromDay) : `${nameOf(fromDay)}-${nameOf(toDay)}`;
  return `${days} ${timeText(from)}-${timeText(to)}`;
}

/** How a window is written, for messages. */
export const WINDOW_EXAMPLE = 'mon-fri 08:00-18:00';

/** Reads "mon-fri 08:00-18:00", "sat 22:00-04:00" or "mon-sun 00:00-24:00". @returns null for anything else */
export function parseWindow(text: string): ScheduleWindow | null {
  const found = WINDOW.exec(text.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  if (found === null) return null;
  const [, firstDay = '', lastDay = firstDay, ...times] = found;
  const [from, end] = [minutesOf(times[0], times[1]), minutesOf(times[2], times[3])];
  // 00:00 as the end is that of the day.
  const to = end === 0 ? DAY_MINUTES : end;
  if (from === null || to === null || from === to) return null;
  return { fromDay: dayOf(firstDay), toDay: dayOf(lastDay), from, to };
}

const WINDOW =
  /^(mon|tue|wed|thu|fri|sat|sun)(?: ?- ?(mon|tue|wed|thu|fri|sat|sun))? (\d{1,2}):(\d{2}) ?- ?(\d{1,2}):(\d{2})$/;

function isOpen({ fromDay, toDay, from, to }: ScheduleWindow, { weekday, minuteOfDay }: LocalTime): boolean {
  const isToday = isAround(weekday, fromDay, toDay);
  if (from < to) return isToday && minuteOfDay >= from && minuteOfDay < to;
  const yesterday = (weekday === 1 ? 7 : weekday - 1) as Weekday;
  return (isToday && minuteOfDay >= from) || (minuteOfDay < to && isAround(yesterday, fromDay, toDay));
}

function minutesOf(hour: string | undefined, minute: string | undefined): number | null {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) > 59 || minutes > DAY_MINUTES ? null : minutes;
}

function dayOf(name: string): Weekday {
  return ((WEEKDAY_NAMES as readonly string[]).indexOf(name) + 1) as Weekday;
}

function nameOf(day: Weekday): string {
  return WEEKDAY_NAMES[day - 1] as string;
}

function timeText(minutes: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
