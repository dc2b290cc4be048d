import { createHash } from 'node:crypto';
import type { RefusedMoney } from '#domain/money/money-event.ts';
import { type Cents, cents, type Instant, MAX_CENTS } from '#domain/units.ts';

/** A signed decimal as number or text; not "1e3", "12,99" or "1,234.50". */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** The rounding error of a double for hundredths, and no more. */
const NOISE = 1e-6;
const LONGEST_ID = 200;
/** Milliseconds: clocks differ, and some marketplaces report a day without its time zone. */
const DAY = 86_400_000;

/** A signed amount in cents, or why it cannot be taken. Nothing is rounded: a third decimal is refused. */
export function bookedCents(reported: unknown): Cents | RefusedMoney['why'] {
  const text = typeof reported === 'number' || typeof reported === 'string' ? String(reported).trim() : '';
  if (!DECIMAL.test(text)) return 'unreadable';
  const dollars = Number(text);
  if (Math.abs(dollars) * 100 > MAX_CENTS) return 'out_of_range';
  const hundredths = Math.round(dollars * 100);
  if (Math.abs(dollars * 100 - hundredths) > NOISE * Math.max(1, Math.abs(hundredths))) return 'fraction';
  // Without the sign of -0.
  return cents(hundredths === 0 ? 0 : hundredths);
}

/** The ID of an amount from what identifies it at its marketplace; a long one is replaced by its digest. */
export function moneyId(...parts: readonly (string | number)[]): string {
  const id = parts.join(':');
  return id.length <= LONGEST_ID ? id : `sha256:${createHash('sha256').update(id).digest('hex')}`;
}

/** Whether something was booked in the future, beyond what clocks and time zones explain. */
export function isAheadOf(now: Instant, postedAt: Instant): boolean {
  return postedAt > now + DAY;
}
