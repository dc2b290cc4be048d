import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordOfferSets } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { competitorPrices, type RecordedOffer } from '#db/schema/offers.ts';
import { hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { addListing } from '#tests/support/seed.ts';

let shop: PricedShop;
let now: Instant;
/** Walmart B-1: like A-1 of every scenario, and listed sixty days ago. */
let id: number;
beforeEach(async () => {
  shop = await createPricedShop();
  now = shop.app.deps.now();
  id = await shop.addAnother('B-1', 18, { createdAt: ago(60) });
});
afterEach(() => shop.app.close());

const ago = (days: number): Instant => (now - hours(24 * days)) as Instant;
const iso = (at: Instant): string => new Date(at).toISOString();
const chart = async (range = '7', listing = id, cookie = shop.cookie) => {
  const answer = await shop.app.get(`/api/listings/${listing}/price-chart?dateRange=${range}`, cookie);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const offered = (seller: string, price: number, over: Partial<RecordedOffer> = {}): RecordedOffer => ({
  seller,
  price: usd(price),
  shipping: 0,
  at: now,
  ...over,
});
const record = (at: Instant, offers: readonly RecordedOffer[]) =>
  recordOfferSets(shop.app.db, [{ listingId: String(id), at, offers }]);

test('our price starts with the current one and has every change with its reason', async () => {
  await shop.engineRuns();
  const typed = await shop.send('PUT', `/api/listings/${id}/price`, { price: '17.50', from: '20.00' });
  expect(typed.statusCode, typed.body).toBe(200);
  const { own, isCut, from, to, shippingCharge } = await chart();
  expect([from, to, isCut, shippingCharge]).toEqual([iso(ago(7)), iso(now), false, '0.00']);
  expect(own).toEqual([
    { at: iso(ago(7)), price: '20.00', source: null, reason: null, by: null },
    expect.objectContaining({ at: iso(now), price: '17.50', source: 'person', by: 'boss@example.com' }),
  ]);
});

test('a listing that is newer than the range starts with its first price', async () => {
  const young = await addListing(shop.app.db, 'NEW', { createdAt: ago(2) });
  expect((await chart('7', young)).own).toMatchObject([
    { at: iso(ago(2)), price: '20.00', source: 'import' },
  ]);
  expect((await chart('30')).own).toMatchObject([{ at: iso(ago(30)), price: '20.00', source: null }]);
});

test('the margin floor is that of each decision, and applies from then on', async () => {
  await shop.engineRuns();
  expect((await chart()).floor).toEqual([{ at: iso(now), price: '14.29' }]);
  shop.app.advance(hours(24 * 9));
  const { from, floor } = await chart('7', id, await shop.app.logIn('boss@example.com'));
  expect(floor).toEqual([{ at: from, price: '14.29' }]);
});

test('competitors: lowest to highest of each sync, without ours, and the buy box with any winner', async () => {
  await record(ago(0.5), [
    offered('Corner Store', 18),
    offered('Walmart', 21, { marketplace: true }),
    offered('Our Shop', 12, { featured: true }),
  ]);
  expect((await chart()).offers).toEqual([
    { at: iso(ago(0.5)), lowest: '18.00', highest: '21.00', buyBox: '12.00', isBuyBoxOurs: true },
  ]);
});

test('one sync per period: its last', async () => {
  const minutes = (count: number): Instant => (now - count * 60_000) as Instant;
  for (const count of [50, 30, 10]) await record(minutes(count), [offered('Corner Store', count)]);
  const { readingHours, offers } = await chart();
  expect(readingHours).toBe(1);
  expect(offers).toMatchObject([{ at: iso(minutes(10)), lowest: '10.00' }]);
  expect((await chart('30')).readingHours).toBe(6);
  expect((await chart('90')).readingHours).toBe(24);
});

test('what is too old to count ends in a gap', async () => {
  await record(ago(5), [offered('Corner Store', 18)]);
  await record(ago(2), [offered('Corner Store', 17)]);
  expect((await chart()).offers).toMatchObject([
    { at: iso(ago(5)), lowest: '18.00' },
    { at: iso(ago(4)), lowest: null, highest: null, buyBox: null },
    { at: iso(ago(2)), lowest: '17.00' },
    { at: iso(ago(1)), lowest: null },
  ]);
});

test('an unchanged offer applies until a day after the last sync, also from before the range', async () => {
  await record(ago(9), [offered('Corner Store', 18)]);
  await shop.app.db.update(competitorPrices).set({ lastSeenAt: ago(2) });
  expect((await chart()).offers).toMatchObject([
    { at: iso(ago(7)), lowest: '18.00' },
    { at: iso(ago(1)), lowest: null },
  ]);
});

test('offers from before the range apply at its start; older ones do not', async () => {
  await record(ago(9), [offered('Corner Store', 30)]);
  await record(ago(7.5), [offered('Corner Store', 18)]);
  expect((await chart()).offers).toMatchObject([
    { at: iso(ago(7)), lowest: '18.00' },
    { at: iso(ago(6.5)), lowest: null },
  ]);
});

test('without records: our price only', async () => {
  expect(await chart('30')).toMatchObject({
    floor: [],
    offers: [],
    isCut: false,
    own: [{ price: '20.00', source: null }],
  });
});
