import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { migrationsFolder, readMigrations } from '#db/migration-files.ts';
import { execute, withDatabase } from './test-cluster.ts';

/** A database as an earlier release left it. */
export interface OldDatabase {
  /** For the role that owns its tables. */
  readonly ownerUrl: string;
  /** Brings it to the schema of now, as the start of a newer release does. */
  upgrade(): Promise<void>;
  drop(): Promise<void>;
}

/** An empty database with the schema as it was after the step of that number. */
export async function createOldDatabase(version: number): Promise<OldDatabase> {
  const { ownerUrl: server, prefix } = inject('testServer');
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const ownerUrl = withDatabase(server, name);
  const folder = await mkdtemp(join(tmpdir(), 'old-schema-'));
  const steps = await readMigrations(migrationsFolder());
  for (const step of steps.slice(0, version)) {
    await copyFile(join(migrationsFolder(), step.name), join(folder, step.name));
  }
  await migrate(ownerUrl, folder);
  await rm(folder, { recursive: true });
  return {
    ownerUrl,
    upgrade: () => migrate(ownerUrl),
    drop: async () => {
      await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
