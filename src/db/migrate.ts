import pg from 'pg';
import { connectionConfig } from './client.ts';
import {
  type Migration,
  migrationsFolder,
  missingRight,
  noRoomForLocks,
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

/** Null where no migration ever ran. */
async function readApplied(client: pg.Client): Promise<Applied[] | null> {
  const { rows: found } = await client.query<{ table: string | null }>(
    `SELECT to_regclass('schema_migrations')::text AS table`,
  );
  if (found[0]?.table == null) return null;
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

/**
 * All of them in one transaction: where one fails, the database is still the former release's.
 * @param former what ran before; null where there is no list of it yet
 */
async function runAll(
  client: pg.Client,
  steps: readonly Migration[],
  former: readonly Applied[] | null,
): Promise<void> {
  await client.query('BEGIN');
  // A limit that the server sets for every statement is not meant for a whole table.
  await client.query('SET LOCAL statement_timeout = 0');
  if (former === null) await createMigrationsTable(client);
  for (const step of steps) {
    await runMigration(client, step).catch((error: unknown) => {
      throw failureIn(step, former ?? [], error);
    });
  }
  await client.query('COMMIT');
}

/** Without COMMIT the server undoes everything, also when the connection is lost. */
function failureIn({ name }: Migration, former: readonly Applied[], error: unknown): unknown {
  const known =
    noRoomForLocks(error, 'an upgrade, which changed nothing', 'start again') ?? missingRight(error);
  if (known instanceof SchemaError || !(error instanceof Error)) return known;
  const [what, wayOut] =
    former.length > 0
      ? ['The upgrade', 'the former release of Pricewright starts as before']
      : ['The preparation of the database', 'repair the cause and start again'];
  return new SchemaError(`${what} failed in ${name} (${error.message}) and nothing was changed: ${wayOut}.`, {
    cause: error,
  });
}

/**
 * Migrates a database to the newest schema, in one transaction: a migration that fails changes nothing, and the former
 * release starts as before. Several processes may call this at once: one works, the others wait and find nothing left to
 * do.
 * @param folder where the SQL files are; found automatically from source, in tests and in the build
 * @param beforeUpgrade called before migrations of a database that has had some; an error of it stops them
 * @throws SchemaError when the database is newer than this program, a migration failed or was edited after it ran, or the
 *   role may not create a missing object
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
    const found = await readApplied(client);
    const applied = found ?? [];
    rejectForeignSchema(applied, known);
    if (applied.length > 0 && applied.length < known.length) await beforeUpgrade();
    if (applied.length < known.length) await runAll(client, known.slice(applied.length), found);
  } catch (error) {
    throw missingRight(error);
  } finally {
    await client.end();
  }
}
