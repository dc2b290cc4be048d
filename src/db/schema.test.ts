import { readdirSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

/** Parts of the schema that drizzle cannot describe and the migrations define. */
const BY_HAND =
  /^(shipping_tiers\.shipping_tiers_no_overlap|(listings|skus)\.\w+_search_idx|schema_migrations)/;

const CATALOG_QUERY = `
  SELECT c.relname || '.' || a.attname AS name,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'not null' END,
      nullif(a.attidentity, ''), pg_get_expr(d.adbin, d.adrelid)) AS definition
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relkind = 'r' AND c.relnamespace = $1::text::regnamespace
  UNION ALL
  SELECT conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = $1::text::regnamespace AND contype <> 'n'
  UNION ALL
  SELECT tablename || '.' || indexname, indexdef FROM pg_indexes WHERE schemaname = $1::text`;

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Name and definition of everything in a schema, as PostgreSQL prints it, without the schema's name. */
async function catalogOf(schema: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(CATALOG_QUERY, [schema]);
  const plain = (text: string) => text.replaceAll(`${schema}.`, '');
  const items = rows.map((row): [string, string] => [plain(row.name), plain(row.definition)]);
  return new Map(items.filter(([name]) => !BY_HAND.test(name)).sort());
}

async function drizzleSchema(): Promise<Record<string, unknown>> {
  const folder = new URL('./schema/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(files.map((name) => import(`./schema/${name.slice(0, -3)}.ts`)));
  return Object.assign({}, ...modules);
}

describe('the schema', () => {
  test('the migrations create exactly the tables that the TypeScript describes', async () => {
    const empty = generateDrizzleJson({});
    const statements = await generateMigration(empty, generateDrizzleJson(await drizzleSchema(), empty.id));
    await client.query('BEGIN; CREATE SCHEMA described; SET LOCAL search_path = described');
    let described = new Map<string, string>();
    try {
      for (const statement of statements) await client.query(statement.replaceAll('"public".', ''));
      described = await catalogOf('described');
    } finally {
      await client.query('ROLLBACK');
    }
    expect(described.size).toBeGreaterThan(300);
    expect(await catalogOf('public')).toEqual(described);
  });

  test('every money, share and weight column has a lower and an upper bound', async () => {
    const { rows } = await client.query<{ column: string; bounds: string | null }>(`
      SELECT c.relname || '.' || a.attname AS column,
        (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
         WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conname = a.attname || '_range') AS bounds
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND a.atttypid IN ('numeric'::regtype, 'real'::regtype, 'double precision'::regtype)`);
    expect(rows.length).toBeGreaterThan(50);
    const open = rows.filter(({ bounds }) => !bounds?.includes('>=') || !bounds.includes('<='));
    expect(open).toEqual([]);
  });

  test.each(['NaN', 'Infinity', '-0.01'])('a cost or weight of %s is rejected', async (value) => {
    const insert = (column: string) =>
      client.query(`INSERT INTO skus (sku, name, ${column}) VALUES ('A-1', 'Mug', $1)`, [value]);
    await expect(insert('product_cost')).rejects.toThrow();
    await expect(insert('weight_oz')).rejects.toMatchObject({ constraint: 'weight_oz_range' });
  });

  test('one weight has one shipping tier, and neighbours may touch', async () => {
    const tier = (min: number, max: number, type = 'FBM') =>
      client.query(
        `INSERT INTO shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost)
         VALUES ('walmart', $3, $1, $2, 3.99)`,
        [min, max, type],
      );
    await tier(0, 16.3);
    await tier(16.3, 48);
    await tier(0, 80, 'FBA/WFS');
    await expect(tier(47.9, 60)).rejects.toMatchObject({ constraint: 'shipping_tiers_no_overlap' });
    await expect(tier(60, 60)).rejects.toMatchObject({ constraint: 'min_below_max' });
  });

  test('a SKU is listed once per marketplace, and again after it was deleted', async () => {
    const list = () =>
      client.query(`INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
        VALUES ('TWICE', 'Mug', 'FBM', 5, 5)`);
    await list();
    await expect(list()).rejects.toMatchObject({ constraint: 'listings_key' });
    await client.query(`UPDATE listings SET deleted_at = now() WHERE sku = 'TWICE'`);
    await list();
  });

  test('email addresses and user names ignore case', async () => {
    const register = (email: string) =>
      client.query(
        `INSERT INTO users (username, password, full_name, email, phone_number) VALUES ($1, 'x', 'Ann', $1, '1')`,
        [email],
      );
    await register('ann@example.com');
    await expect(register('Ann@Example.com')).rejects.toMatchObject({ code: '23505' });
  });

  test('a new install only recommends', async () => {
    const modes = await client.query(
      'SELECT mode, count(*)::int AS marketplaces FROM marketplace_modes GROUP BY mode',
    );
    expect(modes.rows).toEqual([{ mode: 'recommend_only', marketplaces: MARKETPLACES.length }]);
  });
});
