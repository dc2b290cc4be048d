/** Days of the shop, both inclusive: "2026-11-21". */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Periods that end today, and the month before. */
export const PERIOD_NAMES = ['7', '30', '90', 'month', 'last-month'] as const;
export type PeriodName = (typeof PERIOD_NAMES)[number];

const DAY = 86_400_000;

/** A named period that ends today, or with last month. */
export function namedPeriod(name: PeriodName, to: string): Period {
  if (name === 'month') return { from: firstOfMonth(to, 0), to };
  if (name === 'last-month') return { from: firstOfMonth(to, -1), to: shiftDay(firstOfMonth(to, 0), -1) };
  return { from: shiftDay(to, 1 - Number(name)), to };
}

/** The part of a period that is over, so that it can be compared; null for none. */
export function completeDays({ from, to }: Period, today: string): Period | null {
  const last = to < today ? to : shiftDay(today, -1);
  return from <= last ? { from, to: last } : null;
}

/** The period that a period is compared with: for a month the same days of the month before, else as many days before it. */
export function periodBefore({ from, to }: Period, name: PeriodName | null): Period {
  if (name === 'month' || name === 'last-month') {
    const first = firstOfMonth(from, -1);
    const daysBefore = daysOf({ from: first, to: from }) - 1;
    const days = name === 'month' ? Math.min(daysOf({ from, to }), daysBefore) : daysBefore;
    return { from: first, to: shiftDay(first, days - 1) };
  }
  return { from: shiftDay(from, -daysOf({ from, to })), to: shiftDay(from, -1) };
}

/** Number of days. */
export function daysOf({ from, to }: Period): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
}

/** Every day of a period, in order. */
export function eachDay(period: Period): string[] {
  return Array.from({ length: daysOf(period) }, (_, at) => shiftDay(period.from, at));
}

function shiftDay(day: string, by: number): string {
  return dayOf(Date.parse(day) + by * DAY);
}

/** @param by months: -1 for the one before */
function firstOfMonth(day: string, by: number): string {
  const moment = new Date(day);
  return dayOf(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + by, 1));
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
