import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryPage } from '#contract/history.ts';
import { ActionResult, ListingRow } from '#contract/listings.ts';
import { priceHistory, priceIntents } from '#db/schema/prices.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { readEveryPrice } from '#tests/support/seed.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
  await shop.app.db.execute(sql`
    UPDATE app_settings SET walmart_client_id = 'id', walmart_client_secret = 'v1.ciphertext'`);
  await readEveryPrice(shop.app.db);
  await shop.engineRuns();
});
afterEach(() => shop.app.close());

const intents = () => shop.app.db.select().from(priceIntents).orderBy(priceIntents.id);
const moves = async () =>
  (await shop.app.db.select().from(priceHistory).orderBy(priceHistory.id)).filter(
    ({ oldPrice }) => oldPrice !== null,
  );
const put = (state: 'accepted' | 'rejected', answer: string | null = null) =>
  shop.app.db.execute(sql`UPDATE price_intents SET state = ${state}, marketplace_message = ${answer}, sent_at = created_at,
    settled_at = CASE WHEN ${state} = 'rejected' THEN created_at END`);

describe('on a connected marketplace', () => {
  test('Apply queues the recommended price, and the current price stays', async () => {
    const answer = await shop.send('POST', `/api/listings/${shop.id}/apply`, { shown: '17.99' });
    expect(ListingRow.parse(answer.json())).toMatchObject({
      currentPrice: '20.00',
      recommendedPrice: null,
      awaitingUploadSince: null,
      priceInProgress: { price: '17.99', state: 'queued', marketplaceMessage: null },
    });
    expect(await intents()).toMatchObject([{ source: 'apply', price: usd(17.99), fromPrice: usd(20) }]);
    expect(await moves()).toEqual([]);
    expect(await shop.auditOf('price.applied')).toHaveLength(1);
  });

  test('a manual price is queued, and refused twice', async () => {
    const type = (price: string) =>
      shop.send('PUT', `/api/listings/${shop.id}/price`, { price, from: '20.00' });
    expect((await type('19.00')).json()).toMatchObject({
      priceInProgress: { price: '19.00', state: 'queued' },
    });
    const again = await type('19.00');
    expect(again.statusCode).toBe(400);
    expect(again.json().message).toBe('$19.00 is already on its way for A-1.');
    // The current price can be reverted to as long as another one is in progress.
    expect((await type('20.00')).json()).toMatchObject({
      priceInProgress: { price: '20.00', state: 'queued' },
    });
    expect((await intents()).map(({ state }) => state)).toEqual(['expired', 'queued']);
  });

  test('Apply for many returns how many are in progress, and Undo cancels what was not sent', async () => {
    await shop.addAnother('B-1', 18, { marketplace: 'amazon' });
    await shop.addAnother('A-2', 18);
    await readEveryPrice(shop.app.db);
    await shop.engineRuns();
    const selection = { filter: { state: 'recommended' }, expected: 3 };
    const applied = ActionResult.parse(
      (await shop.send('POST', '/api/listings/apply', { selection })).json(),
    );
    expect(applied).toMatchObject({ done: 3, inProgress: 2, refusedCount: 0 });
    const undo = { undoId: applied.undoId, jobId: null };
    expect((await shop.send('POST', '/api/listings/undo', undo)).json()).toMatchObject({
      done: 3,
      refusedCount: 0,
    });
    expect((await intents()).map(({ state, marketplaceMessage }) => [state, marketplaceMessage])).toEqual([
      ['expired', null],
      ['expired', null],
    ]);
    expect((await moves()).map(({ source }) => source)).toEqual(['apply', 'undo']);
    expect(await shop.auditOf('price.reverted')).toMatchObject([
      { before: { price: '17.99' }, after: { price: '20.00' } },
    ]);
  });

  test('under a halt those on the wire are counted and listed, until the marketplace answered', async () => {
    await shop.send('POST', `/api/listings/${shop.id}/apply`, { shown: '17.99' });
    const seen = async () => [
      (await shop.get('/api/engine')).json().inProgressCount,
      (await shop.get('/api/listings?state=in_progress')).json().rows.map(({ sku }: { sku: string }) => sku),
    ];
    await put('accepted');
    await shop.send('POST', '/api/engine/halt', {});
    expect(await seen()).toEqual([1, ['A-1']]);
    await put('rejected', 'No');
    expect(await seen()).toEqual([0, []]);
  });

  test('Undo cannot cancel what was sent', async () => {
    const selection = { ids: [String(shop.id)] };
    const applied = (await shop.send('POST', '/api/listings/apply', { selection })).json();
    await put('accepted');
    const undo = { undoId: applied.undoId, jobId: null };
    expect((await shop.send('POST', '/api/listings/undo', undo)).json()).toMatchObject({
      done: 0,
      refused: [{ message: 'The price is on its way to the marketplace. Undo it after it is confirmed.' }],
    });
  });

  test('reverting to an earlier price is queued too', async () => {
    const [listing] = await shop.app.db
      .insert(priceHistory)
      .values({
        listingId: shop.id,
        oldPrice: usd(20),
        newPrice: usd(21),
        reason: 'Edited there',
        source: 'observed',
        timestamp: shop.app.deps.now(),
      })
      .returning({ id: priceHistory.id });
    const revert = `/api/history/${shop.id}/${listing?.id}/revert`;
    expect((await shop.send('POST', revert, { from: '21.00' })).json()).toMatchObject({
      currentPrice: '21.00',
      priceInProgress: { price: '20.00', state: 'queued' },
    });
    expect(await intents()).toMatchObject([{ source: 'undo', price: usd(20) }]);
  });

  test('a refused price shows who refused it until it is retried, and is sent again by a retry', async () => {
    const type = (price: string) =>
      shop.send('PUT', `/api/listings/${shop.id}/price`, { price, from: '20.00' });
    const retry = (price: string) => shop.send('POST', `/api/listings/${shop.id}/retry`, { price });
    await type('19.00');
    await put('rejected', 'Outside of the allowed range');
    await shop.app.db.execute(sql`
      UPDATE price_intents SET is_refusal_active = true, settled_at = settled_at - interval '20 days'`);
    expect((await shop.get(`/api/listings/${shop.id}`)).json().priceInProgress).toMatchObject({
      state: 'rejected',
      isRefused: true,
      marketplaceMessage: 'Outside of the allowed range',
    });
    const other = await retry('18.00');
    expect(other.statusCode).toBe(409);
    expect(other.json().message).toBe('$18.00 is no longer the last rejected price of A-1.');
    expect((await retry('19.00')).json()).toMatchObject({
      priceInProgress: { price: '19.00', state: 'queued', isRefused: false },
    });
    expect(await shop.auditOf('price.retried')).toMatchObject([
      { before: { price: '20.00', answer: 'Outside of the allowed range' }, after: { price: '19.00' } },
    ]);
    // A second retry finds it in progress.
    expect((await retry('19.00')).statusCode).toBe(409);
  });

  test('a refused price is in the row and in the history, until a newer price', async () => {
    const type = (price: string) =>
      shop.send('PUT', `/api/listings/${shop.id}/price`, { price, from: '20.00' });
    await type('19.00');
    await put('rejected', 'Outside of the allowed range');
    const row = (await shop.get(`/api/listings/${shop.id}`)).json();
    expect(row.priceInProgress).toMatchObject({
      state: 'rejected',
      marketplaceMessage: 'Outside of the allowed range',
    });
    const history = async (query = '') =>
      HistoryPage.parse((await shop.get(`/api/history${query}`)).json()).failed;
    const [id] = (await intents()).map((intent) => String(intent.id));
    expect(await history()).toEqual([
      {
        id,
        listingId: String(shop.id),
        marketplace: 'walmart',
        sku: 'A-1',
        productTitle: 'Product A-1',
        price: '19.00',
        fromPrice: '20.00',
        state: 'rejected',
        marketplaceMessage: 'Outside of the allowed range',
        actor: expect.any(String),
        since: expect.any(String),
        pausedUntil: null,
        isRefused: false,
      },
    ]);
    expect(await history(`?listing=${shop.id}`)).toHaveLength(1);
    expect(await history('?listing=99')).toEqual([]);
    expect(await history('?source=rule')).toBeUndefined();
    await type('19.50');
    expect((await shop.get(`/api/listings/${shop.id}`)).json().priceInProgress).toMatchObject({
      state: 'queued',
    });
    expect(await history()).toHaveLength(1);
    await shop.app.db
      .update(priceIntents)
      .set({ settledAt: sql`${priceIntents.settledAt} - interval '8 days'` })
      .where(eq(priceIntents.state, 'rejected'));
    expect(await history()).toEqual([]);
  });
});
