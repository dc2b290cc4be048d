import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOW } from '#tests/builders/facts.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { type Database, type Db, openDatabase } from './client.ts';
import { insertListings } from './queries/catalog/import-listings.ts';

// A new database: in a recycled one the planner knows the tables of earlier tests.
let database: TestDatabase;
let open: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  open = openDatabase(database.url);
});
afterEach(async () => {
  await open.close();
  await database.drop();
});

/** Listings as they are in an import file. */
const batch = (name: string, size: number) =>
  Array.from({ length: size }, (_, index) => ({
    marketplace: 'amazon',
    sku: `${name}-${index}`,
    title: 'A mug',
    currentPrice: '5.00',
    fulfillmentType: 'FBM',
  }));

/** Analyzes every table that has rows. */
const ANALYZE_ALL = sql`SELECT analyze_grown(array_agg(oid)::regclass[], 0) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

async function rowsRead(tx: Db): Promise<number> {
  const { rows } = await tx.execute<{ read: number }>(
    sql`SELECT sum(seq_tup_read)::int AS read FROM pg_stat_xact_user_tables`,
  );
  return rows[0]?.read ?? Number.NaN;
}

test('a connection with plans for empty tables adds thousands of listings without a full scan for each', async () => {
  await open.db.transaction(async (tx) => {
    // After five calls PostgreSQL keeps a plan.
    for (let round = 0; round < 8; round += 1) await insertListings(tx, batch(`FEW${round}`, 1), NOW);
    await tx.execute(ANALYZE_ALL);
    for (let round = 0; round < 8; round += 1) await insertListings(tx, batch(`MORE${round}`, 1), NOW);
    for (let round = 0; round < 10; round += 1) await insertListings(tx, batch(`MANY${round}`, 500), NOW);
    expect(await rowsRead(tx)).toBeLessThan(100 * 5_000);
  });
});

test('batches that are rolled back do not read the dead pages of earlier ones', async () => {
  const { db } = open;
  for (let round = 0; round < 8; round += 1) await insertListings(db, batch(`TINY${round}`, 1), NOW);
  await db.execute(ANALYZE_ALL);
  for (let round = 0; round < 8; round += 1) await insertListings(db, batch(`SMALL${round}`, 1), NOW);
  const read: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const tried = db.transaction(async (tx) => {
      // PostgreSQL reports the reads of earlier transactions at most once a second, and counts them until then.
      const earlier = await rowsRead(tx);
      await insertListings(tx, batch(`TRIED${round}`, 2_000), NOW);
      read.push((await rowsRead(tx)) - earlier);
      throw new Error('taken back');
    });
    await expect(tried).rejects.toThrow('taken back');
  }
  expect(read.at(-1)).toBeLessThan(100 * 2_000);
});
