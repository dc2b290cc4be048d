import type { Instant } from '#domain/units.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * A moment after ISO 8601: `2026-11-21` (midnight UTC), `2026-11-21T12:00Z`, `2026-11-21T12:00:00.123+01:00`.
 * A time without a zone is refused: guessing one would make an offer hours younger than it is.
 * @returns null for anything else, impossible dates included
 */
export function readTimestamp(bytes: Uint8Array, from: number, to: number): Instant | null {
  const day = readDay(bytes, from, to);
  if (day === null) return null;
  if (to - from === 10) return day as Instant;
  const separator = bytes[from + 10];
  if (separator !== 84 && separator !== 116 && separator !== 32) return null;
  return readTime(bytes, from + 11, to, day);
}

/** Reads a moment from a text; see {@link readTimestamp}. */
export function momentFrom(text: string): Instant | null {
  const bytes = Buffer.from(text.trim());
  return readTimestamp(bytes, 0, bytes.length);
}

function readDay(bytes: Uint8Array, from: number, to: number): number | null {
  if (to - from < 10 || bytes[from + 4] !== 45 || bytes[from + 7] !== 45) return null;
  const year = digits(bytes, from, 4);
  const month = digits(bytes, from + 5, 2);
  const day = digits(bytes, from + 8, 2);
  if (!(year >= 1970 && month >= 1 && month <= 12 && day >= 1)) return null;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (day > (DAYS_IN_MONTH[month - 1] as number) || (month === 2 && day === 29 && !isLeap)) return null;
  return daysSinceEpoch(year, month, day) * DAY;
}

/** Days since 1970-01-01, counted in years that start in March so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const monthFromMarch = (month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

function readTime(bytes: Uint8Array, from: number, to: number, day: number): Instant | null {
  if (to - from < 5 || bytes[from + 2] !== 58) return null;
  const hour = digits(bytes, from, 2);
  const minute = digits(bytes, from + 3, 2);
  if (!(hour <= 23 && minute <= 59)) return null;
  let millis = day + hour * 60 * MINUTE + minute * MINUTE;
  let at = from + 5;
  if (bytes[at] === 58 && at < to) {
    const second = at + 3 <= to ? digits(bytes, at + 1, 2) : Number.NaN;
    if (!(second <= 59)) return null;
    millis += second * 1_000;
    at += 3;
    if (at < to && bytes[at] === 46) {
      let scale = 100;
      const first = ++at;
      for (; at < to && isDigit(bytes[at]); at++, scale /= 10) {
        // Beyond thousandths nothing matters: digits are read and dropped, never rounded up into the future.
        if (scale >= 1) millis += scale * ((bytes[at] as number) - 48);
      }
      if (at === first) return null;
    }
  }
  const zone = readZone(bytes, at, to);
  return Number.isNaN(zone) ? null : ((millis - zone * MINUTE) as Instant);
}

/** @returns minutes east of UTC; NaN when there is no zone or an impossible one */
function readZone(bytes: Uint8Array, at: number, to: number): number {
  if (to - at === 1) return bytes[at] === 90 || bytes[at] === 122 ? 0 : Number.NaN;
  const sign = bytes[at] === 43 ? 1 : bytes[at] === 45 ? -1 : Number.NaN;
  const hasColon = to - at === 6 && bytes[at + 3] === 58;
  if (!hasColon && to - at !== 5) return Number.NaN;
  const hour = digits(bytes, at + 1, 2);
  const minute = digits(bytes, hasColon ? at + 4 : at + 3, 2);
  return hour <= 23 && minute <= 59 ? sign * (hour * 60 + minute) : Number.NaN;
}

function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    if (!isDigit(bytes[at])) return Number.NaN;
    value = value * 10 + ((bytes[at] as number) - 48);
  }
  return value;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

/** The day of a time in UTC, as YYYY-MM-DD. */
export function utcDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}
