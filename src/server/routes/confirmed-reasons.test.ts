import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import { businessOffers, marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { priceIntents } from '#db/schema/prices.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addRun, readEveryPrice } from '#tests/support/seed.ts';
import { runJob } from '#usecases/background/run-job.ts';
import { listingJob } from '#usecases/catalog/bulk-actions/run-bulk-action.ts';

const SALE = 'A spring sale runs there.';
const AUTOMATED = 'A program there sets this price.';
const REPRICER = 'The repricer there sets this price.';

/** A-1 is on Walmart, B-1 on Amazon; both are connected, at $20.00, and $17.99 is recommended. */
let shop: PricedShop;
let amazon: number;
beforeEach(async () => {
  shop = await createPricedShop();
  amazon = await shop.addAnother('B-1', 18, { marketplace: 'amazon' });
  await connect('walmart');
  await connect('amazon');
  await readEveryPrice(shop.app.db);
  await shop.engineRuns();
});
afterEach(() => shop.app.close());

async function connect(marketplace: Marketplace) {
  await shop.app.db.execute(
    sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = ${marketplace}`,
  );
}

type Told = Partial<typeof marketplaceListings.$inferInsert>;
const reported = (id: number, notRepriceableReason: string, over: Told = {}) =>
  shop.app.db
    .update(marketplaceListings)
    .set({ notRepriceableReason, ...over })
    .where(eq(marketplaceListings.listingId, id));
const onSale = (over: Told = {}) => reported(amazon, SALE, { isReasonConfirmable: true, ...over });
const intents = () => shop.app.db.select().from(priceIntents).orderBy(priceIntents.id);
const queued = async () => (await intents()).filter(({ state }) => state === 'queued');
const iso = (): string => new Date(shop.app.deps.now()).toISOString();
const type = (id: number, despiteReasons?: readonly string[]) =>
  shop.send('PUT', `/api/listings/${id}/price`, { price: '25.00', from: '20.00', despiteReasons });

/** An earlier change of the price on Amazon. */
async function moved(price = 18.5): Promise<{ historyId: string; runId: number }> {
  shop.app.advance(60_000);
  const runId = await addRun(shop.app.db, undefined, 'done');
  const { rows } = await shop.app.db.execute<{ id: string }>(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, margin_floor, run_id)
    SELECT id, 20, ${price}, 'As it was', 'rule', ${iso()}::timestamptz, 1, ${runId}::bigint
    FROM listings WHERE id = ${amazon} RETURNING id::text AS id`);
  return { historyId: rows[0]?.id ?? '', runId };
}

describe('a price of a user during a sale', () => {
  test('is set once that is confirmed, and goes with the reason', async () => {
    const until = instant(shop.app.deps.now() + hours(5));
    await onSale({ reasonUntil: until });
    for (const unconfirmed of [undefined, [], [AUTOMATED]]) {
      const answer = await type(amazon, unconfirmed);
      expect(answer.statusCode).toBe(409);
      expect(ErrorBody.parse(answer.json())).toMatchObject({
        code: 'not_repriceable',
        message: `B-1: ${SALE} Confirm that you want to change its price anyway.`,
        reasons: [
          {
            marketplace: 'amazon',
            reason: SALE,
            until: new Date(until).toISOString(),
            listings: 1,
            skus: ['B-1'],
            isSent: true,
          },
        ],
      });
    }
    expect(await intents()).toEqual([]);
    expect((await type(amazon, [SALE])).statusCode).toBe(200);
    expect(await queued()).toMatchObject([{ price: usd(25), pastReason: SALE }]);
    expect(await shop.auditOf('price.typed', amazon)).toMatchObject([{ after: { despiteReason: SALE } }]);
  });

  test('is shown while it is typed, and so is a business price that it would hide', async () => {
    await onSale();
    const offer = { listingId: amazon, price: usd(21), lowestPrice: usd(21), tiers: [] };
    await shop.app.db.insert(businessOffers).values({ ...offer, readAt: shop.app.deps.now() });
    const notesAt = async (price: string) =>
      (await shop.get(`/api/listings/${amazon}/price-check?price=${price}`)).json().notes;
    expect(await notesAt('21.00')).toEqual([SALE]);
    expect(await notesAt('20.99')).toEqual([SALE, expect.stringMatching(/\$20\.99 .*\$21\.00/)]);
  });

  test('is refused for its limits before anything is asked', async () => {
    await onSale();
    const answer = await shop.send('PUT', `/api/listings/${amazon}/price`, { price: '11.00', from: '20.00' });
    expect(answer.json().code).toBe('validation_failed');
  });

  test('is named beforehand where the marketplace will stop it', async () => {
    await reported(shop.id, REPRICER);
    expect((await type(shop.id)).json().reasons).toMatchObject([
      { marketplace: 'walmart', isSent: false, until: null },
    ]);
    expect((await type(shop.id, [REPRICER])).statusCode).toBe(200);
  });

  test('of a listing whose reason is over, or whose prices no connection sends, is asked nothing', async () => {
    const now = shop.app.deps.now();
    await onSale({ reasonUntil: now });
    await reported(shop.id, REPRICER, { reasonExpiresAt: now });
    expect([(await type(amazon)).statusCode, (await type(shop.id)).statusCode]).toEqual([200, 200]);
    expect((await queued()).map(({ pastReason }) => pastReason)).toEqual([null, null]);
    const file = await shop.addAnother('B-2', 18, { marketplace: 'ebay' });
    await readEveryPrice(shop.app.db);
    await reported(file, 'An auction.');
    expect((await type(file)).statusCode).toBe(200);
  });

  test('ends a price that is not in whole cents without a question', async () => {
    await reported(amazon, 'Amazon shows the price 19.995.', { priceNotInCents: '19.995' });
    expect((await type(amazon)).statusCode).toBe(200);
  });
});

/** Every call that sets prices, on a listing of Amazon. */
const CALLS: Readonly<Record<string, () => Promise<readonly [url: string, body: object]>>> = {
  apply: async () => [`/api/listings/${amazon}/apply`, { shown: '17.99' }],
  'apply to many': async () => ['/api/listings/apply', { selection: { ids: [String(amazon)] } }],
  revert: async () => {
    const { historyId } = await moved();
    return [`/api/history/${amazon}/${historyId}/revert`, { from: '18.50' }];
  },
  'undo a run': async () => [`/api/runs/${(await moved()).runId}/undo`, {}],
  'undo a set of changes': async () => {
    shop.app.advance(60_000);
    const since = iso();
    await moved();
    const seen = (await shop.get(`/api/history/undo-preview?since=${since}&ofRuns=true`)).json();
    const { through, changes, openThrough } = seen;
    return ['/api/history/undo', { filter: { since, ofRuns: 'true' }, through, changes, openThrough }];
  },
  'undo an action': async () => {
    await shop.app.db.execute(
      sql`UPDATE integrations SET price_channel = 'file' WHERE marketplace = 'amazon'`,
    );
    const applied = await shop.send('POST', '/api/listings/apply', {
      selection: { ids: [String(amazon)] },
      despiteReasons: [SALE],
    });
    await connect('amazon');
    return ['/api/listings/undo', { undoId: applied.json().undoId, jobId: null }];
  },
  'try again': async () => {
    await shop.app.db.execute(sql`
      INSERT INTO price_intents (listing_id, marketplace, sequence, state, price, from_price, margin_floor, reason, source,
        idempotency_key, created_at, expires_at, sent_at, settled_at, is_refusal_active)
      VALUES (${amazon}, 'amazon', 1, 'rejected', 17.99, 20, 14.29, 'As it was', 'person', 'k', ${iso()}::timestamptz,
        ${iso()}::timestamptz, ${iso()}::timestamptz, ${iso()}::timestamptz, true)`);
    return [`/api/listings/${amazon}/retry`, { price: '17.99' }];
  },
  'repair an external edit': async () => {
    await moved(11);
    const { rows } = await shop.app.db.execute<{ id: string }>(sql`
      INSERT INTO external_edits (listing_id, marketplace, found_at, price, price_before, problem, unrepaired_because,
        repair_price)
      VALUES (${amazon}, 'amazon', ${iso()}::timestamptz, 11, 21, 'below_floor', 'policy', 14.29)
      RETURNING id::text AS id`);
    return [`/api/listings/${amazon}/external-edit/repair`, { edit: rows[0]?.id, price: '14.29' }];
  },
};

test.each(Object.entries(CALLS))(
  'to %s asks, and sends the confirmed reason with the price',
  async (_, of) => {
    await onSale();
    const [url, body] = await of();
    const requested = await shop.send('POST', url, body);
    expect([requested.statusCode, requested.json().code], requested.body).toEqual([409, 'not_repriceable']);
    expect(requested.json().reasons).toMatchObject([
      { reason: SALE, listings: 1, skus: ['B-1'], isSent: true },
    ]);
    expect(await queued()).toEqual([]);
    const done = await shop.send('POST', url, { ...body, despiteReasons: [SALE] });
    expect(done.statusCode, done.body).toBe(200);
    expect(await queued(), done.body).toMatchObject([{ listingId: amazon, pastReason: SALE }]);
  },
);

test('prices of many listings are asked about once; a reason that came later is skipped in the job', async () => {
  const { db, url, deps, queue } = shop.app;
  await db.execute(
    sql`INSERT INTO skus (sku, name, product_cost) SELECT 'M-' || n, 'M', 10 FROM generate_series(1, 210) n`,
  );
  await db.execute(sql`
    INSERT INTO listings (marketplace, sku, title, fulfillment_type, current_price, anchor_price, shipping_cost)
    SELECT CASE WHEN n % 2 = 0 THEN 'amazon' ELSE 'walmart' END, 'M-' || n, 'M', 'FBM', 20, 20, 0
    FROM generate_series(1, 210) n`);
  await db.execute(sql`
    INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
    SELECT id, 'Corner Store', 'corner store', 18, 'FBM', ${iso()}::timestamptz FROM listings WHERE sku LIKE 'M-%'`);
  await readEveryPrice(db);
  await shop.engineRuns();
  await db.execute(sql`
    UPDATE marketplace_listings m SET reason_confirmable = l.marketplace = 'amazon',
      not_repriceable_reason = CASE l.marketplace WHEN 'amazon' THEN ${SALE} ELSE ${REPRICER} END
    FROM listings l WHERE l.id = m.listing_id AND l.sku LIKE 'M-1__'`);
  const selection = { filter: { state: 'recommended' }, expected: 212 };
  const requested = (await shop.send('POST', '/api/listings/apply', { selection })).json();
  expect(requested.reasons).toMatchObject([
    { marketplace: 'amazon', reason: SALE, listings: 50, isSent: true },
    { marketplace: 'walmart', reason: REPRICER, listings: 50, isSent: false },
  ]);
  expect(requested.reasons[0].skus).toEqual(['M-100', 'M-102', 'M-104', 'M-106', 'M-108']);
  const partly = await shop.send('POST', '/api/listings/apply', { selection, despiteReasons: [SALE] });
  expect(partly.json().reasons).toMatchObject([{ reason: REPRICER }]);
  const confirmed = { selection, despiteReasons: [SALE, REPRICER] };
  const { jobId } = (await shop.send('POST', '/api/listings/apply', confirmed)).json();
  await reported(amazon, AUTOMATED, { isReasonConfirmable: true });
  const jobs = {
    db,
    url,
    now: deps.now,
    onUnexpectedError: () => undefined,
    stopping: new AbortController().signal,
  };
  for (const { data } of queue.sent) {
    await runJob(jobs, (data as { jobId: number }).jobId, { apply: listingJob(deps) });
  }
  const sent = await queued();
  expect(sent).toHaveLength(211);
  expect(sent.filter(({ pastReason }) => pastReason !== null)).toHaveLength(100);
  expect((await shop.get(`/api/jobs/${jobId}`)).json()).toMatchObject({
    failed: 1,
    summary: expect.stringContaining(AUTOMATED),
  });
});
