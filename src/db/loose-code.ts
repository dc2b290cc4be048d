import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** `looseCode` of the domain in PostgreSQL's words, as the indexes have it. */
export function looseCodeOf(column: SQLWrapper): SQL {
  return sql`lower(regexp_replace(${column}, '^''+|\\s+', '', 'g'))`;
}
