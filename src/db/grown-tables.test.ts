import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { insertListings } from './queries/import-listings.ts';

let database: RecycledDatabase;
beforeAll(async () => {
  database = await borrowDatabase();
});
afterAll(() => database.giveBack());

/** Listings as a file has them. */
const batch = (name: string, size: number) =>
  Array.from({ length: size }, (_, index) => ({
    marketplace: 'amazon',
    sku: `${name}-${index}`,
    title: 'A mug',
    currentPrice: '5.00',
    fulfillmentType: 'FBM',
  }));

test('a connection whose plans are of an empty shop adds thousands of listings without reading all of them for each', async () => {
  await database.open.db.transaction(async (tx) => {
    // After five calls a plan is kept.
    for (let round = 0; round < 8; round += 1) await insertListings(tx, batch(`FEW${round}`, 1), NOW);
    await tx.execute(sql`ANALYZE`);
    for (let round = 0; round < 8; round += 1) await insertListings(tx, batch(`MORE${round}`, 1), NOW);
    for (let round = 0; round < 10; round += 1) await insertListings(tx, batch(`MANY${round}`, 500), NOW);
    const { rows } = await tx.execute<{ read: number }>(
      sql`SELECT sum(seq_tup_read)::int AS read FROM pg_stat_xact_user_tables`,
    );
    expect(rows[0]?.read).toBeLessThan(100 * 5_000);
  });
});
