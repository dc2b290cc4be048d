import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceExplanation } from '#contract/explanation.ts';
import { hours } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addOffer, addRule } from '#tests/support/seed.ts';
import { aMarketOffer } from '#tests/support/shop-connector.ts';
import { ingestOffers } from '#usecases/marketplaces/sync/ingest-offers.ts';
import { thinOutOldOffers } from '#usecases/marketplaces/sync/thin-out-old-offers.ts';
import { purgeRuns } from '#usecases/repricing/engine/purge-runs.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

async function explained(path: string): Promise<PriceExplanation> {
  const answer = await shop.get(path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const now = () => explained(`/api/listings/${shop.id}/explanation`);
const recommendation = () => explained(`/api/listings/${shop.id}/recommendation`);
const lastPrice = async () => explained(`/api/history/${shop.id}/${(await shop.lastMove()).id}/explanation`);
const setLive = () => shop.app.db.execute(sql`UPDATE marketplace_modes SET mode = 'live'`);

/** Changes every input of a decision. */
async function changeEverything(): Promise<void> {
  const { db } = shop.app;
  await db.execute(sql`UPDATE skus SET product_cost = 3, packaging_cost = 2`);
  await db.execute(
    sql`UPDATE repricing_rules SET name = 'Another', minimum_margin = 40, strategy = 'Fixed Margin'`,
  );
  await db.execute(sql`UPDATE fee_bands SET percent = 1`);
  await db.execute(
    sql`UPDATE app_settings SET max_step = 1, max_daily_change = 1, max_offer_age_minutes = 1`,
  );
  await db.execute(sql`UPDATE listings SET min_price = 1, max_price = 999, shipping_charge = 5`);
  await db.execute(sql`DELETE FROM competitor_offers`);
  await db.execute(sql`DELETE FROM own_sellers`);
}

/** An explanation for a comparison: without the time it was given. */
function said({ of: _of, listing: _listing, ...rest }: PriceExplanation): object {
  return rest;
}

test('a price still has its offers two years later, when the raw data is thinned out', async () => {
  const { db, deps } = shop.app;
  await db.execute(sql`DELETE FROM competitor_offers`);
  const read = () =>
    ingestOffers(
      db,
      'walmart',
      [
        {
          kind: 'offers',
          listingId: shop.id,
          seenAt: deps.now(),
          offers: [aMarketOffer(1_800)],
          coverage: 'all',
        },
      ],
      'sync',
      deps.now(),
    );
  await read();
  await setLive();
  await shop.engineRuns();
  const [{ id }, reported] = [await shop.lastMove(), await lastPrice()];
  expect(reported.offers).toMatchObject([{ seller: 'Corner Store', landed: '18.00', status: 'counted' }]);
  shop.app.advance(hours(2 * 365 * 24));
  await read();
  await thinOutOldOffers(db, deps.now());
  await purgeRuns(db, deps.now());
  const later = await shop.app.get(
    `/api/history/${shop.id}/${id}/explanation`,
    await shop.app.logIn('boss@example.com'),
  );
  expect(said(later.json())).toEqual(said(reported));
});

describe('why the price would be what it would be now', () => {
  test('has the lines with what became of each, the situation, and no strategy', async () => {
    await shop.app.db.execute(
      sql`UPDATE repricing_rules SET lines = 'winning: hold\n50% under the lowest, else next line\n4% under the lowest\notherwise: floor'`,
    );
    const reported = await now();
    expect(reported).toMatchObject({
      price: '17.28',
      reasonCode: 'line',
      rule: { name: 'Beat everybody', strategy: null },
      lines: { situation: 'losing', since: '2026-01-15T12:00:00.000Z' },
    });
    expect(reported.lines?.each).toMatchObject([
      { line: 1, text: 'winning: hold', status: 'condition', condition: 'winning', value: 'losing' },
      { line: 2, status: 'too_low', want: '9.00', least: '14.29' },
      { line: 3, text: '4% under the lowest', status: 'decided', want: '17.28' },
      { line: 4, status: 'not_asked' },
    ]);
    expect(reported.offers.map(({ landed, want }) => [landed, want])).toEqual([['18.00', '17.28']]);
  });

  test('has rule, fees, cost, offers, steps and the limit as text', async () => {
    await addRule(shop.app.db, { name: 'For all', marketplace: null, strategy: 'Match Competitor' });
    await addOffer(shop.app.db, shop.id, 12, { by: 'Our Shop', seenAt: shop.app.deps.now() });
    await shop.app.db.execute(
      sql`UPDATE repricing_rules SET marketplace = 'walmart' WHERE name = 'Beat everybody'`,
    );
    const reported = await now();
    expect(reported).toMatchObject({
      listing: { id: String(shop.id), sku: 'A-1', currentPrice: '20.00' },
      of: 'now',
      at: '2026-01-15T12:00:00.000Z',
      actor: null,
      fix: null,
      outcome: 'recommend',
      price: '17.99',
      reasonCode: 'beaten',
      reviewReason: 'recommend_only',
      bindingLimit: 'none',
      sentence:
        "Beat Corner Store's $18.00 by $0.01. Walmart is set to recommend only, so this price needs your review.",
      rule: {
        name: 'Beat everybody',
        minimumMargin: '15.00',
        why: 'Most specific active rule for Walmart FBM; 1 other rule matches: For all.',
      },
      facts: { currentPrice: '20.00', anchorPrice: '20.00', totalCost: '10.00', weightOz: 8 },
      fees: { text: '15%.' },
      allowed: { marginFloor: '14.29', priceCeiling: '30.00', ranges: [{ from: '14.29', to: '30.00' }] },
      moveRange: { low: '17.00', high: '23.00' },
      margin: { before: '35.00', after: '29.41' },
      profit: { before: '7.00', after: '5.29' },
    });
    expect(reported.facts.cost).toContainEqual({ part: 'product', amount: '10.00' });
    expect(
      reported.offers.map(({ seller, landed, status, statusText }) => [seller, landed, status, statusText]),
    ).toEqual([
      ['Corner Store', '18.00', 'counted', 'Included.'],
      ['Our Shop', '12.00', 'ours', expect.any(String)],
    ]);
    expect(reported.steps.map(({ step, from, to, text }) => [step, from, to, text])).toEqual([
      ['strategy_price', '20.00', '17.99', 'Beating the lowest competitor gives $17.99.'],
      ['target', '17.99', '17.99', '$17.99 is allowed.'],
      ['move_range', '17.99', '17.99', '$17.99 is within the step and daily limits.'],
      [
        ...['result', '17.99', '17.99'],
        'This marketplace is set to recommend only. $17.99 needs your review.',
      ],
    ]);
  });

  test('of a listing without a cost lists what to enter', async () => {
    await shop.app.db.execute(sql`UPDATE skus SET product_cost = NULL`);
    expect(await now()).toMatchObject({
      outcome: 'blocked',
      price: null,
      sentence: 'The total cost is unknown.',
      allowed: null,
      moveRange: null,
      fix: expect.stringContaining('product cost of SKU A-1'),
      facts: { totalCost: null },
    });
  });

  test('without a rule says so, and lists no offers', async () => {
    await shop.app.db.execute(sql`UPDATE repricing_rules SET is_active = false`);
    expect(await now()).toMatchObject({
      outcome: 'keep',
      reasonCode: 'no_rule',
      rule: null,
      offers: [],
      fees: { text: '15%.' },
    });
  });

  test('shows the start date of dated fees', async () => {
    await shop.app.db.execute(
      sql`UPDATE fee_schedules SET effective_from = '2025-11-01' WHERE marketplace = 'walmart'`,
    );
    await shop.app.db.execute(sql`UPDATE fee_bands SET minimum = 0.30`);
    expect((await now()).fees?.text).toBe('15%, at least $0.30, in force since 2025-11-01.');
  });
});

describe('an explanation is replayed from what was stored', () => {
  test("for a rule's price, word for word, after rule, fees, costs and offers have changed", async () => {
    await setLive();
    const before = await now();
    expect(before).toMatchObject({ outcome: 'change', price: '17.99' });
    await shop.engineRuns();
    await changeEverything();
    const replayed = await lastPrice();
    expect(said(replayed)).toEqual(said(before));
    expect(replayed.of).toBe('history');
    expect(replayed.sentence).toBe((await shop.lastMove()).reason);
    expect(said(await now())).not.toEqual(said(before));
    const { runId } = await shop.lastMove();
    const ofRun = await explained(`/api/runs/${runId}/items/${shop.id}/explanation`);
    expect({ ...said(ofRun), of: ofRun.of }).toEqual({ ...said(before), of: 'run' });
    expect((await shop.get(`/api/runs/${runId}/items/999/explanation`)).statusCode).toBe(404);
    expect((await shop.get(`/api/runs/999/items/${shop.id}/explanation`)).json().code).toBe('not_found');
  });

  test('for a recommendation, and then for the price after a user applied it', async () => {
    const before = await now();
    await shop.engineRuns();
    expect(said(await recommendation())).toEqual(said(before));
    await shop.send('POST', `/api/listings/${shop.id}/apply`, { shown: '17.99' });
    await changeEverything();
    expect(said(await recommendation())).toEqual(said(before));
    expect(await lastPrice()).toMatchObject({
      outcome: 'change',
      price: '17.99',
      reviewReason: null,
      actor: 'boss@example.com',
      sentence: expect.stringContaining('$18.00'),
      allowed: before.allowed,
      offers: before.offers,
    });
  });

  test('for a recommendation of the same price for another reason, in the words shown on the listing', async () => {
    await shop.engineRuns();
    await shop.app.db.execute(
      sql`UPDATE competitor_offers SET seller_name = 'Newcomer', seller_key = 'newcomer'`,
    );
    await shop.engineRuns();
    const { recommendedPrice, recommendedPriceReason } = await shop.listing();
    expect(recommendedPrice).toBe(usd(17.99));
    expect(recommendedPriceReason).toContain("Beat Newcomer's $18.00 by $0.01.");
    expect((await recommendation()).sentence).toBe(recommendedPriceReason);
  });

  test('for a manual price: who, and the allowed prices it was checked against', async () => {
    await shop.send('PUT', `/api/listings/${shop.id}/price`, { price: '25.00', from: '20.00' });
    await changeEverything();
    expect(await lastPrice()).toMatchObject({
      outcome: 'change',
      price: '25.00',
      reasonCode: 'person',
      actor: 'boss@example.com',
      sentence: 'Set by boss@example.com. The lowest price that keeps your 15% margin was $14.29.',
      rule: { name: 'Beat everybody', minimumMargin: '15.00' },
      allowed: { marginFloor: '14.29', priceCeiling: '30.00' },
      facts: { totalCost: '10.00', currentPrice: '20.00' },
      margin: { before: '35.00', after: '45.00' },
      steps: [{ from: '20.00', to: '25.00', text: 'boss@example.com set $25.00, and it was allowed.' }],
    });
  });
});

describe('what was not our decision', () => {
  test('the first price came with the listing', async () => {
    expect(await lastPrice()).toMatchObject({
      outcome: 'change',
      price: '20.00',
      reasonCode: 'import',
      rule: null,
      offers: [],
      allowed: null,
      sentence: expect.stringMatching(
        /^The listing was added with this price on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
      ),
    });
  });

  test('an external edit and a row without stored facts show what is known', async () => {
    const append = (source: string, from: number, to: number) =>
      shop.app.db.execute(sql`
        INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
        VALUES (${shop.id}, ${from}, ${to}, 'Beat Amazon.', ${source}, 1, '2026-01-15T11:00:00Z')`);
    await append('observed', 20, 21);
    expect((await lastPrice()).sentence).toBe(
      'Changed on the marketplace, outside Pricewright. Found on 2026-01-15 11:00 UTC.',
    );
    await append('rule', 21, 22);
    expect((await lastPrice()).sentence).toBe('Beat Amazon. The data behind this decision was not stored.');
  });

  test('is not found for an unknown ID', async () => {
    const missing = [
      '/api/listings/999/explanation',
      '/api/listings/999/recommendation',
      `/api/listings/${shop.id}/recommendation`,
      `/api/history/${shop.id}/999999/explanation`,
    ];
    for (const path of missing) expect([path, (await shop.get(path)).statusCode]).toEqual([path, 404]);
  });

  test('stays explainable after the listing was deleted', async () => {
    await shop.send('PUT', `/api/listings/${shop.id}/price`, { price: '25.00', from: '20.00' });
    await shop.send('POST', '/api/listings/delete', { selection: { ids: [String(shop.id)] } });
    expect((await lastPrice()).price).toBe('25.00');
    expect((await shop.listing()).currentPrice).toBe(usd(25));
  });
});
