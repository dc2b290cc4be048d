import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { bps } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing } from '#tests/support/seed.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const action = (kind: string, payload: object) => shop.send('POST', `/api/listings/${kind}`, payload);
const named = (...ids: number[]) => ({ selection: { ids: ids.map(String) } });
const SHOWN = (expected: number) => ({ selection: { filter: {}, expected } });

describe('editing one listing', () => {
  const edit = (fields: object, version = 1) =>
    shop.send('PUT', `/api/listings/${shop.id}`, { version, fields });

  test('saves the edited fields, counts the edit and logs it', async () => {
    const answer = await edit({ minPrice: '15.00', maxPrice: '25.00', feeCategory: ' Toys ' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      minPrice: '15.00',
      maxPrice: '25.00',
      feeCategory: 'Toys',
      version: 2,
    });
    expect(await shop.auditOf('listing.edited')).toMatchObject([
      {
        before: { minPrice: null, maxPrice: null, feeCategory: null },
        after: { minPrice: '15.00', maxPrice: '25.00', feeCategory: 'Toys' },
      },
    ]);
    expect((await edit({ minPrice: null }, 2)).json()).toMatchObject({
      minPrice: null,
      maxPrice: '25.00',
      version: 3,
    });
  });

  test('an own commission says who entered it; blank takes it away, and an undo brings it back', async () => {
    const saved = (await edit({ feeRate: '12.5', adShare: '4', returnShare: '0' })).json();
    expect(saved).toMatchObject({ ownFeeRate: '12.50', adShare: '4.00', returnShare: '0.00' });
    const stored = async () => {
      const [row] = await shop.app.db
        .select({ rate: listings.feeRate, by: listings.feeRateBy })
        .from(listings)
        .where(eq(listings.id, shop.id));
      return row;
    };
    const entered = { rate: bps(1_250), by: (await shop.auditOf('listing.edited'))[0]?.actor };
    expect(await stored()).toEqual(entered);
    const clear = { selection: { ids: [String(shop.id)] }, fields: { feeRate: null } };
    const cleared = (await shop.send('POST', '/api/listings/edit', clear)).json();
    expect(await stored()).toEqual({ rate: null, by: null });
    await shop.send('POST', '/api/listings/undo', { undoId: cleared.undoId, jobId: null });
    expect(await stored()).toEqual(entered);
    expect((await edit({ feeRate: '100' }, 4)).statusCode).toBe(400);
    expect((await edit({ adShare: '-1' }, 4)).statusCode).toBe(400);
  });

  test('a MAP price has days, which go with it; an external price is known from now', async () => {
    const days = { mapFrom: '2026-11-20', mapUntil: '2026-12-24' };
    const saved = (await edit({ mapPrice: '18', ...days, externalPrice: '19' })).json();
    expect(saved).toMatchObject({ mapPrice: '18.00', ...days, externalPrice: '19.00' });
    expect(Date.parse(saved.externalPriceAt)).toBe(shop.app.deps.now());
    expect((await edit({ mapUntil: '2026-11-19' }, 2)).statusCode).toBe(400);
    expect((await edit({ mapFrom: '2026-12-25', mapUntil: '2026-12-24' }, 2)).json().fields).toHaveProperty([
      'fields.mapFrom',
    ]);
    const clear = { selection: { ids: [String(shop.id)] }, fields: { mapPrice: null, externalPrice: null } };
    const cleared = (await shop.send('POST', '/api/listings/edit', clear)).json();
    const row = async () => (await shop.app.db.select().from(listings).where(eq(listings.id, shop.id)))[0];
    const none = {
      mapPrice: null,
      mapFrom: null,
      mapUntil: null,
      externalPrice: null,
      externalPriceAt: null,
    };
    expect(await row()).toMatchObject(none);
    await shop.send('POST', '/api/listings/undo', { undoId: cleared.undoId, jobId: null });
    expect(await row()).toMatchObject({ mapPrice: 1_800, ...days, externalPrice: 1_900 });
  });

  test('is a conflict when another user saved after that', async () => {
    await edit({ autoRepricingEnabled: false });
    const answer = await edit({ minPrice: '15.00' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toContain(
      'A-1 was changed after you opened it (boss@example.com, just now)',
    );
    expect((await shop.listing()).minPrice).toBeNull();
  });

  test('names no one in a conflict with an import, not even the user who set a price after it', async () => {
    // An import changes the version and has no audit row of the listing.
    await shop.app.db.execute(sql`UPDATE listings SET title = 'Imported', version = version + 1`);
    const priced = await shop.send('PUT', `/api/listings/${shop.id}/price`, {
      price: '19.50',
      from: '20.00',
    });
    expect([priced.statusCode, await shop.auditOf('price.typed')]).toMatchObject([200, [{}]]);
    const answer = await edit({ minPrice: '15.00' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).not.toContain('boss@example.com');
  });

  test('refuses a minimum above the maximum, even above the stored one', async () => {
    await edit({ maxPrice: '25.00' });
    const answer = await edit({ minPrice: '25.01' }, 2);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields).toEqual({
      'fields.minPrice':
        'The minimum price $25.01 would be above the maximum price $25.00. Lower one or raise the other.',
    });
  });

  test('allows a maximum below the margin floor: repricing reports it', async () => {
    expect((await edit({ maxPrice: '9.00' })).statusCode).toBe(200);
    await shop.engineRuns();
    const { rows } = await shop.app.db.execute(sql`SELECT reason_code FROM listing_metrics`);
    expect(rows).toEqual([{ reason_code: 'floor_above_maximum' }]);
  });

  test('without fields is refused', async () => {
    expect((await edit({})).json().message).toBe('Nothing was changed. Choose what to set.');
    expect((await shop.listing()).version).toBe(1);
  });

  test('refuses a rule that was deleted', async () => {
    const answer = await edit({ ruleId: '999' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('This rule no longer exists');
  });

  test('records when the shipping cost changed, and does not treat a typed fee as an estimate', async () => {
    await shop.app.db.update(listings).set({ fulfillmentCostIsEstimate: true, fulfillmentCost: usd(3) });
    await edit({ shippingCost: '4.50', fulfillmentCost: '3.00' });
    const moved = shop.app.deps.now();
    expect(await shop.listing()).toMatchObject({
      lastShippingCostUpdate: moved,
      fulfillmentCostIsEstimate: false,
      shippingCost: usd(4.5),
    });
    shop.app.advance(1_000);
    await edit({ shippingCost: '4.50' }, 2);
    expect((await shop.listing()).lastShippingCostUpdate).toBe(moved);
    await edit({ shippingCost: null }, 3);
    expect((await shop.listing()).lastShippingCostUpdate).toBe(shop.app.deps.now());
  });
});

describe('editing many listings', () => {
  test('edits those that can be and names the others', async () => {
    const tight = await shop.addAnother('A-2', 18, { maxPrice: usd(12) });
    const deleted = await shop.addAnother('A-3', 18, { deletedAt: shop.app.deps.now() });
    const answer = await action('edit', { ...named(shop.id, tight, deleted), fields: { minPrice: '15.00' } });
    expect(answer.json()).toEqual({
      done: 1,
      refusedCount: 2,
      refused: [
        { listingId: String(deleted), sku: `#${deleted}`, message: expect.stringContaining('deleted') },
        {
          listingId: String(tight),
          sku: 'A-2',
          message:
            'The minimum price $15.00 would be above the maximum price $12.00. Lower one or raise the other.',
        },
      ],
      jobId: null,
      undoId: expect.any(String),
    });
    expect([(await shop.listing()).minPrice, (await shop.listing(tight)).minPrice]).toEqual([usd(15), null]);
  });

  test('by a filter is a conflict when it matches another number now', async () => {
    await shop.addAnother('A-2', 18);
    const answer = await action('edit', { ...SHOWN(1), fields: { autoRepricingEnabled: false } });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message: '2 listings match now, not 1. Review the selection, then try again.',
      fields: { expected: '2' },
    });
    expect((await action('edit', { ...SHOWN(2), fields: { autoRepricingEnabled: false } })).json().done).toBe(
      2,
    );
  });
});

test('deleted listings can be restored, unless their SKU was listed again', async () => {
  const second = await shop.addAnother('A-2', 18);
  expect((await action('delete', named(shop.id, second))).json()).toMatchObject({ done: 2, refusedCount: 0 });
  expect((await action('delete', named(shop.id))).json()).toMatchObject({ done: 0, refusedCount: 1 });
  await addListing(shop.app.db, 'A-2');
  const answer = await action('undelete', { ids: [String(shop.id), String(second)] });
  expect(answer.json()).toMatchObject({
    done: 1,
    refused: [{ listingId: String(second), sku: 'A-2', message: expect.stringContaining('A-2') }],
  });
  expect((await shop.listing()).deletedAt).toBeNull();
  expect(await shop.auditOf('listing.undeleted')).toHaveLength(1);
});

test('of a SKU that was deleted twice one is restored', async () => {
  await action('delete', named(shop.id));
  shop.app.advance(1_000);
  const again = await addListing(shop.app.db, 'A-1');
  await action('delete', named(again));
  const answer = await action('undelete', { ids: [String(shop.id), String(again)] });
  expect(answer.json()).toMatchObject({ done: 1, refusedCount: 1 });
  expect((await shop.listing(again)).deletedAt).toBeNull();
});

test('a hold stops repricing until it is resumed', async () => {
  await shop.app.db.execute(sql`UPDATE marketplace_modes SET mode = 'live'`);
  await action('hold', { ...named(shop.id), hours: null, reason: 'Sale' });
  await shop.engineRuns();
  expect(await shop.listing()).toMatchObject({
    heldBy: 'boss@example.com',
    holdReason: 'Sale',
    heldUntil: null,
    currentPrice: usd(20),
    recommendedPrice: usd(17.99),
  });
  await action('resume', named(shop.id));
  await shop.engineRuns();
  expect(await shop.listing()).toMatchObject({ heldBy: null, currentPrice: usd(17.99) });
  await action('hold', { ...named(shop.id), hours: 48, reason: 'Sale' });
  expect((await shop.listing()).heldUntil).toBe(shop.app.deps.now() + 48 * 3_600_000);
});

test('a price that was uploaded manually loses its mark', async () => {
  await shop.send('PUT', `/api/listings/${shop.id}/price`, { price: '25.00', from: '20.00' });
  expect((await shop.listing()).awaitingUploadSince).not.toBeNull();
  await action('uploaded', named(shop.id));
  expect((await shop.listing()).awaitingUploadSince).toBeNull();
});

describe('applying many recommendations', () => {
  test('shows its effect, then does it as one run', async () => {
    const second = await shop.addAnother('A-2', 16.5, { minPrice: usd(17) });
    const third = await shop.addAnother('A-3', 30);
    await shop.addAnother('A-4', 20.01);
    await shop.engineRuns();
    await shop.app.db.execute(sql`DELETE FROM competitor_offers WHERE listing_id = ${third}`);
    const preview = (await action('apply-preview', SHOWN(4))).json();
    expect(preview).toMatchObject({ count: 2, raised: 0, lowered: 2, blockedCount: 1 });
    expect(preview.rows.map((row: { sku: string; newPrice: string }) => [row.sku, row.newPrice])).toEqual([
      ['A-2', '17.00'],
      ['A-1', '17.99'],
    ]);
    expect(preview.rows[1]).toMatchObject({ oldPrice: '20.00', marginBefore: '35.00', marginAfter: '29.41' });
    expect(preview.blocked).toEqual([{ listingId: String(third), sku: 'A-3', message: expect.any(String) }]);
    expect((await shop.lastMove()).newPrice).toBe(usd(20));

    expect((await action('apply', SHOWN(4))).json()).toMatchObject({
      done: 2,
      refused: preview.blocked,
      jobId: null,
    });
    const runId = (await shop.lastMove()).runId;
    expect(await shop.lastMove(second)).toMatchObject({ newPrice: usd(17), source: 'apply', runId });
    const run = (await shop.app.db.select().from(repricingRuns)).find(({ id }) => id === runId);
    expect(run).toMatchObject({
      trigger: 'apply',
      state: 'done',
      startedBy: 'boss@example.com',
      evaluated: 3,
      changed: 2,
      kept: 1,
      blocked: 0,
    });
    expect((await action('apply', SHOWN(4))).json()).toMatchObject({ done: 0, refusedCount: 1 });
  });

  test('skips one whose price is no longer the recommended one', async () => {
    await shop.engineRuns();
    await shop.app.db.execute(sql`UPDATE competitor_offers SET price = 17.50`);
    expect((await action('apply', named(shop.id))).json()).toMatchObject({
      done: 0,
      refused: [
        {
          sku: 'A-1',
          message: 'The recommendation changed from $17.99 to $17.49. Review it, then apply again.',
        },
      ],
    });
  });

  test('is refused while repricing is halted', async () => {
    await shop.engineRuns();
    await shop.halt();
    expect((await action('apply', named(shop.id))).statusCode).toBe(409);
    expect((await shop.listing()).currentPrice).toBe(usd(20));
  });
});
