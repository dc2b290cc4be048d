import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/**
 * Proves that a commit reaches the disk: a marker in the write-ahead log, which touches no table and which
 * readers of that log ignore. Fails on a read-only standby, on a full disk and without a database.
 */
export async function proveDatabaseWrite(db: Db): Promise<void> {
  await db.execute(sql`select pg_logical_emit_message(true, 'pricewright', 'ready?')`);
}
