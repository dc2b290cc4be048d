/** The first and the last day, as "2026-11-21". */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Whole months, and the days before and after them. */
export interface MonthsAndDays {
  /** The first day of the first and of the last of them; null for none. */
  readonly months: Days | null;
  readonly days: readonly Days[];
}

/**
 * Splits days into months, of which sums are kept, and the days that are left. A month of which everything kept is among
 * the days asked for is whole, so the days up to today need no day of this month.
 * @param kept the first and the last day of which anything is kept; null when nothing is
 */
export function wholeMonths({ from, to }: Days, kept: Days | null): MonthsAndDays {
  if (kept === null) return { months: null, days: [] };
  const start = from <= kept.from ? monthOf(kept.from) : monthOf(dayAfter(from, -1), 1);
  const end = to >= kept.to ? monthOf(kept.to, 1) : monthOf(dayAfter(to, 1));
  if (start >= end) return { months: null, days: [{ from, to }] };
  const days: Days[] = [];
  if (from < start) days.push({ from, to: dayAfter(start, -1) });
  if (to >= end && to < kept.to) days.push({ from: end, to });
  return { months: { from: start, to: monthOf(end, -1) }, days };
}

/** The first day of the month of a day, or of one as many months later. */
function monthOf(day: string, later = 0): string {
  const date = new Date(day);
  return isoDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1));
}

function dayAfter(day: string, count: number): string {
  return isoDay(Date.parse(day) + count * 86_400_000);
}

function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
