import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { Cells } from '#files/cells.ts';
import type { Change } from './importer.ts';

/** What a blank cell does to a stored value: clears it, or keeps it. */
export type Blank = 'clears' | 'keeps';

export interface Difference {
  readonly changes: readonly Change[];
  /** The stored row, overridden by the file's values. */
  readonly merged: TextRow;
}

/**
 * Compares a stored row with a row of the file. A column that the file does not have keeps the stored value.
 * @param fields by our name, with what a blank cell does
 */
export function difference(
  stored: TextRow,
  wanted: TextRow,
  fields: Readonly<Record<string, Blank>>,
  present: ReadonlySet<string>,
): Difference {
  const merged: Record<string, string | null> = { ...stored };
  const changes: Change[] = [];
  for (const [field, blank] of Object.entries(fields)) {
    if (!present.has(field)) continue;
    const from = stored[field] ?? null;
    const to = wanted[field] ?? null;
    if (from === to || (to === null && blank === 'keeps')) continue;
    merged[field] = to;
    changes.push({ field, from, to });
  }
  return { changes, merged };
}

/** The initial values of a new row, of these fields, where the file has them. */
export function initialValues(
  row: TextRow,
  fields: readonly string[],
  present: ReadonlySet<string>,
): Change[] {
  return fields
    .filter((field) => present.has(field) && row[field] != null)
    .map((field) => ({ field, from: null, to: row[field] ?? null }));
}

export function moneyField(amount: Cents | null): string | null {
  return amount === null ? null : decimalFromCents(amount);
}

export function shareField(share: Bps | null): string | null {
  return share === null ? null : decimalFromBps(share);
}

export function countField(count: number | null): string | null {
  return count === null ? null : String(count);
}

export function timeField(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** From when the costs of a row apply to sales, as text; null is from the import on. One after it is an error. */
export function sinceField<Name extends string>(
  cells: Cells<Name | 'effectiveFrom'>,
  now: Instant,
): string | null {
  const since = cells.moment('effectiveFrom');
  rejectFuture(cells, since, now);
  return timeField(since);
}

export function rejectFuture<Name extends string>(
  cells: Cells<Name | 'effectiveFrom'>,
  since: Instant | null,
  now: Instant,
): void {
  if (since === null || since <= now) return;
  cells.reject('effectiveFrom', 'is in the future', 'Write a day up to today.');
}

/** That the costs of a row apply from an earlier moment. */
export function sinceChange(since: string): Change {
  return { field: 'effectiveFrom', from: null, to: since };
}

/** The shortest digits that PostgreSQL's `real` reads as the same weight, so that equal weights are equal texts. */
export function weightField(weight: number | null): string | null {
  if (weight === null) return null;
  const stored = Math.fround(weight);
  for (let digits = 1; digits < 9; digits += 1) {
    const text = Number(stored.toPrecision(digits));
    if (Math.fround(text) === stored) return String(text);
  }
  return String(Number(stored.toPrecision(9)));
}

/** A text up to a length; a longer one is an error. */
export function textWithin<Name extends string>(cells: Cells<Name>, name: Name, most: number): string | null {
  const text = cells.text(name);
  if (text === null || [...text].length <= most) return text;
  cells.reject(name, `is longer than ${most} characters`, 'Shorten it.');
  return null;
}

/**
 * A brand or a supplier. Filters and rules separate several with |, so none contains it.
 * @param isOurs false for a report, which the user cannot correct: the sign becomes a slash
 */
export function labelField<Name extends string>(
  cells: Cells<Name>,
  name: Name,
  isOurs: boolean,
): string | null {
  const text = textWithin(cells, name, 200);
  if (text === null || !text.includes('|')) return text;
  if (!isOurs) return text.replaceAll('|', '/');
  cells.reject(name, 'has a | in it', 'Leave out the |.');
  return null;
}

/** The address of a picture, which our pages load by https alone; an http address is changed to https. */
export function pictureAddress<Name extends string>(cells: Cells<Name>, name: Name): string | null {
  const text = textWithin(cells, name, 2_000)?.replace(/^http:/i, 'https:') ?? null;
  if (text === null || (text.startsWith('https://') && URL.canParse(text))) return text;
  cells.reject(name, 'is not the address of a picture', 'Write one that starts with https://.');
  return null;
}

/** A code that must not be blank. */
export function codeOf<Name extends string>(cells: Cells<Name>, name: Name): string | null {
  return cells.required(name, textWithin(cells, name, 200), 'Write the code of the SKU.');
}
