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
  const { url, template } = inject('testServer');
  const name = `pricewright_test_${randomBytes(6).toString('hex')}`;
  await execute(url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: withDatabase(url, name),
    drop: () => execute(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
