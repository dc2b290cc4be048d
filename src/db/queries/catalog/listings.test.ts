import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ListingsPage } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { cents, instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import {
  type CatalogScenario,
  catalog,
  fillCatalog,
  filters,
  matches,
  sorted,
} from '#tests/support/catalog.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { createListTotals } from './list-totals.ts';
import type { ListingFilter } from './listing-filter.ts';
import type { ListingOrder } from './listing-order.ts';
import { readPageOfIds } from './listing-page-ids.ts';
import { searchedConditions } from './listing-search.ts';
import { readListings } from './listings.ts';

const NOW = instant(Date.UTC(2026, 10, 21, 12));
const SORTS = [
  'marketplace',
  'sku',
  'title',
  'currentPrice',
  'amazonWalmartPrice',
  'thirdPartyFbaWfsPrice',
  'thirdPartyFbmPrice',
  'totalCost',
  'margin',
  'profit',
  'fee',
  'units30',
  'profit30',
] as const;
const ORDERS: ListingOrder[] = SORTS.flatMap((by) => [
  { by, descending: false },
  { by, descending: true },
]);

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

async function inShop(stories: readonly CatalogScenario[], check: (ids: number[]) => Promise<void>) {
  const rollback = new Error('done');
  await db
    .transaction(async (tx) => {
      const ids = await fillCatalog(tx, stories, NOW);
      const outer = db;
      db = tx;
      try {
        await check(ids);
      } finally {
        db = outer;
      }
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
}

/** Reads page after page until one is empty. */
async function readAllPages(
  filter: ListingFilter,
  order: ListingOrder,
  size: number,
  way: Way,
): Promise<number[]> {
  const { page: condition } = await searchedConditions(db, filter, NOW);
  const found: number[] = [];
  for (let offset = 0; ; offset += size) {
    const total = way.total;
    const page = await readPageOfIds(db, { condition, order, offset, limit: size, total, now: NOW }, way.few);
    if (page.length === 0) return found;
    found.push(...page);
  }
}
interface Way {
  readonly total: number | null;
  readonly few: number;
}

test('every page of every order and filter equals that of a naive sort, each listing once', async () => {
  const run = fc.asyncProperty(
    catalog,
    filters,
    fc.integer({ min: 1, max: 9 }),
    async (stories, filter, size) => {
      await inShop(stories, async (ids) => {
        const shown = stories
          .map((story, index) => ({ story, id: ids[index] ?? 0 }))
          .filter(({ story }) => matches(story, filter));
        for (const order of ORDERS) {
          const expected = sorted(shown, order).map(({ id }) => id);
          const total = shown.length;
          // Sorted, scanned from either end, and scanned forwards while the total is not known.
          for (const way of [
            { total, few: 5_000 },
            { total, few: 0 },
            { total: null, few: 0 },
          ]) {
            expect(await readAllPages(filter, order, size, way)).toEqual(expected);
          }
        }
      });
    },
  );
  await fc.assert(run, { numRuns: asMany(8, 25) });
});

test('rows and total of a page agree with the listings', async () => {
  const run = fc.asyncProperty(catalog, filters, async (stories, filter) => {
    await inShop(stories, async (ids) => {
      const shown = stories
        .map((story, index) => ({ story, id: ids[index] ?? 0 }))
        .filter(({ story }) => matches(story, filter));
      const order = { by: 'sku', descending: false } as const;
      const page = await readListings(
        db,
        createListTotals(db, fails),
        { ...filter, sort: order, page: 1, size: 200 },
        NOW,
      );
      expect(ListingsPage.parse(page)).toEqual(page);
      expect(page).toMatchObject({ total: shown.length, isTotalExact: true });
      expect(page.rows.map(({ id, sku, margin }) => ({ id, sku, margin }))).toEqual(
        sorted(shown, order).map(({ id, story }) => ({
          id: String(id),
          sku: story.sku,
          margin: story.metrics?.margin == null ? null : (story.metrics.margin / 100).toFixed(2),
        })),
      );
    });
  });
  await fc.assert(run, { numRuns: asMany(10, 30) });
});

test('a row contains all columns of a listing, and a hold only until it expires', async () => {
  await inShop([], async () => {
    const [listing] = await db
      .insert(listings)
      .values({
        sku: 'A-1',
        title: 'Mug',
        fulfillmentType: 'FBM',
        currentPrice: cents(10_00),
        anchorPrice: cents(10_00),
        heldBy: 'Ann',
        holdReason: 'Sale',
        heldUntil: instant(NOW + 1),
        minPrice: cents(5_00),
      })
      .returning({ id: listings.id });
    const read = async (now = NOW) =>
      (
        await readListings(
          db,
          createListTotals(db, fails),
          { sort: { by: 'margin', descending: true }, page: 1, size: 25 },
          now,
        )
      ).rows[0];
    expect(await read()).toMatchObject({
      id: String(listing?.id),
      currentPrice: '10.00',
      minPrice: '5.00',
      maxPrice: null,
      shippingCharge: '0.00',
      margin: null,
      outcome: null,
      gaps: [],
      rule: null,
      decidedAt: null,
      hold: { until: '2026-11-21T12:00:00.001Z', by: 'Ann', reason: 'Sale' },
    });
    expect(await read(instant(NOW + 1))).toMatchObject({ hold: null });
    await db.insert(listingMetrics).values({
      listingId: listing?.id ?? 0,
      decidedAt: NOW,
      outcome: 'blocked',
      reasonCode: 'unknown_cost',
      missingFacts: ['no_weight'],
    });
    expect(await read()).toMatchObject({
      outcome: 'blocked',
      reasonCode: 'unknown_cost',
      gaps: ['no_weight'],
      decidedAt: '2026-11-21T12:00:00.000Z',
    });
  });
});

test('a large total is an estimate first, exact once it was counted, and counted again when it is old', async () => {
  const listing = {
    title: 'Mug',
    fulfillmentType: 'FBM',
    currentPrice: cents(1),
    anchorPrice: cents(1),
  } as const;
  await db.insert(listings).values(['1', '2', '3', '4'].map((sku) => ({ sku, ...listing })));
  const totals = createListTotals(db, fails, 3);
  const read = (now: number) =>
    totals.read(db, { key: 'all', from: sql`FROM listing_keys k WHERE k.is_live` }, instant(now));
  expect(await read(NOW)).toMatchObject({ isTotalExact: false });
  await totals.settled();
  expect(await read(NOW)).toEqual({ total: 4, isTotalExact: true });
  expect(await read(NOW + 5_000)).toEqual({ total: 4, isTotalExact: false });
  await totals.settled();
  expect(await read(NOW + 5_000)).toEqual({ total: 4, isTotalExact: true });
});
