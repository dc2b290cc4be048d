import type { Db } from './client.ts';
import { databaseErrorCode } from './error-code.ts';

const MAX_ATTEMPTS = 5;

/**
 * A transaction that is retried after a serialization failure or a deadlock, for example with a batch of the engine: no
 * user needs to see that error. A lock timeout is not retried, since the user has waited long enough.
 * @param work may run several times: it must change nothing but the database
 */
export async function transact<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const isBrokenOff = ['40001', '40P01'].includes(databaseErrorCode(error) ?? '');
      if (!isBrokenOff || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** {@link transact} without retries, for callers that retry more than the transaction. */
export async function transactOnce<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(work);
}

/** Reads on one snapshot: all statements see the same state, whatever commits in between. Writes are rejected. */
export async function readSnapshot<Result>(db: Db, read: (snapshot: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}
