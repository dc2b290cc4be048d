import pg from 'pg';

/** State of a migrated database before its first use. */
export interface Fresh {
  readonly shape: string;
  readonly tables: readonly string[];
  /** Whether we may disable triggers, which needs a right that an external server may not give. */
  readonly isAllowed: boolean;
  /** Statements that fill what the migrations fill, and set every sequence back. */
  readonly refill: readonly string[];
  /** A hash of all rows; null unless it is asked for. */
  readonly hash: string | null;
}

/**
 * Counts the columns, triggers, constraints, functions and tables, and the transactions that wrote them: whatever
 * changes one of them changes the sum. Of tables it takes names and rights instead, since VACUUM may write them.
 */
const SHAPE = `SELECT concat_ws(', ',
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_attribute WHERE attrelid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_trigger WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_constraint WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM pg_proc WHERE oid >= 16384),
  (SELECT concat(count(*), ' ', sum(hashtext(concat(relname, relacl::text)))) FROM pg_class WHERE oid >= 16384))`;

/** @param isHashed whether `restore` shall compare every row with how it is now */
export async function readFresh(pool: pg.Pool, isHashed: boolean): Promise<Fresh> {
  const { rows } = await pool.query<
    Pick<Fresh, 'shape' | 'tables' | 'isAllowed'>
  >(`SELECT (${SHAPE}) AS shape,
    has_parameter_privilege('session_replication_role', 'SET') AS "isAllowed",
    array_agg(quote_ident(tablename) ORDER BY tablename) AS tables FROM pg_tables WHERE schemaname = 'public'`);
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
  readonly shape: string;
  /** Tables whose files have grown: one that was never written to has none. */
  readonly written: readonly string[] | null;
  readonly large: readonly string[] | null;
}

/**
 * Makes a used database fresh again.
 * @returns false when it cannot: more than rows was changed
 */
export async function restore(pool: pg.Pool, fresh: Fresh): Promise<boolean> {
  if (!fresh.isAllowed) return false;
  const { rows } = await pool.query<Used>(
    // A table that was dropped has no size; that it was dropped changes the shape.
    `SELECT (${SHAPE}) AS shape, array_agg(name) FILTER (WHERE size > 0) AS written,
      array_agg(name) FILTER (WHERE size > ${LARGE}) AS large
    FROM (SELECT name, pg_relation_size(to_regclass(name)) AS size FROM unnest($1::text[]) AS name) AS sizes`,
    [fresh.tables],
  );
  const [used] = rows;
  if (used === undefined || used.shape !== fresh.shape) return false;
  const statements = [
    'BEGIN',
    // Neither triggers nor foreign keys apply. Some exist to make deleting impossible.
    'SET LOCAL session_replication_role = replica',
    ...(used.written ?? []).map((name) => `DELETE FROM ${name}`),
    ...fresh.refill,
    'COMMIT',
  ];
  await pool.query(statements.join(';'));
  if (used.large !== null) await pool.query(`VACUUM ${used.large.join(', ')}`);
  if (fresh.hash !== null && (await hashOf(pool, fresh.tables)) !== fresh.hash) {
    throw new Error('a test database is not as it was before its test: see tests/support/fresh-rows.ts');
  }
  return true;
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
