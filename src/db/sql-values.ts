import { type SQL, sql } from 'drizzle-orm';

/*
 * Money and moments on their way into and out of statements that are written by hand. Tables of the schema have
 * `columns.ts` for that.
 */

/** A moment, in milliseconds since 1970, as ISO 8601 in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** The same as a parameter of type `timestamptz`. */
export function timestamptz(at: number): SQL {
  return sql`${isoTime(at)}::timestamptz`;
}

/** A column of moments as ISO 8601 in UTC, as it goes over the API; null stays null. */
export function isoText(moment: SQL): SQL {
  return sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * A column of amounts as whole cents, or of shares in percent as basis points. PostgreSQL does it: a sweep reads tens of
 * millions of them, and parsing decimals in JavaScript costs more than deciding. `float8` holds every such whole number
 * exactly, and pg reads it as a number; by way of `bigint`, since from `numeric` it would go through decimal text.
 */
export function cents(column: string): SQL {
  return sql.raw(`(${column} * 100)::bigint::float8`);
}

/** A column of moments as milliseconds since 1970. */
export function millis(column: string): SQL {
  return sql.raw(`round(date_part('epoch', ${column}) * 1000)`);
}
