import { AsyncLocalStorage } from 'node:async_hooks';
import { type SQLWrapper, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from './client.ts';

/**
 * Checks, inside a transaction, that its request is still allowed, and locks that answer until the transaction ends.
 * @returns a second check, made once the work is done and before it is committed
 * @throws when the request is not allowed, from both checks
 */
export type Permit = (tx: Db) => Promise<(tx: Db) => Promise<void>>;

/** Allows everything. */
export const UNRESTRICTED: Permit = async () => async () => undefined;

const permits = new AsyncLocalStorage<Permit>();

/** Does work whose transactions on a {@link permittedDb} need this permit, including those that start later. */
export function underPermit<Result>(permit: Permit, work: () => Result): Result {
  return permits.run(permit, work);
}

/** Cleans up after a request that failed halfway, even if its account has lost its rights. */
export function asProgram<Result>(work: () => Result): Result {
  return permits.run(UNRESTRICTED, work);
}

const dialect = new PgDialect();
const COMMENT = /--[^\n]*/g;
const READS = /^\s*(SELECT|WITH|VALUES|SHOW|EXPLAIN)\b/i;
/** Also inside of a WITH. An UPDATE has a SET, which `FOR UPDATE` has not. */
const WRITES = /\b(INSERT|SET|DELETE|MERGE)\b/i;

/** Whether a statement reads alone, by its words. A function that it calls may write: ours do not. */
function isRead(statement: SQLWrapper | string): boolean {
  const { sql: text } =
    typeof statement === 'string' ? { sql: statement } : dialect.sqlToQuery(sql`${statement}`);
  const statementText = text.replaceAll(COMMENT, ' ');
  return READS.test(statementText) && !WRITES.test(statementText);
}

/**
 * The database for requests: it writes only in transactions, and each first checks the permit of its request, then
 * checks it again before it commits. Work without a permit is rejected, so that a route without an access check cannot
 * write.
 */
export function permittedDb(db: Db): Db {
  const transaction: Db['transaction'] = async (work, config) => {
    // Such a transaction writes nothing and locks no row.
    if (config?.accessMode === 'read only') return db.transaction(work, config);
    const permit = permits.getStore();
    if (permit === undefined) throw new Error('A transaction of a request was begun outside of one.');
    return db.transaction(async (tx) => {
      const checkAgain = await permit(tx);
      const result = await work(tx);
      await checkAgain(tx);
      return result;
    }, config);
  };
  const rejectWrite = (): never => {
    throw new Error('A request writes in transactions alone: use transact.');
  };
  const execute: Db['execute'] = (statement) => (isRead(statement) ? db.execute(statement) : rejectWrite());
  return Object.create(db, {
    transaction: { value: transaction },
    execute: { value: execute },
    // Unused, and would offer all of the writes below.
    with: { value: rejectWrite },
    insert: { value: rejectWrite },
    update: { value: rejectWrite },
    delete: { value: rejectWrite },
  });
}
