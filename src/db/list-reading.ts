import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './client.ts';
import { readSnapshot } from './transact.ts';

/**
 * Runs the statements of one page on one snapshot, so that its rows and its total agree. Planner settings suit lists:
 * pages come from memory, and compiling a query of milliseconds costs more than it saves.
 */
export async function readingList<Result>(db: Db, read: (snapshot: Db) => Promise<Result>): Promise<Result> {
  return readSnapshot(db, async (snapshot) => {
    await snapshot.execute(sql`SELECT set_config('jit', 'off', true), set_config('random_page_cost', '1.1', true),
        set_config('work_mem', '32MB', true), set_config('max_parallel_workers_per_gather', '0', true)`);
    return read(snapshot);
  });
}

/** One number, from a statement that returns exactly one row. */
export async function readNumber(db: Db, statement: SQL): Promise<number> {
  const { rows } = await db.execute<{ number: string | number }>(statement);
  return Number(rows[0]?.number ?? 0);
}
