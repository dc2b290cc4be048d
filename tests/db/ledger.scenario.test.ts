import { asc, eq, isNotNull, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { type Cents, hours } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { BROKEN_LEDGERS } from '#tests/support/engine-shop.ts';
import { importDesk } from '#tests/support/import-file.ts';
import { addListing, addOffer, addRule, addSku, declareSeller } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { AppError } from '#usecases/app-error.ts';
import { editListings } from '#usecases/catalog/listings/edit-listings.ts';
import type { EngineDeps } from '#usecases/repricing/engine/engine-deps.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';
import { repriceNow } from '#usecases/repricing/engine/reprice-now.ts';
import { applyPrice } from '#usecases/repricing/prices/apply-price.ts';
import { revertPrice } from '#usecases/repricing/prices/revert-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

let shop: TestApp;
const ANN = { id: 'ann', name: 'Ann', address: '127.0.0.1', requestId: 'r-1' };
const LISTINGS = 4;

/** One action of a user or the engine. Numbers choose which listing and how far. */
type Step = {
  readonly act:
    | 'run'
    | 'type'
    | 'apply'
    | 'revert'
    | 'offers'
    | 'cost'
    | 'margin'
    | 'limits'
    | 'go live'
    | 'day'
    | 'import';
  readonly which: number;
  readonly size: number;
};

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom(
      'run',
      'type',
      'apply',
      'revert',
      'offers',
      'cost',
      'margin',
      'limits',
      'go live',
      'day',
      'import',
    ),
    which: fc.nat(LISTINGS - 1),
    size: fc.integer({ min: 1, max: 100 }),
  }),
  { minLength: 15, maxLength: 30 },
);

/** Runs the engine until there is nothing left to do. */
async function untilIdle(): Promise<void> {
  const faults: unknown[] = [];
  const engine: EngineDeps = {
    ...actionDeps(),
    batchSize: 3,
    isStopping: () => false,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    onUnexpectedError: (error) => faults.push(error),
  };
  for (let steps = 0; (await engineStep(engine)) === 'worked'; steps++) expect(steps).toBeLessThan(100);
  expect(faults).toEqual([]);
}

async function seedShop(): Promise<void> {
  await addRule(shop.db);
  await declareSeller(shop.db, 'walmart');
  for (let n = 0; n < LISTINGS; n++) {
    await addSku(shop.db, `A-${n}`);
    await addOffer(shop.db, await addListing(shop.db, `A-${n}`), 18 + n);
  }
}

const acts: Record<Step['act'], (step: Step) => Promise<unknown>> = {
  run: async () => {
    await repriceNow(actionDeps(), ANN);
    await untilIdle();
  },
  type: async ({ which, size }) => {
    const { id, currentPrice: from } = await listingAt(which);
    const price = Math.round(from * (0.5 + size / 100)) as Cents;
    await setPrice(actionDeps(), id, { price, from }, ANN);
  },
  apply: async () => {
    const [waiting] = await shop.db.select().from(listings).where(isNotNull(listings.recommendedPrice));
    if (waiting?.recommendedPrice)
      await applyPrice(actionDeps(), waiting.id, { shown: waiting.recommendedPrice }, ANN);
  },
  revert: async ({ which, size }) => {
    const { id, currentPrice } = await listingAt(which);
    const rows = await shop.db
      .select()
      .from(priceHistory)
      .where(eq(priceHistory.listingId, id))
      .orderBy(priceHistory.id);
    const row = rows[size % rows.length];
    if (row) await revertPrice(actionDeps(), id, row.id, { from: currentPrice }, ANN);
  },
  offers: ({ which, size }) =>
    shop.db.execute(sql`UPDATE competitor_offers SET price = ${10 + size / 5}::numeric,
      seen_at = ${new Date(shop.deps.now()).toISOString()}::timestamptz WHERE listing_id = ${which + 1}`),
  cost: ({ which, size }) =>
    shop.db.execute(
      sql`UPDATE skus SET product_cost = ${size % 7 === 0 ? null : 5 + size / 10}::numeric WHERE sku = ${`A-${which}`}`,
    ),
  margin: ({ size }) => shop.db.execute(sql`UPDATE repricing_rules SET minimum_margin = ${size % 60}`),
  limits: async ({ which, size }) => {
    const { id } = await listingAt(which);
    const minPrice = (size % 3 === 0 ? null : size * 20) as Cents | null;
    await shop.db.transaction((tx) => editListings(tx, [id], { minPrice }, ANN, shop.deps.now()));
  },
  'go live': ({ size }) =>
    shop.db.execute(
      sql`UPDATE marketplace_modes SET mode = ${size % 3 === 0 ? 'recommend_only' : 'live'} WHERE marketplace = 'walmart'`,
    ),
  import: async ({ which, size }) => {
    const { sku, currentPrice } = await listingAt(which);
    const price = decimalFromCents(Math.round(currentPrice * (0.8 + size / 250)) as Cents);
    const file = `sku,title,currentPrice,fulfillmentType,walmartItemId\n${sku},Product,${price},FBM,\n`;
    const desk = importDesk(shop, await shop.logIn('boss@example.com'));
    expect((await desk.bringIn('listings', file)).counts?.rejected).toBe(0);
  },
  day: async () => {
    shop.advance(hours(25));
    await shop.db.execute(sql`UPDATE listings SET awaiting_upload_since = NULL`);
  },
};

const actionDeps = () => ({ db: shop.db, now: shop.deps.now });

async function listingAt(which: number): Promise<typeof listings.$inferSelect> {
  const row = (await shop.db.select().from(listings).orderBy(asc(listings.id)))[which];
  if (row === undefined) throw new Error(`No listing ${which}.`);
  return row;
}

/** A rejection is expected; any other error is a bug. */
async function attempt(step: Step): Promise<void> {
  try {
    await acts[step.act](step);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  shop.advance(60_000);
}

test('property: whatever users and the engine do, each row of the ledger starts where the one before ended', async () => {
  let moves = 0;
  const sources = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      shop = await createTestApp();
      shop.advance(NOW - shop.deps.now());
      await shop.admin();
      await seedShop();
      for (const step of story) {
        await attempt(step);
        expect((await shop.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
      }
      const rows = await shop.db.select().from(priceHistory);
      for (const { source, oldPrice } of rows) if (oldPrice !== null) sources.add(source);
      moves += rows.length - LISTINGS;
      const notAllowed = rows.filter(
        ({ source, newPrice, marginFloor }) =>
          source !== 'import' && (marginFloor === null || newPrice < marginFloor),
      );
      expect(notAllowed).toEqual([]);
      await shop.close();
    }),
    {
      seed: Number(process.env.PROPERTY_SEED ?? 20_261_121),
      numRuns: Number(process.env.PROPERTY_RUNS ?? 12),
    },
  );
  // The scenarios are only useful if they changed prices in every way there is.
  expect(moves).toBeGreaterThan(30);
  expect([...sources].sort()).toEqual(['apply', 'import', 'person', 'rule', 'undo']);
});
