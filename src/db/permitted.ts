import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './client.ts';

/**
 * Looks, inside a transaction, whether what it is for may still be done, and keeps it so until its end.
 * @returns what is asked of the transaction once its work is done, before it is committed
 * @throws to refuse, both
 */
export type Permit = (tx: Db) => Promise<(tx: Db) => Promise<void>>;

/** Asks for nothing. */
export const FREE: Permit = async () => async () => undefined;

const permits = new AsyncLocalStorage<Permit>();

/** Does work whose transactions on a {@link permittedDb} need this permit, those that begin later too. */
export function underPermit<Result>(permit: Permit, work: () => Result): Result {
  return permits.run(permit, work);
}

/** Clears away what a request leaves half done, whatever became of the account that sent it. */
export function asProgram<Result>(work: () => Result): Result {
  return permits.run(FREE, work);
}

/**
 * A database as requests get it: it writes in transactions alone, and each of them first asks for the permit of its
 * request. What is done is looked at once more
 * before it is committed. Work that nobody gave a permit to is refused, so that a route which was forgotten cannot write.
 */
export function permittedDb(db: Db): Db {
  const transaction: Db['transaction'] = async (work, config) => {
    // Nothing is written there, and such a transaction can hold no row either.
    if (config?.accessMode === 'read only') return db.transaction(work, config);
    const permit = permits.getStore();
    if (permit === undefined) throw new Error('A transaction of a request was begun outside of one.');
    return db.transaction(async (tx) => {
      const hold = await permit(tx);
      const result = await work(tx);
      await hold(tx);
      return result;
    }, config);
  };
  const refuse = (): never => {
    throw new Error('A request writes in transactions alone: use transact.');
  };
  return Object.create(db, {
    transaction: { value: transaction },
    insert: { value: refuse },
    update: { value: refuse },
    delete: { value: refuse },
  });
}
