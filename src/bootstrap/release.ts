import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationsFolder, readMigrations } from '#db/migration-files.ts';

/** The version of this program. */
export interface Release {
  /** "1.3.0" */
  readonly version: string;
  /** The number of its newest migration. */
  readonly schemaVersion: number;
}

export async function readRelease(): Promise<Release> {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as Release;
  return { version, schemaVersion: (await readMigrations(migrationsFolder())).length };
}

/** The folder of our package.json, from source and in the build. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
