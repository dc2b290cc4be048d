import pg from 'pg';
import { connectionConfig } from '#db/client.ts';
import { createMigrationsTable, runMigration, SCHEMA_LOCK } from '#db/migrate.ts';
import {
  type Migration,
  migrationsFolder,
  missingRight,
  namesMadeBy,
  noRoomForLocks,
  readMigrations,
  SchemaError,
} from '#db/migration-files.ts';
import { QUEUE_SCHEMA } from '#db/queue.ts';
import { copyOf, readTableShapes, type SequenceState, type TableShape } from './backup-tables.ts';
import { copyIn } from './copy.ts';

/** What is restored. */
export interface RestoredRows {
  readonly schema: Pick<Migration, 'version' | 'name' | 'checksum'>;
  readonly tables: readonly TableShape[];
  readonly sequences: readonly SequenceState[];
  readonly takenAt: Date;
  /** A table's rows in the text format of COPY; called once per table, in order. */
  rows(table: TableShape): AsyncIterable<Uint8Array>;
  /** Called after the last table: an error of it undoes everything. */
  finish(): Promise<void>;
}

/**
 * Checks that this program can restore rows of that schema.
 * @throws SchemaError for a newer or a foreign one
 */
export async function requireKnownSchema({ version, name, checksum }: RestoredRows['schema']): Promise<void> {
  const steps = await readMigrations(migrationsFolder());
  if (version > steps.length) {
    throw new SchemaError(
      `The backup has schema ${version} (${name}), but this program only knows up to ${steps.length}. ` +
        'Restore it with the version of Pricewright that made it, or a newer one.',
    );
  }
  if (steps[version - 1]?.checksum !== checksum) {
    throw new SchemaError(
      `The backup has schema ${version} (${name}), which differs from the one of this program. ` +
        'Restore it with a released version of Pricewright.',
    );
  }
}

/**
 * Fills an empty database, in one transaction: an interrupted restore leaves nothing. The rows come into the schema that
 * they had, and are then migrated to the current one. The database is marked as restored, for the first check of its
 * heartbeat.
 * @param ownerUrl address for the owner of the tables to come
 * @throws SchemaError when the database is not empty, or the rows do not fit its schema
 */
export async function restoreRows(ownerUrl: string, source: RestoredRows): Promise<void> {
  const steps = await readMigrations(migrationsFolder());
  const client = new pg.Client(connectionConfig(ownerUrl, 'pricewright-restore'));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await requireEmpty(client, steps);
    await createMigrationsTable(client);
    for (const step of steps.slice(0, source.schema.version)) await runMigration(client, step);
    await fill(client, steps, source);
    for (const step of steps.slice(source.schema.version)) await runMigration(client, step);
    await markAsRestored(client, source.takenAt);
    await client.query('COMMIT');
    // New tables have no statistics, and the first plans would scan all of each.
    await client.query('ANALYZE');
  } catch (error) {
    throw noRoomForLocks(error, 'a restore', 'restore again') ?? missingRight(error);
  } finally {
    // Without COMMIT the server undoes everything.
    await client.end().catch(() => undefined);
  }
}

async function requireEmpty(client: pg.Client, steps: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p', 'S') AND (relnamespace = 'public'::regnamespace AND relname = ANY($1)
       OR relnamespace = to_regnamespace($2)) LIMIT 1`,
    [[...namesMadeBy(steps), 'schema_migrations'], QUEUE_SCHEMA],
  );
  if (rows.length === 0) return;
  throw new SchemaError(
    'This database is already used by Pricewright, and a restore never overwrites data. ' +
      'Create an empty database and let DATABASE_URL name it.',
  );
}

/** Constraints between tables, triggers and indexes apply again once all rows are there. */
async function fill(
  client: pg.Client,
  steps: readonly Migration[],
  { tables, sequences, rows, finish }: RestoredRows,
): Promise<void> {
  requireSameTables(await readTableShapes(client, steps), tables);
  const suspended = await suspend(client, tables);
  // What migrations wrote is in the backup, as users have changed it since.
  const cleared = `TRUNCATE ${namesOf(tables)}`;
  await client.query(cleared);
  // Frozen, as after a VACUUM: the first queries read indexes alone, and no later VACUUM writes every page once more.
  for (const table of tables) await copyIn(client, `${copyOf(table)} FROM STDIN (FREEZE)`, rows(table));
  for (const { name, lastValue, isCalled } of sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [
      pg.escapeIdentifier(name),
      lastValue,
      isCalled,
    ]);
  }
  await finish();
  for (const statement of suspended) await client.query(statement);
}

function requireSameTables(expected: readonly TableShape[], found: readonly TableShape[]): void {
  const textOf = (tables: readonly TableShape[]): string =>
    JSON.stringify(tables.map(({ name, columns }) => [name, columns]));
  if (textOf(expected) === textOf(found)) return;
  throw new SchemaError('The backup has other tables than its schema. Restore another backup.');
}

/**
 * Disables triggers and removes foreign keys, keys and indexes: one row at a time they would take much longer, and rows
 * refer to tables that are filled later. Rows lie in the order in which they were written, not in the order of a key: an
 * index larger than the server's memory would be read and written anew for each of them.
 * @returns the statements that undo it, in order: what a table needs, one after the other, while it is in memory
 */
async function suspend(client: pg.Client, tables: readonly TableShape[]): Promise<string[]> {
  await client.query(`SET LOCAL maintenance_work_mem = '128MB'`);
  const names = tables.map(({ name }) => name);
  const { rows } = await client.query<{ drop: string; make: string }>(
    `WITH ours AS (SELECT c.oid FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1))
     SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', c.conrelid::regclass, c.conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) AS make,
       CASE WHEN c.contype = 'f' THEN 2 ELSE 1 END AS place, c.conrelid AS "table"
     FROM pg_constraint c
     WHERE c.contype IN ('p', 'u') AND c.conrelid IN (SELECT oid FROM ours)
       OR c.contype = 'f' AND c.confrelid IN (SELECT oid FROM ours)
     UNION ALL
     SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 1, i.indrelid
     FROM pg_index i JOIN ours ON ours.oid = i.indrelid
     WHERE NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     UNION ALL
     SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', oid::regclass),
       format('ALTER TABLE %s ENABLE TRIGGER USER', oid::regclass), 3, oid FROM ours
     ORDER BY place, "table"`,
    [names],
  );
  for (const { drop } of rows.toReversed()) await client.query(drop);
  return rows.map(({ make }) => make);
}

/**
 * The row that heartbeats write is then not as one wrote it, which is how a restored database is known. A database on
 * which no engine ever worked gets one.
 */
async function markAsRestored(client: pg.Client, takenAt: Date): Promise<void> {
  await client.query(
    `INSERT INTO installation (name, number, beat_at, written_by)
     VALUES (gen_random_uuid()::text, 1, $1, 'restored')
     ON CONFLICT (id) DO UPDATE SET written_by = excluded.written_by`,
    [takenAt],
  );
}

function namesOf(tables: readonly TableShape[]): string {
  return tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
}
