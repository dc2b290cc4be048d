import type pg from 'pg';
import { type Database, openDatabase } from '#db/client.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A migrated, empty database with an open pool, which the next test of the file may use again. */
export interface RecycledDatabase {
  readonly open: Database;
  readonly url: string;
  /** Empties it for the next borrower; one whose tables were changed is deleted instead. */
  giveBack(): Promise<void>;
}

/** Everything that a test can leave behind. */
interface State {
  /** Tables, columns and triggers as one text. */
  readonly shape: string;
  /** A hash of the rows of each table. */
  readonly rows: ReadonlyMap<string, string>;
  readonly sequences: ReadonlyMap<string, string>;
}

interface Shelved {
  readonly database: TestDatabase;
  readonly open: Database;
  readonly fresh: State;
}

const shelf: Shelved[] = [];

/** A database that an earlier test of this file gave back, else a new one. Making one takes ten times as long. */
export async function borrowDatabase(): Promise<RecycledDatabase> {
  const borrowed = shelf.pop() ?? (await make());
  return {
    open: borrowed.open,
    url: borrowed.database.url,
    giveBack: async () => {
      if (await reset(borrowed)) shelf.push(borrowed);
      else await discard(borrowed);
    },
  };
}

/** Deletes what was given back: for `afterAll`. */
export async function clearShelf(): Promise<void> {
  for (const shelved of shelf.splice(0)) await discard(shelved);
}

async function make(): Promise<Shelved> {
  const database = await createTestDatabase();
  const open = openDatabase(database.url);
  const shape = await readShape(open.pool);
  return { database, open, fresh: { shape, ...(await readContent(open.pool)) } };
}

async function discard({ open, database }: Shelved): Promise<void> {
  await open.close();
  await database.drop();
}

/** @returns false when the test changed more than rows */
async function reset({ open: { pool }, fresh }: Shelved): Promise<boolean> {
  if ((await readShape(pool)) !== fresh.shape) return false;
  const used = await readContent(pool);
  const dirty = [...used.rows].filter(([table, hash]) => hash !== fresh.rows.get(table));
  const moved = [...fresh.sequences].filter(([name, value]) => used.sequences.get(name) !== value);
  await pool.query(
    ['BEGIN', ...emptied(dirty.map(([table]) => table)), ...moved.map(back), 'COMMIT'].join(';'),
  );
  const now = await readContent(pool);
  // Rows that the migrations brought along cannot be brought back by a delete.
  return [...fresh.rows].every(([table, hash]) => now.rows.get(table) === hash);
}

/** One statement deletes from all tables, so that their order does not matter to the foreign keys between them. */
function emptied(tables: readonly string[]): string[] {
  if (tables.length === 0) return [];
  const deletes = tables.map((table, index) => `d${index} AS (DELETE FROM ${table})`);
  return [
    // Some tables refuse to forget, which is what they are for.
    ...tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
    `WITH ${deletes.join(', ')} SELECT`,
    ...tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
  ];
}

const back = ([name, value]: readonly [string, string]): string =>
  `SELECT setval('${name}', ${value.replace(' ', ', ')})`;

async function readShape(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ shape: string }>(`
    SELECT string_agg(line, ' ' ORDER BY line) AS shape FROM (
      SELECT concat_ws('.', c.relnamespace::regnamespace, c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull) AS line
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      UNION ALL SELECT concat_ws('.', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger
      UNION ALL SELECT concat_ws('.', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    ) AS lines`);
  return rows[0]?.shape ?? '';
}

async function readContent(pool: pg.Pool): Promise<Pick<State, 'rows' | 'sequences'>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const hashes = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(string_agg(t::text, ' ' ORDER BY t::text)) AS hash FROM ${name} t`,
  );
  const rows = await pool.query<{ name: string; hash: string }>(hashes.join(' UNION ALL '));
  const sequences = await pool.query<{ name: string; value: string }>(`
    SELECT quote_ident(sequencename) AS name,
      coalesce(last_value, start_value) || ' ' || (last_value IS NOT NULL) AS value
    FROM pg_sequences WHERE schemaname = 'public'`);
  return {
    rows: new Map(rows.rows.map(({ name, hash }) => [name, hash])),
    sequences: new Map(sequences.rows.map(({ name, value }) => [name, value])),
  };
}
