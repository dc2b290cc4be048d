import { type SQL, sql } from 'drizzle-orm';

/*
 * Columns of what a batch of decisions reads. Amounts are made whole cents, shares basis points and moments milliseconds
 * by PostgreSQL: a sweep reads tens of millions of them, and parsing decimals in JavaScript costs more than deciding.
 * `float8` holds every such whole number exactly, and pg reads it as a number. The way there is by `bigint` and by
 * `date_part`: from `numeric` it would go through decimal text.
 */

/** An amount as whole cents, or a share in percent as basis points. */
export const cents = (column: string): SQL => sql.raw(`(${column} * 100)::bigint::float8`);

/** A moment as milliseconds since 1970. */
export const millis = (column: string): SQL => sql.raw(`round(date_part('epoch', ${column}) * 1000)`);
