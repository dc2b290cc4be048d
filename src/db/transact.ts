import type { Db } from './client.ts';
import { databaseErrorCode } from './error-code.ts';

const MOST_ATTEMPTS = 5;

/**
 * A transaction that is begun anew when PostgreSQL broke it off in favour of somebody else's: a deadlock with a batch of
 * the engine is nothing a person has to hear of. Whoever waited in vain for a lock is not sent to wait again.
 * @param work may run several times: it changes nothing but the database
 */
export async function transact<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const isBrokenOff = ['40001', '40P01'].includes(databaseErrorCode(error) ?? '');
      if (!isBrokenOff || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** {@link transact} for work whose caller begins anew itself, since it has more to do than that. */
export async function transactOnce<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(work);
}

/** Reads on one snapshot: whatever others commit meanwhile, all statements see the same moment. Writes are refused. */
export async function readSnapshot<Result>(db: Db, read: (snapshot: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}
