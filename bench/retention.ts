/**
 * What a week of offers takes up: readings of a whole catalog on a simulated clock, then the retention of a month, of a
 * quarter and of a year later.
 *
 *   node --import tsx bench/retention.ts                     10,000 listings, every 15 minutes, 1 in 20 changed
 *   node --import tsx bench/retention.ts --listings 500 --days 1
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import type { MarketOffer } from '#connectors/connector.ts';
import { type Database, openDatabase } from '#db/client.ts';
import { cents, instant } from '#domain/units.ts';
import { ingestOffers } from '#usecases/marketplaces/sync/ingest-offers.ts';
import { thinOutOldOffers } from '#usecases/marketplaces/sync/thin-out-old-offers.ts';
import { benchServer } from './import-database.ts';
import { seeded } from './seeded.ts';

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '10000' },
    days: { type: 'string', default: '7' },
    minutes: { type: 'string', default: '15' },
    /** One in so many readings finds something else. */
    changed: { type: 'string', default: '20' },
  },
});
const [listings, days, minutes, changed] = [
  Number(values.listings),
  Number(values.days),
  Number(values.minutes),
  Number(values.changed),
];
const DAY = 24 * 60 * 60_000;
const START = Date.UTC(2026, 0, 1);
const BATCH = 500;
const OFFERS = 5;
const TABLES = [
  'offer_sets',
  'competitor_prices',
  'competitor_price_periods',
  'competitor_offers',
  'competition_readings',
  'marketplace_listings',
];

const server = await benchServer(join(import.meta.dirname, '../.cache/bench'));
try {
  const { url } = await server.create();
  const database = openDatabase(url);
  try {
    await measure(database);
  } finally {
    await database.close();
  }
} finally {
  await server.close();
}

async function measure({ db, pool }: Database): Promise<void> {
  await pool.query(`INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
    SELECT 'amazon', 'A-' || n, 'Product ' || n, 'FBM', 20, 20 FROM generate_series(1, ${listings}) n`);
  await pool.query(`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at)
    SELECT id, '{}', true, '2026-01-01' FROM listings`);
  const { rows } = await pool.query<{ id: number }>('SELECT id::float8 AS id FROM listings ORDER BY id');
  const ids = rows.map(({ id }) => id);
  const random = seeded(1);
  const anyPrice = () => random.whole(1_000, 5_000);
  const lowest = ids.map(anyPrice);
  const rounds = Math.floor((days * 24 * 60) / minutes);
  const startedAt = performance.now();
  const wal = await walPosition(pool);
  for (let round = 0; round < rounds; round++) {
    const at = instant(START + round * minutes * 60_000);
    for (let from = 0; from < ids.length; from += BATCH) {
      const readings = ids.slice(from, from + BATCH).map((listingId, n) => {
        if (random.chance(1 / changed)) lowest[from + n] = anyPrice();
        return {
          kind: 'offers' as const,
          listingId,
          seenAt: at,
          offers: offersFrom(lowest[from + n] ?? 0),
          coverage: 'all' as const,
        };
      });
      await db.transaction((tx) => ingestOffers(tx, 'amazon', readings, 'sync', at));
    }
    // As the engine does once it has decided.
    await pool.query('DELETE FROM due_listings');
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const readings = rounds * listings;
  const written = (await walPosition(pool)) - wal;
  const { rows: counted } = await pool.query<{ sets: number }>(
    'SELECT count(*)::float8 AS sets FROM offer_sets',
  );
  const sets = counted[0]?.sets ?? 0;
  if (sets < listings || sets >= readings / 2) throw new Error(`${sets} sets of ${readings} readings.`);
  console.log(
    `\n${count(listings)} listings, ${days} days, every ${minutes} minutes, ${OFFERS} offers each: ${count(readings)} readings, ` +
      `${count(sets)} of them stored, ${((seconds * 1e6) / readings).toFixed(0)} µs and ${(written / readings).toFixed(0)} B of WAL each`,
  );
  const before = await report(pool, 'after that week');
  const each = ((before.get('offer_sets') ?? 0) + (before.get('competitor_prices') ?? 0)) / sets;
  console.log(
    `A stored set is ${each.toFixed(0)} B. Were every reading stored: ${mega(each * readings)} in this time.`,
  );
  for (const later of [31, 91 + days, 365]) {
    const started = performance.now();
    const thinned = await thinOutOldOffers(db, instant(START + (days + later) * DAY));
    const took = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `\n${later} days later, ${count(thinned.records)} records and ${count(thinned.hours)} hours put together in ${took} s`,
    );
    await report(pool, 'and then');
  }
}

function offersFrom(lowest: number): MarketOffer[] {
  return Array.from({ length: OFFERS }, (_, n) => ({
    sellerName: `Competitor ${n + 1}`,
    isMarketplace: false,
    isOurs: false,
    price: cents(lowest + n * 75),
    shipping: cents(0),
    fulfillmentType: n % 2 === 0 ? ('FBM' as const) : ('FBA/WFS' as const),
    isFeatured: n === 0,
    rating: null,
    ratingCount: null,
    handlingDays: null,
  }));
}

/** Sizes with indexes, once what was deleted has been given back. */
async function report(pool: pg.Pool, when: string): Promise<ReadonlyMap<string, number>> {
  for (const table of TABLES) await pool.query(`VACUUM FULL ${table}`);
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `SELECT name, pg_total_relation_size(name::regclass)::float8 AS bytes FROM unnest($1::text[]) name`,
    [TABLES],
  );
  const whole = await pool.query<{ bytes: number }>(
    'SELECT pg_database_size(current_database())::float8 AS bytes',
  );
  const ofTables = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `  ${when}: database ${mega(whole.rows[0]?.bytes ?? 0)}, these tables ${(ofTables / listings / 1_000).toFixed(1)} kB for a listing`,
  );
  for (const { name, bytes } of rows) console.log(`    ${name.padEnd(26)} ${mega(bytes).padStart(10)}`);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

async function walPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ at: number }>(
    `SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 AS at`,
  );
  return rows[0]?.at ?? 0;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function mega(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
