import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { execute, withDatabase } from './test-cluster.ts';

/** A migrated, empty database of its own. */
export interface TestDatabase {
  readonly url: string;
  /** Deletes it, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Copies the migrated template: call it in `beforeAll` of a test file and `drop()` it in `afterAll`, so that
 * files never see each other's rows and can run side by side.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, template, prefix } = inject('testServer');
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: withDatabase(url, name),
    drop: () => dropDatabase(url, name),
  };
}

/** "insufficient_privilege": an autovacuum worker, which belongs to the superuser, is in the database. */
const NOT_OURS_TO_END = '42501';

async function dropDatabase(url: string, name: string): Promise<void> {
  try {
    await execute(url, `DROP DATABASE ${name} WITH (FORCE)`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === NOT_OURS_TO_END)) throw error;
    // FORCE has ended our own sessions; a plain DROP sends autovacuum away by itself and waits for it.
    await execute(url, `DROP DATABASE ${name}`);
  }
}
