import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './client.ts';
import { readSnapshot } from './transact.ts';

const BATCH = 1_000;

/**
 * Hands over the rows of a statement batch by batch through a cursor: memory stays flat whatever their number, and all
 * of them are of one moment.
 * @param prepare builds the statement inside that moment
 * @param onRows the next batch is read when it resolves. Not within 30 seconds: the database ends the reading.
 */
export async function eachBatch<Row extends Record<string, unknown>>(
  db: Db,
  prepare: (snapshot: Db) => Promise<SQL>,
  onRows: (rows: Row[]) => Promise<void>,
): Promise<void> {
  await readSnapshot(db, async (snapshot) => {
    // A cursor is expected to be read in part; this one is read to its end.
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
