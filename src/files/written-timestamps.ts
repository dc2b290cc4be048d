import type { Instant } from '#domain/units.ts';
import type { DayOrder } from '#domain/written/day-order.ts';
import { momentFrom } from './timestamps.ts';

/** How a file writes moments that are not ISO 8601 with a zone. */
export interface MomentReading {
  /** Null: days with the month as a number are not read unless the year is first. */
  readonly order: DayOrder | null;
  /** The zone of times that name none, "America/New_York"; null: they are not read. */
  readonly zone: string | null;
}

const LONGEST = 60;
const MINUTE = 60_000;
const NUMBERED = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[ ,T]+([^ ,T].*))?$/;
const YEAR_FIRST = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ ,T]+([^ ,T].*))?$/;
const NAMED = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?:,? (.+))?$/i;
const DAY_NAMED = /^(\d{1,2})\.?[ -]([a-z]{3,9})\.?[ -](\d{4})(?:,? (.+))?$/i;
const TIME =
  /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?(?:\.\d{1,9})? ?([ap]\.?m\.?)? ?(Z|UTC|GMT|[ECMP][SD]T|[+-]\d{2}:?\d{2})?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
/** Minutes east of UTC. */
const US_ZONES: Readonly<Record<string, number>> = {
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  Z: 0,
  UTC: 0,
  GMT: 0,
};

/**
 * A moment as people and spreadsheets write it: "1/15/2026 3:04 PM", "15.01.2026 15:04", "Jan 15, 2026", "15-Jan-2026", ISO 8601. A day
 * alone is its midnight. Of an hour that a clock shows twice the earlier is meant: no offer looks younger than it is.
 * @returns null for anything that cannot be read without guessing
 */
export function readWrittenMoment(text: string, { order, zone }: MomentReading): Instant | null {
  const written = text.trim().replace(/\s+/g, ' ');
  if (written.length > LONGEST) return null;
  const iso = momentFrom(written);
  if (iso !== null) return iso;
  const day = dayOf(written, order);
  if (day === null) return null;
  const time = day.rest === null ? { millis: 0, offset: null } : timeOf(day.rest);
  if (time === null) return null;
  const local = day.utc + time.millis;
  if (time.offset !== null) return (local - time.offset * MINUTE) as Instant;
  return zone === null ? null : inZone(local, zone);
}

interface WrittenDay {
  /** Midnight of the day as if in UTC. */
  readonly utc: number;
  readonly rest: string | null;
}

function dayOf(text: string, order: DayOrder | null): WrittenDay | null {
  const numbered = NUMBERED.exec(text);
  if (numbered !== null && order !== null) {
    const [, first, second, year, rest] = numbered;
    const [month, day] = order === 'mdy' ? [first, second] : [second, first];
    return dayFrom(Number(year) + (year?.length === 2 ? 2_000 : 0), Number(month), Number(day), rest);
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) {
    const [, year, month, day, rest] = yearFirst;
    return dayFrom(Number(year), Number(month), Number(day), rest);
  }
  const [, name, day, year, rest] = NAMED.exec(text) ?? [];
  if (name !== undefined) return dayInMonth(name, day, year, rest);
  const [, firstDay, ofMonth, itsYear, after] = DAY_NAMED.exec(text) ?? [];
  return dayInMonth(ofMonth, firstDay, itsYear, after);
}

function dayInMonth(
  name: string | undefined,
  day: string | undefined,
  year: string | undefined,
  rest: string | undefined,
): WrittenDay | null {
  const month = MONTHS.findIndex((short) => name?.toLowerCase().startsWith(short));
  return month < 0 ? null : dayFrom(Number(year), month + 1, Number(day), rest);
}

/** @returns null for a day that no calendar has */
function dayFrom(year: number, month: number, day: number, rest: string | undefined): WrittenDay | null {
  const utc = Date.UTC(year, month - 1, day);
  const date = new Date(utc);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970;
  return isReal ? { utc, rest: rest ?? null } : null;
}

function timeOf(text: string): { readonly millis: number; readonly offset: number | null } | null {
  const [, hours, minutes, seconds, half, zone] = TIME.exec(text) ?? [];
  // "3" alone is no time; "3 PM" is one.
  if (hours === undefined || (minutes === undefined && half === undefined)) return null;
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half);
  const minute = Number(minutes ?? 0);
  const second = Number(seconds ?? 0);
  if (hour === null || hour > 23 || minute > 59 || second > 59) return null;
  return {
    millis: ((hour * 60 + minute) * 60 + second) * 1_000,
    offset: zone === undefined ? null : offsetOf(zone),
  };
}

/** 12 AM is midnight, 12 PM noon. */
function hourOfHalf(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
}

function offsetOf(zone: string): number {
  const named = US_ZONES[zone.toUpperCase()];
  if (named !== undefined) return named;
  const digits = zone.replace(':', '');
  return (digits.startsWith('-') ? -1 : 1) * (Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5)));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock of the zone shows at a moment, as if it were UTC. */
function wallTime(zone: string, at: number): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    clocks.set(zone, clock);
  }
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const DAY = 24 * 60 * MINUTE;

/** The moment at which clocks of the zone show `local`; the earlier one where they show it twice, or skip it. */
function inZone(local: number, zone: string): Instant {
  const offsets = [local - DAY, local + DAY].map((near) => wallTime(zone, near) - near);
  const moments = offsets.map((offset) => local - offset);
  const shown = moments.filter((at) => wallTime(zone, at) === local);
  return Math.min(...(shown.length > 0 ? shown : moments)) as Instant;
}
