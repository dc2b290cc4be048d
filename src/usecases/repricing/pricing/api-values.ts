import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { type Bps, type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';

/** Money for an explanation. A strategy price outside the range of prices is shown at the end of that range. */
export function money(amount: number): string {
  return decimalFromCents(Math.min(Math.max(amount, -MAX_CENTS), MAX_CENTS) as Cents);
}

export function moneyOrNull(amount: number | null): string | null {
  return amount === null ? null : money(amount);
}

export function percentOrNull(share: Bps | null): string | null {
  return share === null ? null : decimalFromMargin(share);
}

export function moment(at: Instant): string {
  return new Date(at).toISOString();
}

/** "2026-01-15" */
export function day(at: Instant): string {
  return moment(at).slice(0, 10);
}

/** "2026-01-15 12:00 UTC" */
export function minute(at: Instant): string {
  return `${moment(at).slice(0, 16).replace('T', ' ')} UTC`;
}
