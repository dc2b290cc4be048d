import pg from 'pg';
import { connectionConfig } from './client.ts';
import {
  type Migration,
  migrationsFolder,
  missingRight,
  readMigrations,
  SchemaError,
} from './migration-files.ts';

/** Key of the advisory lock for changes of the schema and of rights in it; "prwr" in ASCII. */
export const SCHEMA_LOCK = 0x70727772;

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

async function readApplied(client: pg.Client): Promise<Applied[]> {
  // Checked first: even "if not exists" needs the right to create, which a role for daily use does not have.
  const { rows: found } = await client.query<{ table: string | null }>(
    `SELECT to_regclass('schema_migrations')::text AS table`,
  );
  if (found[0]?.table == null) await createMigrationsTable(client);
  const { rows } = await client.query<Applied>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  return rows;
}

function rejectForeignSchema(applied: readonly Applied[], known: readonly Migration[]): void {
  const newest = applied.at(-1);
  if (newest && newest.version > known.length) {
    throw new SchemaError(
      `This database has schema ${newest.version} (${newest.name}), but this program only knows up to ${known.length}. ` +
        'Start the newer version of Pricewright that wrote it, or restore a backup made before the upgrade.',
    );
  }
  for (const step of applied) {
    const file = known[step.version - 1];
    if (file?.checksum !== step.checksum) {
      throw new SchemaError(
        `Schema step ${step.version} ran in this database as ${step.name}, but the file ${file?.name} differs from it. ` +
          'Put the released file back; changes belong in a new step.',
      );
    }
  }
}

/** The list of the migrations that have run. */
export async function createMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
}

/** Runs a migration in the caller's transaction. */
export async function runMigration(client: pg.Client, step: Migration): Promise<void> {
  await client.query(step.sql);
  await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
    step.version,
    step.name,
    step.checksum,
  ]);
}

async function apply(client: pg.Client, step: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await runMigration(client, step);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Schema step ${step.name} failed and was rolled back.`, { cause: error });
  }
}

/**
 * Migrates a database to the newest schema, one transaction per migration. Several processes may call this at once:
 * one works, the others wait and find nothing left to do.
 * @param folder where the SQL files are; found automatically from source, in tests and in the build
 * @param beforeUpgrade called before migrations of a database that has had some; an error of it stops them
 * @throws Error when the database is newer than this program, a migration was edited after it ran, or the role may not
 *   create a missing object
 */
export async function migrate(
  url: string,
  folder = migrationsFolder(),
  beforeUpgrade: () => Promise<void> = async () => undefined,
): Promise<void> {
  const known = await readMigrations(folder);
  const client = new pg.Client(connectionConfig(url, 'pricewright-migrate'));
  await client.connect();
  try {
    // Held by the connection, so the lock of a process that dies is released.
    await client.query('SELECT pg_advisory_lock($1)', [SCHEMA_LOCK]);
    const applied = await readApplied(client);
    rejectForeignSchema(applied, known);
    if (applied.length > 0 && applied.length < known.length) await beforeUpgrade();
    for (const step of known.slice(applied.length)) await apply(client, step);
  } catch (error) {
    throw missingRight(error);
  } finally {
    await client.end();
  }
}
