import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HistoryPage } from '#contract/history.ts';
import type { Db } from '#db/client.ts';
import { createListTotals } from '#db/queries/catalog/list-totals.ts';
import { PRICE_SOURCES, type PriceSource, priceHistory } from '#db/schema/prices.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { cents, instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule, addRun } from '#tests/support/seed.ts';
import { readHistory } from './history.ts';
import { type HistoryFilter, historyFrom } from './history-filter.ts';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
const DAY = 86_400_000;

let database: RecycledDatabase;
let db: Db;
beforeAll(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterAll(async () => {
  await database.giveBack();
});

const fails = (error: unknown): never => {
  throw error;
};

interface Move {
  readonly id: number;
  readonly listing: Listing;
  readonly source: PriceSource;
  readonly actor: string | null;
  readonly rule: string | null;
  readonly run: number | null;
  readonly at: number;
  readonly newPrice: number;
}
interface Listing {
  readonly id: number;
  readonly sku: string;
  readonly title: string;
  readonly marketplace: Marketplace;
}

const RULES = ['Beat everybody', '100% Match', 'Ann’s rule'];

/** A few listings, each with a ledger of random changes; times repeat, so that only the ID says which is newer. */
async function fillHistory(): Promise<{ moves: Move[]; listings: Listing[]; runs: number[] }> {
  const rules = new Map<string, number>();
  for (const name of RULES) rules.set(name, await addRule(db, { name }));
  await db.execute(sql`UPDATE repricing_rules SET deleted_at = now() WHERE name = ${RULES[2]}`);
  const runs = [await addRun(db, NOW)];
  const listings: Listing[] = [];
  const markets: Marketplace[] = ['walmart', 'amazon', 'etsy'];
  for (let index = 0; index < 6; index++) {
    const story = {
      sku: `S-${index}`,
      title: ['Mug', 'Blue mug', 'Hat'][index % 3] ?? '',
      marketplace: markets[index % 2] ?? 'etsy',
    };
    const createdAt = instant(NOW - 40 * DAY);
    listings.push({ id: await addListing(db, story.sku, { ...story, createdAt }), ...story });
  }
  await db.execute(sql`UPDATE listings SET deleted_at = now() WHERE sku = 'S-5'`);
  const moves: Move[] = [];
  const price = new Map(listings.map(({ id }) => [id, 20_00]));
  const random = fc.sample(
    fc.record({
      at: fc.integer({ min: 0, max: 35 }),
      who: fc.nat(2),
      listing: fc.nat(5),
      source: fc.constantFrom(...PRICE_SOURCES),
      inRun: fc.boolean(),
    }),
    { numRuns: 150, seed: 42 },
  );
  for (const { at, who, listing: index, source, inRun } of random) {
    const listing = listings[index];
    if (!listing) continue;
    const old = price.get(listing.id) ?? 0;
    const rule = source === 'rule' ? (RULES[who] ?? null) : null;
    const actor = ['person', 'apply'].includes(source) ? (['Ann', 'Bob', 'ann_b'][who] ?? null) : null;
    const run = inRun ? (runs[0] ?? null) : null;
    const [row] = await db
      .insert(priceHistory)
      .values({
        listingId: listing.id,
        oldPrice: cents(old),
        newPrice: cents(old + 1),
        reason: 'Moved',
        source,
        actor,
        runId: run,
        ruleId: rule === null ? null : (rules.get(rule) ?? null),
        marginFloor: cents(1),
        timestamp: instant(NOW - at * DAY),
        facts: inRun ? { some: 'facts' } : null,
      })
      .returning({ id: priceHistory.id });
    price.set(listing.id, old + 1);
    moves.push({
      id: row?.id ?? 0,
      listing,
      source,
      actor,
      rule,
      run,
      at: NOW - at * DAY,
      newPrice: old + 1,
    });
  }
  const first = await db.execute<{ id: string; listing_id: string }>(
    sql`SELECT id, listing_id FROM price_history WHERE old_price IS NULL`,
  );
  for (const { id, listing_id } of first.rows) {
    const listing = listings.find((one) => one.id === Number(listing_id));
    if (!listing) continue;
    moves.push({
      id: Number(id),
      listing,
      source: 'import',
      actor: null,
      rule: null,
      run: null,
      at: NOW - 40 * DAY,
      newPrice: 20_00,
    });
  }
  return { moves: moves.sort((a, b) => b.at - a.at || b.id - a.id), listings, runs };
}

const isOurs = ({ source }: Move): boolean => source !== 'import' && source !== 'observed';

function matches(
  move: Move,
  { q, marketplace, source, changedBy, days, since, until, listing, run }: HistoryFilter,
): boolean {
  const has = (text: string | null, part = '') => text?.toLowerCase().includes(part.toLowerCase()) ?? false;
  return (
    (has(move.listing.sku, q) || has(move.listing.title, q)) &&
    (marketplace === undefined || move.listing.marketplace === marketplace) &&
    (source === undefined || (source === 'ours' ? isOurs(move) : move.source === source)) &&
    (!changedBy || has(move.actor, changedBy) || has(move.rule, changedBy)) &&
    (days === undefined || move.at > NOW - days * DAY) &&
    (since === undefined || move.at >= since) &&
    (until === undefined || move.at < until) &&
    (listing === undefined || String(move.listing.id) === listing) &&
    (run === undefined || String(move.run) === run)
  );
}

test('every page of every filter equals that of a naive filter, newest first', async () => {
  const { moves, listings, runs } = await fillHistory();
  const filters = fc.record(
    {
      q: fc.constantFrom('mug', 'S-1', 's-', '%', 'u', ''),
      marketplace: fc.constantFrom<Marketplace>('walmart', 'amazon', 'etsy'),
      source: fc.constantFrom(...PRICE_SOURCES, 'ours' as const),
      changedBy: fc.constantFrom('ann', 'ANN_', '%', 'everybody', 'nobody'),
      days: fc.constantFrom(1, 7, 35, 9_999),
      // Some at exactly the time of a change: `since` is inclusive, `until` is exclusive.
      since: fc.integer({ min: 0, max: 40 }).map((ago) => instant(NOW - ago * DAY)),
      until: fc.integer({ min: -1, max: 40 }).map((ago) => instant(NOW - ago * DAY)),
      listing: fc.constantFrom(String(listings[0]?.id), '999'),
      run: fc.constantFrom(String(runs[0]), '999'),
    },
    { requiredKeys: [] },
  );
  const run = fc.asyncProperty(filters, fc.integer({ min: 1, max: 40 }), async (filter, size) => {
    const expected = moves.filter((move) => matches(move, filter));
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const answer = await readHistory(db, createListTotals(db, fails), { ...filter, page, size }, NOW);
      expect(answer).toMatchObject({ total: expected.length, isTotalExact: true });
      expect(HistoryPage.parse(answer)).toEqual(answer);
      if (answer.rows.length === 0) break;
      found.push(...answer.rows.map(({ id }) => id));
    }
    expect(found).toEqual(expected.map(({ id }) => String(id)));
    const hashed = await historyFrom(db, filter, NOW, 0);
    const { rows } = await db.execute<{ id: string }>(
      sql`SELECT h.id ${hashed} ORDER BY h.timestamp DESC, h.id DESC`,
    );
    expect(rows.map(({ id }) => id)).toEqual(found);
  });
  await fc.assert(run, { numRuns: asMany(20, 60) });
  const { rows } = await readHistory(db, createListTotals(db, fails), { page: 1, size: 200 }, NOW);
  rows.forEach((row, index) => {
    const move = moves[index];
    expect(row).toMatchObject({
      listingId: String(move?.listing.id),
      sku: move?.listing.sku,
      timestamp: new Date(move?.at ?? 0).toISOString(),
      newPrice: ((move?.newPrice ?? 0) / 100).toFixed(2),
      actor: move?.actor ?? null,
      isListingDeleted: move?.listing.sku === 'S-5',
      isExplained: move?.run !== null,
      sharesPriceWith: [],
      runId: move?.run === null ? null : String(move?.run),
    });
    expect(row.rule?.name ?? null).toBe(move?.rule ?? null);
  });
});
