import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './client.ts';
import { readSnapshot } from './transact.ts';

const BATCH = 1_000;

/**
 * Passes on the rows of a statement batch by batch through a cursor: memory use does not grow with their number, and
 * all of them are of one snapshot.
 * @param prepare builds the statement inside that snapshot
 * @param onRows the next batch is read when it resolves, which must take less than 30 seconds: the database ends the
 *   transaction after that
 */
export async function eachBatch<Row extends Record<string, unknown>>(
  db: Db,
  prepare: (snapshot: Db) => Promise<SQL>,
  onRows: (rows: Row[]) => Promise<void>,
): Promise<void> {
  await readSnapshot(db, async (snapshot) => {
    // PostgreSQL plans a cursor for reading the first rows; this one is read to its end.
    await snapshot.execute(
      sql`SELECT set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true)`,
    );
    await snapshot.execute(sql`DECLARE all_rows NO SCROLL CURSOR FOR ${await prepare(snapshot)}`);
    for (;;) {
      const { rows } = await snapshot.execute(sql.raw(`FETCH ${BATCH} FROM all_rows`));
      if (rows.length > 0) await onRows(rows as Row[]);
      if (rows.length < BATCH) return;
    }
  });
}
