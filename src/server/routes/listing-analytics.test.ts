import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FeeAnswer } from '#contract/fee-facts.ts';
import { recordOfferSets } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { finishSync, startSync } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { skus } from '#db/schema/catalog.ts';
import { accountFindings } from '#db/schema/connections.ts';
import { feeFacts } from '#db/schema/fee-facts.ts';
import { listingAnalytics, listingDays } from '#db/schema/listing-analytics.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { businessGaps, businessOffers, marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { competitionReadings, competitorPrices, type RecordedOffer } from '#db/schema/offers.ts';
import { suspectPrices } from '#db/schema/price-readings.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { appSettings } from '#db/schema/settings.ts';
import { type Bps, bps, type Cents, hours, type Instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { addListing, declareSeller } from '#tests/support/seed.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/** Walmart A-1, $20.00, listed two hours ago. */
let shop: PricedShop;
let now: Instant;
beforeEach(async () => {
  shop = await createPricedShop();
  now = shop.app.deps.now();
});
afterEach(() => shop.app.close());

const ago = (days: number): Instant => (now - hours(24 * days)) as Instant;
const iso = (at: Instant): string => new Date(at).toISOString();
const json = async (url: string) => {
  const answer = await shop.get(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

const OF_A_LISTING: readonly ((id: string | number) => string)[] = [
  (id) => `/api/sales-history/metrics/${id}`,
  (id) => `/api/listing-analytics/${id}`,
  (id) => `/api/competitor-prices/listing/${id}`,
  (id) => `/api/listings/${id}/price-chart`,
  (id) => `/api/listings/${id}/on-marketplace`,
  (id) => `/api/listings/${id}/competition`,
  (id) => `/api/fee-facts?listing=${id}`,
];

describe('each call about one listing', () => {
  test('is not found for an unknown listing, and reports when one was removed', async () => {
    for (const url of OF_A_LISTING) {
      const unknown = await shop.get(url(999_999));
      expect(unknown.statusCode, url('')).toBe(404);
      expect(unknown.json(), url('')).toMatchObject({ code: 'not_found' });
    }
    await shop.app.db.update(listings).set({ deletedAt: now }).where(eq(listings.id, shop.id));
    for (const url of OF_A_LISTING) {
      const removed = await shop.get(url(shop.id));
      expect(removed.statusCode, url('')).toBe(404);
      expect(removed.json().message, url('')).toBe('This listing was removed on 2026-01-15: A-1.');
    }
  });

  test('asks for a number', async () => {
    for (const url of OF_A_LISTING) expect((await shop.get(url('abc'))).statusCode, url('')).toBe(400);
  });
});

describe('sales metrics', () => {
  const url = (range = '') => `/api/sales-history/metrics/${shop.id}${range}`;
  const sale = (days: number, quantity: number, price: number, margin: number | null, over: object = {}) => ({
    listingId: shop.id,
    saleDate: ago(days),
    createdAt: ago(days),
    quantitySold: quantity,
    unitPrice: usd(price),
    totalRevenue: (usd(price) * quantity) as Cents,
    totalMargin: margin === null ? null : usd(margin),
    ...over,
  });

  test('sums the range and nothing else', async () => {
    await shop.app.db
      .insert(salesHistory)
      .values([
        sale(1, 2, 10, 5),
        sale(6.9, 1, 11.01, 3.5),
        sale(8, 4, 9, 8),
        sale(29, 1, 8, 1),
        sale(80, 1, 7, 0),
      ]);
    expect(await json(url('?dateRange=7'))).toEqual({
      salesCount: 2,
      totalQuantity: 3,
      totalRevenue: '31.01',
      avgUnitPrice: '10.34',
      totalMargin: '8.50',
      avgMarginPerUnit: '2.83',
      margin: '27.41',
      quantityWithMargin: 3,
      salesWithMargin: 2,
      salesAbout: 2,
      from: iso(ago(7)),
      to: iso(now),
      lastUpdated: iso(ago(1)),
      staleAt: iso((ago(1) + 30 * 60_000) as Instant),
    });
    expect(await json(url('?dateRange=90'))).toMatchObject({ salesCount: 5, totalQuantity: 9 });
  });

  test('of a connected marketplace are as old as the sync, even if it returned no sales', async () => {
    await startSync(shop.app.db, 'walmart', 'sales', ago(0.5));
    await finishSync(shop.app.db, 'walmart', 'sales', {
      startedAt: ago(0.5),
      endedAt: ago(0.5),
      counts: {},
      isWhole: true,
      problem: null,
    });
    await shop.app.db.update(appSettings).set({ checkInterval: 5 });
    await shop.app.db.insert(salesHistory).values([sale(1, 2, 10, 5)]);
    const lastUpdated = iso(ago(0.5));
    const staleAt = iso((ago(0.5) + 30 * 60_000) as Instant);
    expect(await json(url())).toMatchObject({ lastUpdated, staleAt });
  });

  test('the range is 30 days by default, and otherwise 7 or 90', async () => {
    await shop.app.db.insert(salesHistory).values([sale(29, 1, 8, 1), sale(31, 1, 8, 1)]);
    expect(await json(url())).toMatchObject({ salesCount: 1, from: iso(ago(30)) });
    expect((await shop.get(url('?dateRange=14'))).statusCode).toBe(400);
  });

  test('without sales: counts of zero, no averages', async () => {
    expect(await json(url())).toMatchObject({
      salesCount: 0,
      totalQuantity: 0,
      totalRevenue: '0.00',
      avgUnitPrice: null,
      totalMargin: null,
      avgMarginPerUnit: null,
      margin: null,
      lastUpdated: null,
      staleAt: null,
    });
  });

  test('an unknown margin is excluded and counted as excluded, never as zero', async () => {
    await shop.app.db.insert(salesHistory).values([sale(1, 2, 10, 4), sale(2, 3, 10, null)]);
    expect(await json(url())).toMatchObject({
      totalQuantity: 5,
      totalRevenue: '50.00',
      totalMargin: '4.00',
      avgMarginPerUnit: '2.00',
      margin: '20.00',
      quantityWithMargin: 2,
    });
  });

  test('a loss is negative, and its margin is rounded down', async () => {
    await shop.app.db.insert(salesHistory).values(sale(1, 2, 15, -4));
    expect(await json(url())).toMatchObject({
      totalMargin: '-4.00',
      avgMarginPerUnit: '-2.00',
      margin: '-13.34',
    });
  });

  test('without revenue there is no margin', async () => {
    const back = { adjustment: usd(-15) };
    await shop.app.db.insert(salesHistory).values(sale(1, 1, 10, -6, back));
    expect(await json(url())).toMatchObject({ totalRevenue: '-5.00', totalMargin: '-6.00', margin: null });
  });

  test('sums may be larger than an amount can be, and a loss many times the price', async () => {
    const most = usd(99_999_999.99);
    const row = { unitPrice: most, totalRevenue: most, totalMargin: most };
    await shop.app.db.insert(salesHistory).values([sale(1, 1, 1, 1, row), sale(2, 1, 1, 1, row)]);
    expect(await json(url())).toMatchObject({ totalRevenue: '199999999.98', totalMargin: '199999999.98' });
    await shop.app.db.delete(salesHistory);
    await shop.app.db.insert(salesHistory).values(sale(1, 1, 0.01, -90));
    expect(await json(url())).toMatchObject({ totalMargin: '-90.00', margin: '-900000.00' });
  });

  test('a listing that sells rarely is as fresh as its marketplace', async () => {
    const other = await addListing(shop.app.db, 'A-2');
    const elsewhere = await addListing(shop.app.db, 'A-3', { marketplace: 'ebay' });
    await shop.app.db
      .insert(salesHistory)
      .values([
        sale(9, 1, 8, 1),
        sale(1, 1, 8, 1, { listingId: other }),
        sale(0, 1, 8, 1, { listingId: elsewhere }),
      ]);
    expect(await json(url())).toMatchObject({ lastUpdated: iso(ago(1)) });
  });
});

describe('analytics', () => {
  const url = () => `/api/listing-analytics/${shop.id}`;

  test('unreported figures are null', async () => {
    expect((await shop.get(url())).body).toBe('null');
  });

  test('returns what was reported, unknown as null, with the days that were checked', async () => {
    await shop.app.db.insert(listingAnalytics).values({
      listingId: shop.id,
      reviewCount: 12,
      averageRating: '4.37',
      salesRank: 1_204,
      salesRankCategory: 'Kitchen',
      buyBoxPercentage: bps(6_240),
      lastUpdated: ago(1),
    });
    const day = (days: number, checks: number, wins: number) => ({
      listingId: shop.id,
      day: iso(ago(days)).slice(0, 10),
      buyBoxPolls: checks,
      buyBoxWins: wins,
    });
    await shop.app.db
      .insert(listingDays)
      .values([day(1, 96, 60), day(29, 10, 0), day(30, 5, 5), day(2, 0, 0)]);
    expect(await json(url())).toEqual({
      id: expect.any(String),
      listingId: String(shop.id),
      reviewCount: 12,
      averageRating: '4.37',
      salesRank: 1_204,
      salesRankCategory: 'Kitchen',
      buyBoxPercentage: '62.40',
      buyBoxWindow: null,
      lastUpdated: iso(ago(1)),
      staleAt: iso((ago(1) + 30 * 60_000) as Instant),
      days: [
        { day: '2025-12-17', checks: 10, wins: 0 },
        { day: '2026-01-14', checks: 96, wins: 60 },
      ],
    });
  });

  test('names the period that Amazon counts page views over', async () => {
    const amazon = await addListing(shop.app.db, 'A-7', { marketplace: 'amazon' });
    await shop.app.db
      .insert(listingAnalytics)
      .values({ listingId: amazon, buyBoxPercentage: bps(0), lastUpdated: now });
    expect(await json(`/api/listing-analytics/${amazon}`)).toMatchObject({
      buyBoxPercentage: '0.00',
      buyBoxWindow: { days: 7, endsDaysAgo: 3 },
    });
  });

  test('a marketplace that reports reviews and rank once a day is not old after an hour', async () => {
    await startSync(shop.app.db, 'walmart', 'figures', now);
    await shop.app.db.insert(listingAnalytics).values({ listingId: shop.id, lastUpdated: now });
    expect(await json(url())).toMatchObject({ staleAt: iso((now + hours(48)) as Instant) });
  });

  test('figures that the marketplace does not have are null; old means older than two check intervals', async () => {
    await shop.app.db.update(appSettings).set({ checkInterval: 60 });
    await shop.app.db.insert(listingAnalytics).values({ listingId: shop.id, lastUpdated: now });
    expect(await json(url())).toMatchObject({
      reviewCount: 0,
      averageRating: null,
      salesRank: null,
      salesRankCategory: null,
      buyBoxPercentage: null,
      staleAt: iso((now + hours(2)) as Instant),
    });
  });
});

const offered = (seller: string | null, price: number, over: Partial<RecordedOffer> = {}): RecordedOffer => ({
  seller,
  price: usd(price),
  shipping: 0,
  at: now,
  ...over,
});
const record = (at: Instant, offers: readonly RecordedOffer[], listingId = shop.id) =>
  recordOfferSets(shop.app.db, [{ listingId: String(listingId), at, offers }]);

describe('competitor prices', () => {
  const url = (query = '?marketplace=walmart&limit=10') =>
    `/api/competitor-prices/listing/${shop.id}${query}`;

  test('what was recorded, the newest first, every figure landed', async () => {
    await record(ago(1), [offered('Corner Store', 18)]);
    await record(now, [
      offered('Walmart', 15, { marketplace: true }),
      offered('Corner Store', 16, { shipping: 250, featured: true }),
      offered('Another', 20),
      offered('Our Shop', 14),
    ]);
    expect(await json(url())).toEqual([
      {
        id: expect.any(String),
        listingId: String(shop.id),
        marketplace: 'walmart',
        amazonDirectPrice: null,
        walmartDirectPrice: '15.00',
        thirdPartyMinPrice: '18.50',
        thirdPartyMaxPrice: '20.00',
        thirdPartyAvgPrice: '19.25',
        thirdPartySellerCount: 2,
        buyBoxPrice: '18.50',
        buyBoxSeller: 'Corner Store',
        isBuyBoxOurs: false,
        timestamp: iso(now),
        lastSeenAt: iso(now),
        staleAt: iso((now + 30 * 60_000) as Instant),
      },
      expect.objectContaining({ thirdPartyMinPrice: '18.00', buyBoxPrice: null, timestamp: iso(ago(1)) }),
    ]);
  });

  test('an offer of ours stops counting once we declare the seller, also in what was recorded before', async () => {
    await record(now, [offered('Second Shop', 12, { featured: true }), offered('Corner Store', 18)]);
    expect(await json(url())).toMatchObject([{ thirdPartyMinPrice: '12.00', isBuyBoxOurs: false }]);
    await declareSeller(shop.app.db, 'walmart', 'second shop');
    expect(await json(url())).toMatchObject([
      {
        thirdPartyMinPrice: '18.00',
        thirdPartySellerCount: 1,
        buyBoxPrice: '12.00',
        buyBoxSeller: 'Second Shop',
        isBuyBoxOurs: true,
      },
    ]);
  });

  test('aggregates without offers are returned as received', async () => {
    await shop.app.db.insert(competitorPrices).values({
      listingId: shop.id,
      marketplace: 'walmart',
      thirdPartyMinPrice: usd(9),
      thirdPartySellerCount: 4,
      buyBoxPrice: usd(9),
      buyBoxSeller: 'OUR SHOP',
      timestamp: now,
    });
    expect(await json(url())).toMatchObject([
      { thirdPartyMinPrice: '9.00', thirdPartyAvgPrice: null, thirdPartySellerCount: 4, isBuyBoxOurs: true },
    ]);
  });

  test("Amazon's price for the same SKU is included, as long as it counts", async () => {
    const onAmazon = await addListing(shop.app.db, 'A-1', { marketplace: 'amazon' });
    await record(ago(0.5), [offered('Amazon', 17, { marketplace: true })], onAmazon);
    await record(now, [offered('Corner Store', 18)]);
    expect(await json(url())).toMatchObject([{ amazonDirectPrice: '17.00', walmartDirectPrice: null }]);
    await shop.app.db.update(appSettings).set({ maxOfferAgeMinutes: 60 });
    expect(await json(url())).toMatchObject([{ amazonDirectPrice: null }]);
  });

  test("an unchanged offer is as old as the last sync, and so is Amazon's price next to it", async () => {
    const onAmazon = await addListing(shop.app.db, 'A-1', { marketplace: 'amazon' });
    await record(ago(3), [offered('Amazon', 17, { marketplace: true })], onAmazon);
    await record(ago(3), [offered('Corner Store', 18)]);
    await shop.app.db.update(competitorPrices).set({ lastSeenAt: now });
    expect(await json(url())).toMatchObject([
      {
        amazonDirectPrice: '17.00',
        timestamp: iso(ago(3)),
        lastSeenAt: iso(now),
        staleAt: iso((now + 30 * 60_000) as Instant),
      },
    ]);
  });

  test('another marketplace has none; without a limit ten are returned', async () => {
    for (let day = 0; day < 12; day++) await record(ago(day), [offered('Corner Store', 10 + day)]);
    expect(await json(url('?marketplace=amazon'))).toEqual([]);
    expect(await json(url(''))).toHaveLength(10);
    expect(await json(url('?limit=3'))).toHaveLength(3);
  });

  test.each(['?limit=0', '?limit=101', '?limit=x', '?marketplace=alibaba'])(
    '%s is refused',
    async (query) => {
      expect((await shop.get(url(query))).statusCode).toBe(400);
    },
  );

  test('without records it is an empty list', async () => {
    expect(await json(url())).toEqual([]);
  });
});

test('GET /api/listings/:id/on-marketplace: the last state on the marketplace, null before the first', async () => {
  const url = `/api/listings/${shop.id}/on-marketplace`;
  expect(await json(url)).toBeNull();
  const seenAt = ago(1);
  await shop.app.db
    .insert(marketplaceListings)
    .values({ listingId: shop.id, keys: {}, isActive: false, quantity: null, seenAt });
  expect(await json(url)).toEqual({
    isForSale: false,
    quantity: null,
    checkedPrice: null,
    bestOffer: null,
    businessPrices: null,
    seenAt: iso(seenAt),
    missingSince: null,
  });
  await shop.app.db.update(marketplaceListings).set({ isActive: true, quantity: 12 });
  await shop.app.db.insert(suspectPrices).values({
    listingId: shop.id,
    marketplace: 'walmart',
    source: 'list',
    price: usd(17.5),
    readAt: seenAt,
    openSince: ago(0.01),
    stopsSending: true,
  });
  const checkedPrice = { price: '17.50', source: 'list', since: iso(ago(0.01)) };
  expect(await json(url)).toEqual({
    isForSale: true,
    quantity: 12,
    seenAt: iso(seenAt),
    missingSince: null,
    checkedPrice,
    bestOffer: null,
    businessPrices: null,
  });
  await shop.app.db.update(listings).set({ missingSince: ago(0) });
  expect(await json(url)).toMatchObject({ isForSale: false, seenAt: iso(seenAt), missingSince: iso(ago(0)) });
});

test('GET /api/listings/:id/on-marketplace: business prices with their margins and the limit', async () => {
  const url = `/api/listings/${shop.id}/on-marketplace`;
  const [status, offer] = [marketplaceListings, businessOffers];
  const { db } = shop.app;
  const seenAt = ago(1);
  await db.insert(status).values({ listingId: shop.id, keys: {}, isActive: true, seenAt, mapPrice: usd(19) });
  const tiers = [
    { from: 5, price: usd(14.29) },
    { from: 20, discount: 5_000 as Bps },
  ];
  await db
    .insert(offer)
    .values({ listingId: shop.id, price: usd(21), tiers, lowestPrice: usd(10.5), readAt: seenAt });
  expect((await json(url)).businessPrices).toEqual({
    readAt: iso(seenAt),
    prices: [
      // 21.00 - 3.15 - 10.00 = 7.85
      { from: 1, price: '21.00', margin: '37.38', isTooLow: false },
      { from: 5, price: '14.29', margin: '15.02', isTooLow: false },
      { from: 20, price: '10.50', margin: '-10.24', isTooLow: true },
    ],
    minimumMargin: '15.00',
    // MAP binds the regular price alone.
    lowestAllowedPrice: '14.29',
    isHidden: true,
    isFollowing: false,
    stopped: null,
    skipped: [],
  });
  await db.update(status).set({ autoAcceptPrice: usd(14.28), raiseRefusal: 'No.' });
  const until = ago(-24);
  await db.insert(accountFindings).values({
    marketplace: 'walmart',
    name: 'amazon_business',
    value: { is: 'off', sku: 'A-9', refused: 'No.' },
    generation: 0,
    foundAt: seenAt,
    expiresAt: until,
  });
  // Nothing is to follow here.
  expect((await json(url)).businessPrices).toMatchObject({ isFollowing: false, stopped: null });
  await db.insert(businessGaps).values({ listingId: shop.id, tiers: [], takenAt: seenAt });
  expect((await json(url)).businessPrices).toMatchObject({
    isFollowing: true,
    stopped: { sku: 'A-9', refused: 'No.', until: iso(until) },
  });
  const best = { autoAcceptPrice: '14.28', lowestAllowedPrice: '14.29', isTooLow: true, raiseRefusal: 'No.' };
  expect((await json(url)).bestOffer).toEqual(best);
  await db.update(skus).set({ productCost: null });
  expect((await json(url)).bestOffer).toEqual({ ...best, lowestAllowedPrice: null, isTooLow: null });
  expect((await json(url)).businessPrices).toMatchObject({
    prices: [1, 5, 20].map((from) => ({ from, margin: null, isTooLow: null })),
    lowestAllowedPrice: null,
  });
});

test('GET /api/fee-facts: the fees of each answer, the newest first, also those that are not used', async () => {
  const url = `/api/fee-facts?listing=${shop.id}`;
  const category = { name: null, source: 'none', isAccepted: true, productType: null };
  expect(await json(url)).toEqual({ answers: [], category });
  const requested = {
    listingId: shop.id,
    source: 'estimate',
    fulfillmentType: 'FBM',
    askedPrice: usd(24.99),
    askedShipping: usd(0),
  } as const;
  await shop.app.db.insert(feeFacts).values([
    { ...requested, kind: 'commission', amount: usd(3.75), promotion: usd(3.75), toldAt: ago(7) },
    { ...requested, kind: 'other', name: 'LowStockFee', amount: usd(0.32), toldAt: ago(7) },
    { ...requested, kind: 'commission', amount: null, toldAt: ago(0), refusedBecause: 'currency' },
  ]);
  const reported = {
    source: 'estimate',
    fulfillmentType: 'FBM',
    askedPrice: '24.99',
    askedShipping: '0.00',
  };
  expect(await json(url)).toEqual({
    category,
    answers: [
      {
        ...reported,
        id: expect.any(String),
        isHeld: false,
        isInForce: false,
        isAssumed: false,
        toldAt: iso(ago(0)),
        refusedBecause: 'currency',
        fees: [],
      },
      {
        ...reported,
        id: expect.any(String),
        isHeld: false,
        isInForce: false,
        isAssumed: false,
        toldAt: iso(ago(7)),
        refusedBecause: null,
        fees: [
          { kind: 'commission', name: null, amount: '3.75', promotion: '3.75' },
          { kind: 'other', name: 'LowStockFee', amount: '0.32', promotion: '0.00' },
        ],
      },
    ],
  });
});

describe('POST /api/fee-facts/decide', () => {
  const tell = async (
    listingId: number,
    fees: readonly [days: number, amount: number][],
    over: object = {},
  ) => {
    const requested = {
      listingId,
      source: 'estimate',
      fulfillmentType: 'FBM',
      askedPrice: usd(20),
      ...over,
    } as const;
    await shop.app.db.insert(feeFacts).values(
      fees.map(([days, amount]) => ({
        kind: 'commission' as const,
        ...requested,
        askedShipping: usd(0),
        amount: usd(amount),
        toldAt: ago(days),
      })),
    );
  };
  const answersOf = async (id: number) => (await json(`/api/fee-facts?listing=${id}`)).answers;
  const decide = (ids: readonly string[], decision: string) =>
    shop.send('POST', '/api/fee-facts/decide', { ids, decision });

  test('accepts a lower fee before it is reported again, which then counts, or rejects it', async () => {
    const { db } = shop.app;
    const id = await addListing(db, 'H-1', { marketplace: 'amazon' });
    await tell(id, [
      [7, 3.4],
      [1, 1.6],
    ]);
    const [lower, usual] = await answersOf(id);
    expect([lower.isHeld, usual.isHeld]).toEqual([true, false]);
    await db.execute(sql`DELETE FROM due_listings`);
    expect((await decide([lower.id], 'adopt')).json()).toEqual({ listings: 1 });
    expect((await answersOf(id))[0]).toMatchObject({ isHeld: false, refusedBecause: null });
    expect((await db.execute(sql`SELECT listing_id::int AS id FROM due_listings`)).rows).toEqual([{ id }]);
    expect((await decide([lower.id], 'adopt')).statusCode).toBe(409);

    const other = await addListing(db, 'H-2', { marketplace: 'amazon' });
    await tell(other, [
      [7, 3.4],
      [1, 1.6],
    ]);
    const [rejected] = await answersOf(other);
    await decide([rejected.id], 'keep');
    expect((await answersOf(other))[0]).toMatchObject({ isHeld: false, refusedBecause: 'rejected' });
    expect(
      (await auditOf(db, 'fees.told_accepted')).length + (await auditOf(db, 'fees.told_rejected')).length,
    ).toBe(2);
    expect((await decide([rejected.id], 'keep')).statusCode).toBe(409);
    expect((await decide([rejected.id], 'adopt')).statusCode).toBe(200);
    expect((await answersOf(other))[0]).toMatchObject({ isHeld: false, refusedBecause: null });
  });

  test('rejects the lower part of an answer alone: a higher one of it goes on counting', async () => {
    const { db } = shop.app;
    const id = await addListing(db, 'H-4', { marketplace: 'amazon', fulfillmentType: 'FBA/WFS' });
    const warehouse = { fulfillmentType: 'FBA/WFS' } as const;
    await tell(id, [[7, 3.4]], warehouse);
    await tell(id, [[7, 4]], { ...warehouse, kind: 'fulfillment' });
    await tell(id, [[1, 1.6]], warehouse);
    await tell(id, [[1, 5]], { ...warehouse, kind: 'fulfillment' });
    const [lower] = await answersOf(id);
    expect((await decide([lower.id], 'keep')).statusCode).toBe(200);
    const [input] = await loadCosts(db, await loadPricingContext(db, now), [id]);
    expect(input?.facts.cost.fulfillment).toBe(usd(5));
    const fees = input?.facts.fees?.pieces.find(({ to }) => to >= 2_000);
    expect(fees?.percent).toBeGreaterThanOrEqual(1_700);
  });

  test.each(['keep', 'adopt'])('of sales settled at one moment: %s the lower one alone', async (decision) => {
    const { db } = shop.app;
    const id = await addListing(db, 'H-5');
    const settled = { source: 'settled' } as const;
    await tell(id, [[7, 3]], settled);
    await tell(id, [[1, 1.6]], settled);
    await tell(id, [[1, 4.5]], { ...settled, askedPrice: usd(30) });
    const at = async (price: string) =>
      (await answersOf(id)).find(({ askedPrice }: FeeAnswer) => askedPrice === price);
    const [lower, other] = [await at('20.00'), await at('30.00')];
    expect([lower.isHeld, other.isHeld]).toEqual([true, false]);
    expect((await decide([other.id], decision)).statusCode).toBe(409);
    expect((await decide([lower.id], decision)).statusCode).toBe(200);
    expect((await at('20.00')).refusedBecause).toBe(decision === 'keep' ? 'rejected' : null);
    expect(await at('30.00')).toMatchObject({ isHeld: false, refusedBecause: null });
    const { rows } = await db.execute(sql`SELECT amount FROM fee_facts WHERE accepted_at IS NOT NULL`);
    expect(rows).toEqual(decision === 'adopt' ? [{ amount: '1.60' }] : []);
  });

  test('decides about all lower fees that wait of the listings with a pair of rates', async () => {
    const { db } = shop.app;
    const fees: [number, number][] = [
      [7, 3],
      [1, 1.6],
    ];
    const pair = { marketplace: 'amazon', told: '8.00', scheduled: '15.00' };
    const about = (decision: string, over: object = {}, seen: object = {}) =>
      shop.send('POST', '/api/fee-facts/decide', { pair: { ...pair, ...over }, decision, ...seen });
    const ids = [];
    for (const [sku, toldRate] of [
      ['P-1', 800],
      ['P-2', 800],
      ['P-3', 900],
    ] as const) {
      const listingId = await addListing(db, sku, { marketplace: 'amazon' });
      await tell(listingId, fees);
      await db
        .insert(listingMetrics)
        .values({ listingId, toldRate: bps(toldRate), scheduledRate: bps(1_500), decidedAt: now });
      ids.push(listingId);
    }
    expect((await about('adopt', { told: '17.00' })).statusCode).toBe(409);
    expect((await about('adopt', {}, { waiting: 1 })).statusCode).toBe(409);
    expect((await answersOf(ids[0] ?? 0))[0].isHeld).toBe(true);
    expect((await about('adopt', {}, { waiting: 2 })).json()).toEqual({ listings: 2 });
    expect((await about('keep')).statusCode).toBe(409);
    const waits = await Promise.all(ids.map(async (id) => (await answersOf(id))[0].isHeld));
    expect(waits).toEqual([false, false, true]);
  });

  test('rejects all answers of a lower fee: none is left that the next one confirms', async () => {
    const { db } = shop.app;
    const pair = { marketplace: 'amazon', told: '8.00', scheduled: '15.00' };
    const decisions = {
      'R-1': (id: string) => decide([id], 'keep'),
      'R-2': () => shop.send('POST', '/api/fee-facts/decide', { pair, decision: 'keep' }),
    };
    for (const [sku, reject] of Object.entries(decisions)) {
      const id = await addListing(db, sku, { marketplace: 'amazon' });
      await db.insert(listingMetrics).values({
        listingId: id,
        decidedAt: now,
        toldRate: bps(800),
        scheduledRate: bps(1_500),
      });
      await tell(id, [[7, 3]]);
      await tell(id, [[1, 1.6]]);
      await tell(id, [[0.9, 0.96]], { askedPrice: usd(12) });
      const [lower] = await answersOf(id);
      expect((await reject(lower.id)).statusCode).toBe(200);
      await tell(id, [[-0.1, 1.6]]);
      const [input] = await loadCosts(db, await loadPricingContext(db, ago(-0.1)), [id]);
      const fees = input?.facts.fees?.pieces.find(({ to }) => to >= 2_000);
      expect([sku, fees?.percent]).toEqual([sku, bps(1_500)]);
    }
  });

  test('accepts one out of range, and never one that counts: a higher fee cannot be rejected', async () => {
    const id = await addListing(shop.app.db, 'H-3', { marketplace: 'amazon' });
    await tell(id, [
      [7, 3],
      [3, 4],
    ]);
    await tell(id, [[1, 0.1]], { refusedBecause: 'out_of_range' });
    const [outOfRange, higher] = await answersOf(id);
    expect((await decide([higher.id], 'keep')).statusCode).toBe(409);
    expect((await decide([outOfRange.id, higher.id], 'adopt')).statusCode).toBe(409);
    expect((await decide([outOfRange.id], 'adopt')).statusCode).toBe(200);
    expect((await answersOf(id))[0]).toMatchObject({ refusedBecause: null });
    expect((await decide(['999999'], 'keep')).statusCode).toBe(404);
  });
});

test('GET /api/fee-drift: each pair of rates with its listings and what it cost in 30 days', async () => {
  expect(await json('/api/fee-drift')).toEqual({ drifts: [], readings: [] });
  const { db } = shop.app;
  const drift = { toldRate: bps(1_700), scheduledRate: bps(1_500), marginFloor: usd(19), decidedAt: now };
  const ids = [];
  for (const [sku, currentPrice] of [
    ['D-1', usd(18)],
    ['D-2', usd(20)],
  ] as const) {
    const listingId = await addListing(db, sku, { marketplace: 'amazon', currentPrice });
    await db.insert(listingMetrics).values({ listingId, ...drift, isFeeHeld: sku === 'D-1' });
    ids.push(listingId);
  }
  const sale = { listingId: ids[0] ?? 0, quantitySold: 1, unitPrice: usd(18), createdAt: now };
  await db.insert(salesHistory).values([
    { ...sale, saleDate: ago(29), totalRevenue: usd(180) },
    { ...sale, saleDate: ago(31), totalRevenue: usd(1_000) },
  ]);
  expect(await json('/api/fee-drift')).toEqual({
    readings: [],
    drifts: [
      {
        marketplace: 'amazon',
        told: '17.00',
        scheduled: '15.00',
        listings: 2,
        belowMarginFloor: 1,
        waiting: 1,
        ownRates: 0,
        cost30Days: '3.60',
      },
    ],
  });
});

test('a reported commission takes the place of an own one by one call, or the own one is kept and no longer listed', async () => {
  const { db } = shop.app;
  const drift = { toldRate: bps(1_700), scheduledRate: bps(1_500), marginFloor: usd(19), decidedAt: now };
  const own = { feeRate: bps(1_500), feeRateBy: 'Ann' };
  const ids: number[] = [];
  for (const over of [own, own, {}]) {
    const listingId = await addListing(db, `O-${ids.length}`, { marketplace: 'amazon', ...over });
    await db.insert(listingMetrics).values({ listingId, ...drift });
    ids.push(listingId);
  }
  const drifts = async () =>
    (await json('/api/fee-drift')).drifts.map(({ listings: count, ownRates }: Record<string, number>) => [
      count,
      ownRates,
    ]);
  const rates = async () =>
    (await db.select().from(listings).orderBy(listings.id)).map(({ feeRate }) => feeRate);
  const pair = { marketplace: 'amazon', told: '17.00', scheduled: '15.00' };
  const say = (decision: string, ownRates: number) =>
    shop.send('POST', '/api/fee-facts/decide', { pair, ownRates, decision });
  expect(await drifts()).toEqual([[3, 2]]);
  expect((await say('adopt', 1)).statusCode).toBe(409);
  expect((await say('keep', 2)).json()).toEqual({ listings: 2 });
  expect((await say('keep', 2)).statusCode).toBe(200);
  expect(await drifts()).toEqual([[1, 0]]);
  expect((await rates()).slice(-3)).toEqual([1_500, 1_500, null]);
  expect((await say('adopt', 2)).json()).toEqual({ listings: 2 });
  expect((await rates()).slice(-3)).toEqual([null, null, null]);
  expect((await say('adopt', 2)).statusCode).toBe(409);
});

test('the competition says what was read, and what could not be read since', async () => {
  const competition = await json(`/api/listings/${shop.id}/competition`);
  expect(competition).toMatchObject({
    status: 'competitors',
    readAt: iso(now),
    unread: null,
    featuredPrice: null,
  });
  const unread = { at: now, reason: 'The request timed out.' };
  await shop.app.db
    .insert(competitionReadings)
    .values({ listingId: shop.id, unreadAt: unread.at, unreadReason: unread.reason });
  expect(await json(`/api/listings/${shop.id}/competition`)).toMatchObject({
    unread: { at: iso(now), reason: unread.reason },
  });
});

test('the competition says who holds the buy box, since when, and what is not known of it', async () => {
  const boxOf = async () => (await json(`/api/listings/${shop.id}/competition`)).buyBox;
  const { db } = shop.app;
  expect(await boxOf()).toBeNull();
  const featured = { featured: true } as const;
  await record(ago(3), [offered('Our Shop', 19, featured)]);
  await record(ago(2), [offered('Corner Store', 18, featured), offered('Our Shop', 19)]);
  await record(ago(1), [offered('CORNER STORE', 17.5, featured)]);
  await db.execute(sql`UPDATE competitor_prices SET last_seen_at = timestamp + interval '2 hours'`);
  const held = {
    holder: 'seller',
    price: '17.50',
    since: iso(ago(2)),
    isAtLeast: false,
    isSuppressed: false,
  };
  const before = { holder: 'ours', seller: 'Our Shop', seenAt: iso((ago(3) + hours(2)) as Instant) };
  // The current offers show no buy box: the last holder is not known to have it still, nor to have lost it.
  expect(await boxOf()).toMatchObject({
    ...held,
    seenAt: iso((ago(1) + hours(2)) as Instant),
    isOutdated: true,
  });
  await db.execute(sql`UPDATE competitor_offers SET is_featured = true WHERE listing_id = ${shop.id}`);
  expect(await boxOf()).toEqual({
    ...held,
    seller: 'CORNER STORE',
    seenAt: iso(now),
    isOutdated: false,
    before,
  });
  await record(now, [offered(null, 20, { ...featured, ours: true })]);
  expect(await boxOf()).toMatchObject({ holder: 'ours', since: iso(now), before: { holder: 'seller' } });
  await db.execute(sql`INSERT INTO competition_readings (listing_id, read_at, coverage, source, box_suppressed)
    VALUES (${shop.id}, ${iso(now)}, 'all', 'sync', true)`);
  expect(await boxOf()).toMatchObject({ isSuppressed: true });
});

test('a buy box of hours that were thinned out counts too', async () => {
  await shop.app.db.execute(sql`INSERT INTO competitor_price_periods (listing_id, marketplace, grain, timestamp,
    last_seen_at, third_party_seller_count, buy_box_price, buy_box_seller)
    VALUES (${shop.id}, 'walmart', 'day', ${iso(ago(40))}, ${iso(ago(39))}, 1, 18, 'Corner Store')`);
  await record(ago(1), [offered('Corner Store', 17, { featured: true })]);
  expect((await json(`/api/listings/${shop.id}/competition`)).buyBox).toMatchObject({
    since: iso(ago(40)),
    isAtLeast: true,
    before: null,
  });
});
