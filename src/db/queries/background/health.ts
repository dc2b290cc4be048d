import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/**
 * Proves that a commit reaches the disk: a marker in the write-ahead log, which touches no table and which
 * readers of that log ignore. Fails on a read-only standby, on a full disk and without a database.
 */
export async function proveDatabaseWrite(db: Db): Promise<void> {
  await db.execute(sql`select pg_logical_emit_message(true, 'pricewright', 'ready?')`);
}

/** The newest migration that this database has had. */
export async function readSchemaVersion(db: Db): Promise<number> {
  const { rows } = await db.execute<{ version: number | null }>(
    sql`select max(version) as version from schema_migrations`,
  );
  return rows[0]?.version ?? 0;
}
