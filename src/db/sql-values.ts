import { type SQL, sql } from 'drizzle-orm';

/*
 * Money and times in statements that are written by hand. Tables of the schema have `columns.ts` for that.
 */

/** A time in milliseconds since 1970, as ISO 8601 in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** The same as a parameter of type `timestamptz`. */
export function timestamptz(at: number): SQL {
  return sql`${isoTime(at)}::timestamptz`;
}

/** A column of times, null where it is later than `now`: one that a clock wrote that was ahead. */
export function pastTime(column: string, now: number): SQL {
  return sql`CASE WHEN ${sql.raw(column)} <= ${timestamptz(now)} THEN ${sql.raw(column)} END`;
}

/** A column of times as ISO 8601 in UTC, the format of the API; null stays null. */
export function isoText(moment: SQL): SQL {
  return sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * A column of amounts as whole cents, or of shares in percent as basis points. Converted by PostgreSQL: a full check
 * reads tens of millions of them, and parsing decimals in JavaScript takes longer than deciding. `float8` holds every
 * such whole number exactly, and pg reads it as a number; via `bigint`, since `numeric` would become decimal text.
 */
export function cents(column: string): SQL {
  return sql.raw(`(${column} * 100)::bigint::float8`);
}

/** A column of times as milliseconds since 1970. */
export function millis(column: string): SQL {
  return sql.raw(`round(date_part('epoch', ${column}) * 1000)`);
}
