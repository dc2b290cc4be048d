import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseErrorCode } from './error-code.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const OUT_OF_MEMORY = '53200';

/** Database and program do not fit together. The message is one sentence that says how to fix it; it needs no stack. */
export class SchemaError extends Error {}

/**
 * @param error of a role that was creating what this release needs
 * @returns the error to throw: a SchemaError when the role lacks the right, which the owner has; else `error` itself
 */
export function missingRight(error: unknown): unknown {
  if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE || !(error instanceof Error)) return error;
  const { message } = error.cause instanceof Error ? error.cause : error;
  return new SchemaError(
    `The database lacks something that this release needs, and its role may not make that (${message}). ` +
      'Let DATABASE_URL, or else DATABASE_OWNER_URL, name the role that owns the database.',
    { cause: error },
  );
}

/**
 * One transaction that makes or changes every table needs more locks than a small server may have.
 * @param what it was, and `again` what to do afterwards, for the message
 * @returns null for any other error
 */
export function noRoomForLocks(error: unknown, what: string, again: string): SchemaError | null {
  if (databaseErrorCode(error) !== OUT_OF_MEMORY) return null;
  return new SchemaError(
    `The database server has no room for the locks or the memory of ${what}. ` +
      `Raise max_locks_per_transaction to 256 and restart it, then ${again}.`,
    { cause: error },
  );
}

/** One migration: `0007_offers.sql` is version 7. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, to detect a migration that was edited after it ran. */
  readonly checksum: string;
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/**
 * The folder with the SQL files: next to this module when it runs from source (Node, tsx, Vitest),
 * else `src/db/migrations` of the first folder above the built bundle that has it.
 * @throws SchemaError when there is neither
 */
export function migrationsFolder(module = fileURLToPath(import.meta.url)): string {
  const sibling = join(dirname(module), 'migrations');
  if (existsSync(sibling)) return sibling;
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'src', 'db', 'migrations');
    if (existsSync(candidate)) return candidate;
  }
  throw new SchemaError(
    `The database's SQL files are missing: found no src/db/migrations above ${module}. ` +
      'Install Pricewright again, or copy that folder next to the build.',
  );
}

/**
 * Reads every migration, in order.
 * @throws SchemaError for a file with another name, a gap or a number used twice
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(FILE_NAME.exec(name)?.[1]);
      if (version !== index + 1) {
        const expected = String(index + 1).padStart(4, '0');
        throw new SchemaError(
          `${join(folder, name)} should be ${expected}_<name>.sql: steps are numbered without gaps.`,
        );
      }
      const sql = await readFile(join(folder, name), 'utf8');
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Names of the tables and sequences that the migrations create, including later renames. */
export function namesMadeBy(steps: readonly Migration[]): string[] {
  return steps.flatMap(({ sql }) =>
    [...sql.matchAll(/^(?:CREATE (?:TABLE|SEQUENCE)|ALTER TABLE \w+ RENAME TO) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
}
