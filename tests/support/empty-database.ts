import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { execute, withDatabase } from './test-cluster.ts';
import type { TestDatabase } from './test-database.ts';

/** A database without tables, as an operator creates one. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { url, ownerUrl, prefix } = inject('testServer');
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await execute(ownerUrl, `CREATE DATABASE ${name}`);
  return {
    url: withDatabase(url, name),
    ownerUrl: withDatabase(ownerUrl, name),
    drop: async () => {
      await execute(ownerUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
