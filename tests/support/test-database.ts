import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Db } from '#db/client.ts';
import { grantDailyUse, identityOf } from '#db/daily-role.ts';
import { type JobKind, prepareQueue } from '#db/queue.ts';
import { execute, withDatabase } from './test-cluster.ts';

/** A migrated, empty database of its own. */
export interface TestDatabase {
  /** For the role of daily use, as the program has it. */
  readonly url: string;
  /** For the role that owns its tables. */
  readonly ownerUrl: string;
  /** Drops it, even with open connections. */
  drop(): Promise<void>;
}

/**
 * Copies the migrated template: call it in `beforeAll` of a test file and `drop()` it in `afterAll`, so that
 * files never see each other's rows and can run side by side.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, ownerUrl, template, prefix } = inject('testServer');
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await execute(ownerUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: withDatabase(url, name),
    ownerUrl: withDatabase(ownerUrl, name),
    drop: () => dropDatabase(ownerUrl, name),
  };
}

/** Makes the queue's tables, as a start does before the program's role opens it. */
export async function prepareTestQueue(
  { ownerUrl, url }: TestDatabase,
  kinds: readonly JobKind<object>[],
): Promise<void> {
  await prepareQueue(ownerUrl, kinds);
  await grantDailyUse(ownerUrl, (await identityOf(url)).role);
}

/** One statement as the owner of a test's database: for what the program itself may not do. */
export async function asOwner(db: Db, statement: string): Promise<void> {
  const { rows } = await db.execute<{ name: string }>(sql`SELECT current_database() AS name`);
  const url = withDatabase(inject('testServer').ownerUrl, rows[0]?.name ?? '');
  usedByOwner.add(url);
  await execute(url, statement);
}

/** Addresses of the databases in which a test acted as the owner, who alone can change tables. */
export const usedByOwner = new Set<string>();

/** "insufficient_privilege": an autovacuum worker, which belongs to the superuser, is in the database. */
const NOT_OURS_TO_END = '42501';

async function dropDatabase(url: string, name: string): Promise<void> {
  try {
    await execute(url, `DROP DATABASE ${name} WITH (FORCE)`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === NOT_OURS_TO_END)) throw error;
    // FORCE has ended our own sessions; a plain DROP ends autovacuum and waits for it.
    await execute(url, `DROP DATABASE ${name}`);
  }
}
