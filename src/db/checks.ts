import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, type CheckBuilder, check } from 'drizzle-orm/pg-core';

/**
 * Both bounds, always. PostgreSQL sorts NaN above every number and `numeric(10,2)` stores it,
 * so `price > 0` lets NaN through; only an upper bound refuses it. Null passes: unknown is allowed
 * wherever the column allows it.
 */
function within(column: AnyPgColumn, min: string, max: string): CheckBuilder {
  return check(`${column.name}_range`, sql`${column} between ${sql.raw(min)} and ${sql.raw(max)}`);
}

/** Above zero: a price that a buyer could be shown. */
export function isPrice(column: AnyPgColumn): CheckBuilder {
  return within(column, '0.01', '99999999.99');
}

/** Zero or more: a cost part, a charge, a fee. */
export function isAmount(column: AnyPgColumn): CheckBuilder {
  return within(column, '0', '99999999.99');
}

/** Money of either sign: an offset, a loss. */
export function isSignedAmount(column: AnyPgColumn): CheckBuilder {
  return within(column, '-99999999.99', '99999999.99');
}

/** A sum of amounts of any number of rows, `numeric(20,2)`. */
export function isSum(column: AnyPgColumn): CheckBuilder {
  return within(column, '-999999999999999999.99', '999999999999999999.99');
}

/** A share from `min` to `max` percent. */
export function isShare(column: AnyPgColumn, min: string, max: string): CheckBuilder {
  return within(column, min, max);
}

/** A margin in percent: wide enough for the largest fee and cost on a price of one cent. */
export function isMargin(column: AnyPgColumn): CheckBuilder {
  return within(column, '-9999999999999.99', '9999999999999.99');
}

/** Ounces up to a million (28 tonnes): finite, which `real` itself is not. */
export function isWeight(column: AnyPgColumn): CheckBuilder {
  return within(column, '0', '1000000');
}

/** Inches up to ten thousand. */
export function isLength(column: AnyPgColumn): CheckBuilder {
  return within(column, '0', '10000');
}

/** A whole number of at min `min`. */
export function isCount(column: AnyPgColumn, min = 0): CheckBuilder {
  return within(column, String(min), '2147483647');
}

/** One of a closed list of values. Text with a check, not an enum type: a new value is one short migration. */
export function isOneOf(column: AnyPgColumn, words: readonly string[]): CheckBuilder {
  const list = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ');
  return check(`${column.name}_known`, sql`${column} in (${sql.raw(list)})`);
}

/** Text that is not blank, up to `max` characters. */
export function isFilled(column: AnyPgColumn, max: number): CheckBuilder {
  const length = sql`char_length(btrim(${column}))`;
  return check(`${column.name}_filled`, sql`${length} between 1 and ${sql.raw(String(max))}`);
}

/** A condition over more than one column. */
export function holds(name: string, condition: SQL): CheckBuilder {
  return check(name, condition);
}
