import { sql } from 'drizzle-orm';
import type { Db } from './client.ts';

type Table = 'listings' | 'listing_keys' | 'price_history' | 'due_listings' | 'skus';

/** Bytes. A smaller table is read from end to end quickly enough. */
const WORTH_IT = 64 * 1024;

/**
 * Tells the planner of tables that have at least doubled since it last looked. A connection keeps its plans, those of
 * foreign keys and triggers too: made while a table was empty, they read all of it for every row that an import adds,
 * until autovacuum comes by about a minute later. One that is being analyzed already is passed over.
 *
 * Also where the rows are taken back, as a check does that tries an import out: its pages stay, and without this every
 * batch reads those of all batches before it. PostgreSQL keeps the sizes it writes to pg_class here past the rollback,
 * so that the next batch finds them; what it learned of the values goes with the rows, and autovacuum brings it back.
 */
export async function analyzeGrown(db: Db, tables: readonly Table[]): Promise<void> {
  await db.execute(sql`SELECT analyze_grown(${sql.param(tables)}::text[]::regclass[], ${WORTH_IT}::bigint)`);
}
