/**
 * How long the product takes to book the rows of a settlement, page by page, compared with COPY of the same rows into the
 * same tables with the same constraints, indexes and triggers, which match and sum them. COPY with those triggers turned off
 * is printed next to it.
 *
 *   node --import tsx bench/money.ts                     100,000 rows of 20,000 orders
 *   node --import tsx bench/money.ts --orders 500
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '#db/client.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { instant } from '#domain/units.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { bookMoneyPage } from '#usecases/marketplaces/sync/book-money-page.ts';
import { type BenchDatabase, benchServer } from './import-database.ts';
import { BENCH_CACHE } from './reprice-program.ts';
import { spreadOf } from './rounds.ts';
import { printTable, ratioLine } from './table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    orders: { type: 'string', default: '20000' },
  },
});

const orders = Number(values.orders);
const NOW = instant(Date.UTC(2026, 10, 23));
/** Amounts in one page of a marketplace. */
const PAGE = 500;
const KINDS = ['principal', 'shipping', 'commission', 'fulfillment', 'tax'] as const;

const rows = Array.from({ length: orders * KINDS.length }, (_, index): MoneyEvent => {
  const order = Math.floor(index / KINDS.length);
  const kind = KINDS[index % KINDS.length] ?? 'other';
  return aBooking(`t-${order}:${kind}`, kind, kind === 'principal' ? 2_499 : -100 - (order % 300), {
    orderRef: `O-${order}`,
    sku: `A-${1 + (order % 5_000)}`,
    quantity: 1,
    postedAt: instant(NOW - (order % 14) * 86_400_000),
    settlementRef: 'S-1',
  });
});
const copyFile = writeCopyFile();
const server = await benchServer(BENCH_CACHE);
const figures = { plain: [] as number[], copy: [] as number[], booked: [] as number[] };
try {
  // Round -1 is not counted: it brings files and code into the caches.
  for (let round = -1; round < Number(values.rounds); round += 1) {
    const plain = await inDatabase((database) => copyRows(database, 'replica'));
    const copied = await inDatabase((database) => copyRows(database, 'origin'));
    const booked = await inDatabase(bookRows);
    if (copied.sums !== booked.sums) {
      throw new Error(`COPY made ${copied.sums}, booking ${booked.sums}.`);
    }
    if (round < 0) continue;
    figures.plain.push(plain.seconds);
    figures.copy.push(copied.seconds);
    figures.booked.push(booked.seconds);
  }
} finally {
  await server.close();
}
printTable(`booking ${rows.length.toLocaleString('en-US')} rows of a settlement`, [
  { name: 'COPY without triggers', spread: spreadOf(figures.plain), unit: 's' },
  { name: 'COPY', spread: spreadOf(figures.copy), unit: 's' },
  { name: 'booking', spread: spreadOf(figures.booked), unit: 's' },
  ratioLine('booking / COPY', figures.booked, figures.copy, { atMost: 3 }),
]);

function writeCopyFile(): string {
  mkdirSync(BENCH_CACHE, { recursive: true });
  const path = join(BENCH_CACHE, `money-${orders}.csv`);
  const iso = (at: number) => new Date(at).toISOString();
  const lines = rows.map((row) =>
    [
      'amazon',
      row.externalId,
      1,
      row.kind,
      row.rawType,
      decimalFromCents(row.amount),
      row.orderRef,
      row.sku,
      row.quantity,
      iso(row.postedAt),
      iso(row.postedAt),
      row.settlementRef,
      iso(NOW),
    ].join(','),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Booked {
  readonly seconds: number;
  /** How many amounts of how much, as kept and counted, and what they belong to. */
  readonly sums: string;
}

/** Runs in a new database with the sales that the rows are of. */
async function inDatabase(work: (database: BenchDatabase) => Promise<number>): Promise<Booked> {
  const database = await server.create();
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = replica`);
    await client.query(`INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price)
      SELECT 'amazon', 'A-' || n, 'Product ' || n, 'FBM', 24.99, 24.99 FROM generate_series(1, 5000) n`);
    await client.query(
      `INSERT INTO sales_history (listing_id, external_id, order_ref, line_number, sale_date, quantity_sold, unit_price, total_revenue)
        SELECT 1 + n % 5000, 'line-' || n, 'O-' || n, 1, $2::timestamptz - n % 14 * interval '1 day', 1, 24.99, 24.99
        FROM generate_series(0, $1::int - 1) n`,
      [orders, new Date(NOW)],
    );
    await client.query('ANALYZE');
    const seconds = await work(database);
    const { rows: sums } = await client.query(`SELECT
      (SELECT concat_ws(' ', count(*), sum(amount), min(matched_by), max(matched_by)) FROM money_events) || ', kept '
      || coalesce((SELECT concat_ws(' ', sum(events), sum(amount)) FROM money_sums), '') AS sums`);
    return { seconds, sums: sums[0].sums };
  } finally {
    await client.end();
    await database.drop();
  }
}

async function copyRows({ superuserUrl }: BenchDatabase, role: 'origin' | 'replica'): Promise<number> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`SET session_replication_role = ${role}`);
  const started = performance.now();
  await client.query(`COPY money_events (marketplace, external_id, version, kind, raw_type, amount, order_ref, sku, quantity,
      posted_at, released_at, settlement_ref, read_at)
    FROM '${copyFile.replaceAll("'", "''")}' (FORMAT csv)`);
  const seconds = (performance.now() - started) / 1_000;
  await client.end();
  return seconds;
}

async function bookRows({ url }: BenchDatabase): Promise<number> {
  const { db, close } = openDatabase(url);
  const started = performance.now();
  for (let from = 0; from < rows.length; from += PAGE) {
    const page = { events: rows.slice(from, from + PAGE), settlements: [], refused: [] };
    await transact(db, (tx) => bookMoneyPage(tx, 'amazon', page, NOW));
  }
  const seconds = (performance.now() - started) / 1_000;
  await close();
  return seconds;
}
