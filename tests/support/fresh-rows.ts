import { createHash } from 'node:crypto';
import pg from 'pg';

/** State of a migrated database before its first use. */
export interface Fresh {
  readonly shape: string;
  readonly tables: readonly string[];
  /** Whether we may disable triggers, which needs a right that an external server may not give. */
  readonly isAllowed: boolean;
  /** Statements that fill what the migrations fill, and set every sequence back. */
  readonly refill: readonly string[];
  /** A hash of all rows; null unless it is requested. */
  readonly hash: string | null;
}

/**
 * Counts the columns, triggers, constraints, functions, tables and migrations, and the transactions that wrote them:
 * whatever changes one of them changes the sum. Of tables it takes names and rights instead, since VACUUM may write
 * them.
 */
const SHAPE = `SELECT concat_ws(', ',
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_attribute WHERE attrelid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_trigger WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_constraint WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_proc WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(hashtext(concat(relname, relacl::text)))) FROM pg_class WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM schema_migrations))`;

/** @param isHashed whether `restore` shall compare every row with how it is now */
export async function readFresh(pool: pg.Pool, isHashed: boolean): Promise<Fresh> {
  const { rows } = await pool.query<
    Pick<Fresh, 'shape' | 'tables' | 'isAllowed'>
  >(`SELECT (${SHAPE}) AS shape,
    has_parameter_privilege('session_replication_role', 'SET') AS "isAllowed",
    array_agg(quote_ident(tablename) ORDER BY tablename) AS tables FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`);
  const [first] = rows;
  if (first === undefined) throw new Error('the database has no tables');
  const refill = [...(await readSeeds(pool, first.tables)), ...(await readSequences(pool))];
  return { ...first, refill, hash: isHashed ? await hashOf(pool, first.tables) : null };
}

async function readSeeds(pool: pg.Pool, tables: readonly string[]): Promise<string[]> {
  const seeds = tables.map(
    (
      name,
    ) => `SELECT '${name}' AS name, json_agg(t)::text AS rows, (SELECT string_agg(quote_ident(attname), ', ')
        FROM pg_attribute WHERE attrelid = '${name}'::regclass AND attnum > 0 AND NOT attisdropped
          AND attgenerated = '') AS columns
      FROM ${name} t HAVING count(*) > 0`,
  );
  const { rows } = await pool.query<{ name: string; rows: string; columns: string }>(
    seeds.join(' UNION ALL '),
  );
  return rows.map(
    (seed) => `INSERT INTO ${seed.name} (${seed.columns}) OVERRIDING SYSTEM VALUE
      SELECT ${seed.columns} FROM json_populate_recordset(NULL::${seed.name}, ${pg.escapeLiteral(seed.rows)})`,
  );
}

/** One statement for all of them: each of its own would be parsed and planned anew at every restore. */
async function readSequences(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ place: string }>(`
    SELECT format('(%L::regclass, %s, %L::boolean)', quote_ident(sequencename), coalesce(last_value, start_value),
      last_value IS NOT NULL) AS place
    FROM pg_sequences WHERE schemaname = 'public'`);
  const places = rows.map(({ place }) => place).join(', ');
  return [`SELECT setval(name, place, is_used) FROM (VALUES ${places}) AS sequences (name, place, is_used)`];
}

/** Beyond this many bytes a table is vacuumed: its deleted rows would be scanned again and again. */
const LARGE = 8 * 8_192;

interface Used {
  /** Tables whose files have grown: one that was never written to has none. */
  readonly written: readonly string[] | null;
  readonly large: readonly string[] | null;
}

/** What a connection has planned already; emptying and refilling a hundred tables is mostly planning. */
const planned = new WeakMap<pg.PoolClient, Set<string>>();

/** Statements that run others, each planned at the first time that a connection runs it. */
async function planOnce(client: pg.PoolClient, statements: readonly string[]): Promise<string[]> {
  const known = planned.get(client) ?? new Set();
  if (known.size === 0) {
    // Neither triggers nor foreign keys apply. Some exist to make deleting impossible. A change throws all plans away.
    await client.query('SET session_replication_role = replica');
    planned.set(client, known);
  }
  const names = statements.map((text) => [`s${md5(text)}`, text] as const);
  const missing = names.filter(([name]) => !known.has(name));
  if (missing.length > 0)
    await client.query(missing.map(([name, text]) => `PREPARE ${name} AS ${text}`).join(';'));
  for (const [name] of missing) known.add(name);
  return names.map(([name]) => `EXECUTE ${name}`);
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/**
 * Makes a used database fresh again.
 * @param pool of the owner, for this alone: triggers and foreign keys stay off on its connections
 * @param isSameShape whether nothing but rows can have changed: only the owner changes more, and looking takes as long
 * as everything else
 * @returns false when it cannot: more than rows was changed
 */
export async function restore(pool: pg.Pool, fresh: Fresh, isSameShape = false): Promise<boolean> {
  if (!fresh.isAllowed) return false;
  if (!isSameShape && (await readShape(pool)) !== fresh.shape) return false;
  const client = await pool.connect();
  try {
    await empty(client, fresh);
  } finally {
    client.release();
  }
  if (fresh.hash !== null && (await hashOf(pool, fresh.tables)) !== fresh.hash) {
    throw new Error('a test database is not as it was before its test: see tests/support/fresh-rows.ts');
  }
  return true;
}

async function readShape(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ shape: string }>(`${SHAPE} AS shape`);
  return rows[0]?.shape;
}

async function empty(client: pg.PoolClient, fresh: Fresh): Promise<void> {
  const { rows } = await client.query<Used>({
    name: 'used',
    text: `SELECT array_agg(name) FILTER (WHERE size > 0) AS written,
      array_agg(name) FILTER (WHERE size > ${LARGE}) AS large
    FROM (SELECT name, pg_relation_size(name::regclass) AS size FROM unnest($1::text[]) AS name) AS sizes`,
    values: [fresh.tables],
  });
  const { written, large } = rows[0] ?? { written: null, large: null };
  const deletes = (written ?? []).map((name) => `DELETE FROM ${name}`);
  const statements = await planOnce(client, [...deletes, ...fresh.refill]);
  await client.query(['BEGIN', ...statements, 'COMMIT'].join(';'));
  if (large !== null) await client.query(`VACUUM ${large.join(', ')}`);
}

/** Of the rows of all tables and of where the sequences are. */
async function hashOf(pool: pg.Pool, tables: readonly string[]): Promise<string> {
  const texts = tables.map(
    (name) =>
      `SELECT '${name} ' || coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text)), '') AS line FROM ${name} t`,
  );
  const { rows } = await pool.query<{ hash: string }>(`
    SELECT md5(string_agg(line, ' ' ORDER BY line)) AS hash FROM (${texts.join(' UNION ALL ')}
      UNION ALL SELECT concat_ws(' ', sequencename, last_value) FROM pg_sequences WHERE schemaname = 'public') AS lines`);
  return rows[0]?.hash ?? '';
}
