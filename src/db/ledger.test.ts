import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asMany } from '#tests/support/breadth.ts';
import { BROKEN_LEDGERS_TEXT } from '#tests/support/engine-shop.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { openDatabase } from './client.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  // Its pool gets an error when the database is dropped while the last connections are still closing.
  ({ pool } = openDatabase(database.ownerUrl));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let skus = 0;
async function aListing(price = '20.00'): Promise<number> {
  skus += 1;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO listings (sku, title, fulfillment_type, current_price, anchor_price)
     VALUES ($1, 'Blue mug', 'FBM', $2, $2) RETURNING id`,
    [`MUG-${skus}`, price],
  );
  return Number(rows[0]?.id);
}

const APPEND = `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor)
  SELECT id, old_price, new_price, 'Beat Amazon', source, floor
  FROM unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::text[], $5::numeric[])
    AS row (id, old_price, new_price, source, floor)`;
type Move = { listing: number; from: string | null; to: string; source?: string; floor?: string | null };

async function append(on: Pick<pg.Pool, 'query'>, ...moves: Move[]): Promise<void> {
  await on.query(APPEND, [
    moves.map((move) => move.listing),
    moves.map((move) => move.from),
    moves.map((move) => move.to),
    moves.map((move) => move.source ?? 'rule'),
    moves.map((move) => (move.floor === undefined ? '1.00' : move.floor)),
  ]);
}

async function priceOf(listing: number): Promise<{ current: string; anchor: string }> {
  const { rows } = await pool.query('SELECT current_price, anchor_price FROM listings WHERE id = $1', [
    listing,
  ]);
  return { current: rows[0].current_price, anchor: rows[0].anchor_price };
}

describe('the price ledger', () => {
  test('a new listing starts its ledger with its first price', async () => {
    const listing = await aListing('12.50');
    const { rows } = await pool.query(
      'SELECT old_price, new_price, source FROM price_history WHERE listing_id = $1',
      [listing],
    );
    expect(rows).toEqual([{ old_price: null, new_price: '12.50', source: 'import' }]);
  });

  test('a row changes the price, and a change by a rule keeps the anchor price', async () => {
    const listing = await aListing('20.00');
    await append(pool, { listing, from: '20.00', to: '19.00' });
    expect(await priceOf(listing)).toEqual({ current: '19.00', anchor: '20.00' });
    await append(pool, { listing, from: '19.00', to: '18.00', source: 'person' });
    expect(await priceOf(listing)).toEqual({ current: '18.00', anchor: '18.00' });
  });

  test.each([
    ['without a row', 'DELETE FROM price_history WHERE listing_id = $1'],
    [
      'with a gap',
      'UPDATE price_history SET old_price = 19.5 WHERE listing_id = $1 AND old_price IS NOT NULL',
    ],
    [
      'with another beginning',
      'UPDATE price_history SET new_price = 20.5 WHERE listing_id = $1 AND old_price IS NULL',
    ],
    ['that ends with another price', 'UPDATE listings SET current_price = 18.5 WHERE id = $1'],
    [
      'that does not end with the last row',
      'UPDATE listings SET current_price_id = current_price_id - 1 WHERE id = $1',
    ],
  ])('one %s is found, as no trigger lets it become', async (_, breaks) => {
    const listing = await aListing('20.00');
    await append(pool, { listing, from: '20.00', to: '19.00' });
    const client = await pool.connect();
    const broken = async () => (await client.query(BROKEN_LEDGERS_TEXT)).rows;
    try {
      expect(await broken()).toEqual([]);
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(breaks, [listing]);
      expect(await broken()).toEqual([{ id: String(listing) }]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  test('a price does not change without a row', async () => {
    const listing = await aListing();
    await expect(
      pool.query('UPDATE listings SET current_price = 1 WHERE id = $1', [listing]),
    ).rejects.toThrow(`The price of listing ${listing} changes only by a row of price_history`);
    await expect(
      pool.query('UPDATE listings SET current_price_id = 1 WHERE id = $1', [listing]),
    ).rejects.toMatchObject({ constraint: 'listings_price_by_ledger' });
  });

  test('rows are never changed, deleted or truncated, and a listing with a ledger stays', async () => {
    const listing = await aListing();
    await expect(pool.query('UPDATE price_history SET reason = $1', ['x'])).rejects.toThrow(
      'only ever added',
    );
    await expect(pool.query('DELETE FROM price_history')).rejects.toThrow('only ever added');
    await expect(pool.query('TRUNCATE price_history')).rejects.toThrow('only ever added');
    await expect(pool.query('TRUNCATE listings CASCADE')).rejects.toThrow('only ever added');
    await expect(pool.query('DELETE FROM listings WHERE id = $1', [listing])).rejects.toMatchObject({
      constraint: 'price_history_listing_id_listings_id_fk',
    });
    await expect(pool.query('TRUNCATE audit_log')).rejects.toThrow('only ever added');
  });

  test.each([
    ['from a price that is not the current one', { from: '21.00', to: '19.00' }, 'price_history_chain'],
    ['without an old price', { from: null, to: '19.00', source: 'import' }, 'price_history_chain'],
    ['to the same price', { from: '20.00', to: '20.00' }, 'price_changes'],
    ['below the floor', { from: '20.00', to: '4.99', floor: '5.00' }, 'never_below_floor'],
    ['over an unknown floor', { from: '20.00', to: '19.00', floor: null }, 'never_below_floor'],
    ['to NaN', { from: '20.00', to: 'NaN' }, 'new_price_range'],
    ['to NaN as a floor', { from: '20.00', to: '19.00', floor: 'NaN' }, /_range|never_below_floor/],
    ['from an unknown source', { from: '20.00', to: '19.00', source: 'bot' }, 'source_known'],
  ])('refuses a row %s', async (_, move, constraint) => {
    const listing = await aListing('20.00');
    const refusal = await append(pool, { listing, ...move }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ constraint: expect.stringMatching(constraint) });
    expect(await priceOf(listing)).toEqual({ current: '20.00', anchor: '20.00' });
  });

  test('accepts an import or an external edit below the margin floor', async () => {
    const listing = await aListing('20.00');
    await append(pool, { listing, from: '20.00', to: '2.00', source: 'observed', floor: '5.00' });
    expect(await priceOf(listing)).toEqual({ current: '2.00', anchor: '2.00' });
  });

  test('rejects two rows of one listing in one statement', async () => {
    const listing = await aListing('20.00');
    await expect(
      append(pool, { listing, from: '20.00', to: '19.00' }, { listing, from: '20.00', to: '18.00' }),
    ).rejects.toMatchObject({ constraint: 'price_history_chain' });
  });

  test('of two writers that read the same price one succeeds and the other gets a serialization failure', async () => {
    const listing = await aListing('20.00');
    const first = await pool.connect();
    await first.query('BEGIN');
    await append(first, { listing, from: '20.00', to: '19.00' });
    const second = append(pool, { listing, from: '20.00', to: '18.00' }).catch((error: unknown) => error);
    await first.query('COMMIT');
    first.release();
    expect(await second).toMatchObject({ code: '40001' });
    expect((await priceOf(listing)).current).toBe('19.00');
  });

  test('a superseded writer gets a serialization failure, even if the price equals the one it read', async () => {
    const listing = await aListing('20.00');
    const { rows } = await pool.query(`SELECT nextval('price_history_id_seq') AS id`);
    await append(pool, { listing, from: '20.00', to: '19.00' });
    await append(pool, { listing, from: '19.00', to: '20.00' });
    const late = pool.query(
      `INSERT INTO price_history (id, listing_id, old_price, new_price, reason, source, margin_floor)
       VALUES ($1, $2, 20, 18, 'Beat Amazon', 'rule', 1)`,
      [rows[0].id, listing],
    );
    await expect(late).rejects.toMatchObject({ code: '40001', constraint: 'price_history_chain' });
    await expect(late).rejects.toThrow(
      `Listing ${listing} has had other prices since this row of its price history was numbered, although it costs 20.00 again`,
    );
  });

  test.each(['infinity', '-infinity'])('rejects a row with the timestamp %s', async (moment) => {
    const listing = await aListing('20.00');
    const refusal = pool.query(
      `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
       VALUES ($1, 20, 18, 'Beat Amazon', 'rule', 1, $2)`,
      [listing, moment],
    );
    await expect(refusal).rejects.toMatchObject({ constraint: 'timestamp_finite' });
  });

  test('property: no write, from one or several connections at once, breaks a ledger', async () => {
    const price = fc.constantFrom('9.99', '10.00', '10.01', '12.00');
    const write = fc.record({
      listing: fc.nat(2),
      from: price,
      to: price,
      source: fc.constantFrom('rule', 'person', 'import', 'bot'),
      floor: fc.constantFrom('1.00', '10.00', null),
      how: fc.constantFrom('append', 'append', 'append', 'update', 'delete', 'rolled back'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(write, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        async (rounds) => {
          const ours = [await aListing('10.00'), await aListing('10.00'), await aListing('10.00')];
          for (const together of rounds) {
            await Promise.allSettled(
              together.map(async ({ listing: index, how, ...move }) => {
                const listing = ours[index] ?? 0;
                if (how === 'append') return append(pool, { listing, ...move });
                if (how === 'update')
                  return pool.query('UPDATE listings SET current_price = $1 WHERE id = $2', [
                    move.to,
                    listing,
                  ]);
                if (how === 'delete')
                  return pool.query('DELETE FROM price_history WHERE listing_id = $1', [listing]);
                const client = await pool.connect();
                try {
                  await client.query('BEGIN');
                  await append(client, { listing, ...move });
                } finally {
                  await client.query('ROLLBACK');
                  client.release();
                }
              }),
            );
          }
          expect((await pool.query(BROKEN_LEDGERS_TEXT)).rows).toEqual([]);
        },
      ),
      { numRuns: asMany(10, 50) },
    );
  });
});
