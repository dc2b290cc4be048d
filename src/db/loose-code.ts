import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The domain's `looseCode` as an SQL expression, the one of the indexes. */
export function looseCodeOf(column: SQLWrapper): SQL {
  return sql`lower(regexp_replace(${column}, '^''+|\\s+', '', 'g'))`;
}
