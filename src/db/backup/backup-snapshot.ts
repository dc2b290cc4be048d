import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { connectionConfig, type Db } from '#db/client.ts';
import { SCHEMA_LOCK } from '#db/migrate.ts';
import { type Migration, migrationsFolder, readMigrations, SchemaError } from '#db/migration-files.ts';
import {
  copyOf,
  readSequences,
  readTableShapes,
  type SequenceState,
  type TableShape,
} from './backup-tables.ts';
import { copyOut } from './copy.ts';

/** The database at one moment, while others go on writing. */
export interface BackupSnapshot {
  /** For queries on that moment. */
  readonly db: Db;
  readonly schema: Pick<Migration, 'version' | 'name' | 'checksum'>;
  readonly tables: readonly TableShape[];
  readonly sequences: readonly SequenceState[];
  /** The database's clock at that moment. */
  readonly takenAt: Date;
  /** Time zone of the shop; null when it is not set, or the schema is from before there was one. */
  readonly timeZone: string | null;
  /** A table's rows in the text format of COPY, in parts of `partBytes`. One table at a time. */
  rows(table: TableShape, partBytes: number): AsyncIterable<Buffer>;
}

/**
 * Works on one snapshot of a database, which no process needs to be stopped for. Nothing is written, and no migration
 * is run; one that is running is waited for.
 * @param url address for a role that may read every table: the schedule comes with the role of daily use, the command
 * and upgrades with the owner of the tables
 * @param hasSchemaLock whether the caller has the lock for changes of the schema, as an upgrade does
 * @throws SchemaError when the database is empty, or newer than this program, which does not know all of its tables then
 */
export async function withBackupSnapshot<Result>(
  url: string,
  work: (snapshot: BackupSnapshot) => Promise<Result>,
  { hasSchemaLock = false }: { readonly hasSchemaLock?: boolean } = {},
): Promise<Result> {
  const steps = await readMigrations(migrationsFolder());
  const client = new pg.Client(connectionConfig(url, 'pricewright-backup'));
  // A connection that breaks also fails the statement on it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // A limit that the server sets for every statement is not meant for a whole table.
    await client.query('SET statement_timeout = 0');
    // Rows in the order in which they lie, so that backups of the same rows are the same.
    await client.query('SET synchronize_seqscans = off');
    // With a table locked already, this and a migration could wait for each other.
    if (!hasSchemaLock) await client.query('SELECT pg_advisory_lock_shared($1)', [SCHEMA_LOCK]);
    const schema = await readSchema(client, steps);
    const names = (await readTableShapes(client, steps)).map(({ name }) => pg.escapeIdentifier(name));
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    // Before the snapshot, which the first SELECT takes: an older one sees a table that ALTER TABLE rewrote as empty
    // (postgresql.org/docs/current/mvcc-caveats.html, and sql-lock.html for the order). Until the end none is changed.
    const locked = `LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`;
    await client.query(locked);
    const tables = await readTableShapes(client, steps);
    // Every start waits for this lock, and must not wait for the whole backup.
    if (!hasSchemaLock) await client.query('SELECT pg_advisory_unlock_shared($1)', [SCHEMA_LOCK]);
    const { rows } = await client.query<{ at: Date }>('SELECT now() AS at');
    const result = await work({
      db: drizzle(client),
      schema,
      tables,
      sequences: await readSequences(client, steps),
      takenAt: rows[0]?.at ?? new Date(Number.NaN),
      timeZone: await readTimeZone(client, tables),
      rows: (table, partBytes) => copyOut(client, `${copyOf(table)} TO STDOUT`, partBytes),
    });
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readTimeZone(client: pg.Client, tables: readonly TableShape[]): Promise<string | null> {
  const settings = tables.find(({ name }) => name === 'app_settings');
  if (settings?.columns.includes('time_zone') !== true) return null;
  const { rows } = await client.query<{ zone: string | null }>('SELECT time_zone AS zone FROM app_settings');
  return rows[0]?.zone ?? null;
}

async function readSchema(client: pg.Client, steps: readonly Migration[]): Promise<BackupSnapshot['schema']> {
  const { rows: found } = await client.query<{ table: string | null }>(
    `SELECT to_regclass('public.schema_migrations')::text AS table`,
  );
  const { rows } =
    found[0]?.table == null
      ? { rows: [] }
      : await client.query<BackupSnapshot['schema']>(
          'SELECT version, name, checksum FROM schema_migrations ORDER BY version DESC LIMIT 1',
        );
  const [schema] = rows;
  if (schema === undefined) {
    throw new SchemaError('There is no data to back up: this database was never used by Pricewright.');
  }
  if (schema.version > steps.length) {
    throw new SchemaError(
      `This database has schema ${schema.version} (${schema.name}), but this program only knows up to ${steps.length}. ` +
        'Make the backup with the newer version of Pricewright that wrote it.',
    );
  }
  return schema;
}
