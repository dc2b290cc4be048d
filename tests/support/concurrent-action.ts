import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/** A concurrent action while a transaction is open. */
export interface ConcurrentAction {
  /** Whether it was done at once; otherwise it waits for a lock. */
  readonly cameThrough: boolean;
  /** Its end. Await it after the transaction: it may wait for that. */
  readonly end: Promise<unknown>;
}

/** Starts a concurrent action, and returns once it is done or waits for a lock in the same database. */
export async function startConcurrent(db: Db, action: () => Promise<unknown>): Promise<ConcurrentAction> {
  let cameThrough = false;
  const end = action().then(() => {
    cameThrough = true;
  });
  // An error is reported to the caller that awaits the end.
  end.catch(() => undefined);
  while (!cameThrough && !(await isAnyWaiting(db))) await Promise.race([end, Promise.resolve()]);
  return { cameThrough, end };
}

async function isAnyWaiting(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows.length > 0;
}
