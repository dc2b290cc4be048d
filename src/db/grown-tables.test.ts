import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOW } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { insertListings } from './queries/import-listings.ts';

let database: RecycledDatabase;
beforeEach(async () => {
  database = await borrowDatabase();
});
afterEach(() => database.giveBack());

/** Listings as a file has them. */
const batch = (name: string, size: number) =>
  Array.from({ length: size }, (_, index) => ({
    marketplace: 'amazon',
    sku: `${name}-${index}`,
    title: 'A mug',
    currentPrice: '5.00',
    fulfillmentType: 'FBM',
  }));

/** Every table that has rows, however few. */
const ANALYZE_ALL = sql`SELECT analyze_grown(array_agg(oid)::regclass[], 0) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

test('a connection whose plans are of an empty shop adds thousands of listings without reading all of them for each', async () => {
  await database.open.db.transaction(async (tx) => {
    // After five calls a plan is kept.
    for (let round = 0; round < 8; round += 1) await insertListings(tx, batch(`FEW${round}`, 1), NOW);
    await tx.execute(ANALYZE_ALL);
    for (let round = 0; round < 8; round += 1) await insertListings(tx, batch(`MORE${round}`, 1), NOW);
    for (let round = 0; round < 10; round += 1) await insertListings(tx, batch(`MANY${round}`, 500), NOW);
    const { rows } = await tx.execute<{ read: number }>(
      sql`SELECT sum(seq_tup_read)::int AS read FROM pg_stat_xact_user_tables`,
    );
    expect(rows[0]?.read).toBeLessThan(100 * 5_000);
  });
});

test('batches that are tried out and taken back do not read the pages that those before them left', async () => {
  const { db } = database.open;
  for (let round = 0; round < 8; round += 1) await insertListings(db, batch(`TINY${round}`, 1), NOW);
  // As small as they are now: of an earlier test the planner may still know more.
  await asOwner(db, 'ANALYZE');
  for (let round = 0; round < 8; round += 1) await insertListings(db, batch(`SMALL${round}`, 1), NOW);
  const read: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const tried = db.transaction(async (tx) => {
      await insertListings(tx, batch(`TRIED${round}`, 2_000), NOW);
      const { rows } = await tx.execute<{ read: number }>(
        sql`SELECT sum(seq_tup_read)::int AS read FROM pg_stat_xact_user_tables`,
      );
      read.push(rows[0]?.read ?? 0);
      throw new Error('taken back');
    });
    await expect(tried).rejects.toThrow('taken back');
  }
  expect(read.at(-1)).toBeLessThan(100 * 2_000);
});
