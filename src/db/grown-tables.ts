import { sql } from 'drizzle-orm';
import type { Db } from './client.ts';

type Table =
  | 'listings'
  | 'listing_keys'
  | 'price_history'
  | 'due_listings'
  | 'skus'
  | 'sales_history'
  | 'money_events';

/** A smaller table is scanned quickly enough. */
const MIN_TABLE_BYTES = 64 * 1024;

/**
 * Runs ANALYZE on tables that have at least doubled since the last one. A connection keeps its plans, those of foreign
 * keys and triggers too: made while a table was empty, they scan all of it for every row that an import adds, until
 * autovacuum runs about a minute later. A table that is being analyzed already is skipped.
 *
 * Also for rows that are rolled back, as in the check of an import: their pages stay, and without this every batch
 * scans those of all batches before it. PostgreSQL keeps the sizes it writes to pg_class here past the rollback, so the
 * next batch finds them; the statistics of the values are rolled back, and autovacuum restores them.
 */
export async function analyzeGrown(db: Db, tables: readonly Table[]): Promise<void> {
  await db.execute(
    sql`SELECT analyze_grown(${sql.param(tables)}::text[]::regclass[], ${MIN_TABLE_BYTES}::bigint)`,
  );
}
