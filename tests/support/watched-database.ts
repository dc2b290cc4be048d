import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db } from '#db/client.ts';

/** Sees every statement that passes, in transactions and outside. When it throws, the connection is cut. */
export interface Watch {
  readonly before?: (statement: string) => Promise<void> | void;
  /** Once the database has done it. */
  readonly after?: (statement: string) => Promise<void> | void;
}

/** The same database with an observer that may cut a connection: what was not committed is rolled back. */
export function watchedDatabase(pool: pg.Pool, watch: Watch): Db {
  const connect = async () => watchedClient(await pool.connect(), watch);
  const members = { connect, query: watchedQuery(pool, watch, () => undefined) };
  return drizzle(withMembers(pool, members));
}

function watchedClient(client: pg.PoolClient, watch: Watch): pg.PoolClient {
  let isCut = false;
  const query = watchedQuery(client, watch, () => {
    isCut = true;
    client.release(true);
  });
  return withMembers(client, {
    // The end of a connection is the rollback of its transaction.
    query: async (...args: readonly unknown[]) => (isCut ? undefined : query(...args)),
    release: () => (isCut ? undefined : client.release()),
  });
}

function watchedQuery(on: pg.Pool | pg.PoolClient, { before, after }: Watch, cut: () => void) {
  return async (...args: readonly unknown[]): Promise<unknown> => {
    const text = textOf(args[0]);
    try {
      await before?.(text);
      const answer: unknown = await Reflect.apply(on.query, on, [...args]);
      await after?.(text);
      return answer;
    } catch (error) {
      cut();
      throw error;
    }
  };
}

function withMembers<On extends object>(on: On, members: Readonly<Record<string, unknown>>): On {
  return new Proxy(on, {
    get: (target, name) => {
      if (typeof name === 'string' && name in members) return members[name];
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
