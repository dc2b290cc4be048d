import type { Bps, Cents, Millis } from './units.ts';

const UNREADABLE = 'an unreadable amount';

/** "$1,299.00"; a minus sign goes before the dollar. Never throws: a sentence may be about an invalid amount. */
export function moneyText(amount: Cents): string {
  if (!Number.isSafeInteger(amount)) return UNREADABLE;
  const whole = Math.abs(amount);
  const dollars = Math.floor(whole / 100);
  const rest = whole % 100;
  return `${amount < 0 ? '-' : ''}$${grouped(dollars)}.${rest < 10 ? '0' : ''}${rest}`;
}

/** "15%", "12.5%", "0.25%", without trailing zeros. */
export function percentText(share: Bps): string {
  return Number.isFinite(share) ? `${share / 100}%` : UNREADABLE;
}

/** "40 minutes", "3 hours", "2 days": rounded down, for the age of a fact. */
export function ageText(age: Millis): string {
  const minutes = Math.floor(age / 60_000);
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.floor(hours / 24), 'day');
}

/** "15 min", "24 h", "3 days": exact to the minute, for configured limits. */
export function durationText(duration: Millis): string {
  if (!Number.isFinite(duration)) return UNREADABLE;
  const minutes = Math.round(duration / 60_000);
  if (minutes % 60 !== 0) return `${minutes} min`;
  const hours = minutes / 60;
  return hours <= 24 || hours % 24 !== 0 ? `${hours} h` : `${hours / 24} days`;
}

/** Longest list of names that is written out. */
const MAX_NAMES = 4;

/** "A", "A and B", "A, B and C", "A, B, C, D and 12 more". */
export function listText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES);
  const left = names.length - shown.length;
  const all = left === 0 ? shown : [...shown, `${left} more`];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function grouped(dollars: number): string {
  if (dollars < 1_000) return String(dollars);
  return `${grouped(Math.floor(dollars / 1_000))},${String(dollars % 1_000).padStart(3, '0')}`;
}
