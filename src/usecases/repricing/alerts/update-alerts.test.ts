import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { finishSync, startSync } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { listAlerts } from '#db/queries/repricing/alerts.ts';
import { setModes } from '#db/queries/repricing/engine.ts';
import { accountFindings, connectionChecks, integrations } from '#db/schema/connections.ts';
import { feeBreakers, feeJumps } from '#db/schema/fee-facts.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { businessOffers, marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { priceIntents, sendPauses } from '#db/schema/prices.ts';
import { salesHistory } from '#db/schema/sales.ts';
import { bps, hours, type Instant, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { alertFixture } from '#tests/support/alert-fixture.ts';
import { addListing, addRule, setLive } from '#tests/support/seed.ts';
import { handleUpgrade } from '#usecases/repricing/engine/handle-upgrade.ts';
import { resetModeOnConnect } from '#usecases/repricing/engine/reset-mode-on-connect.ts';

const fixture = alertFixture();
const { watch, open, halt, emailed } = fixture;

async function lowListings(from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) {
    const listingId = await addListing(fixture.shop.db, `A-${number}`);
    await fixture.shop.db.insert(listingMetrics).values({
      listingId,
      decidedAt: fixture.shop.deps.now(),
      outcome: 'keep',
      reasonCode: 'already_there',
      marginFloor: usd(25),
    });
  }
}

describe('users are alerted', () => {
  test('of nothing without problems', async () => {
    await watch();
    expect(await open()).toEqual([]);
    expect(fixture.queue.sent).toEqual([]);
  });

  test('that repricing is halted, by whom and why, until it is resumed', async () => {
    await halt(true);
    await watch();
    expect(await open()).toEqual(['Repricing was halted by Ann: costs are wrong.']);
    await halt(false);
    await watch();
    expect(await open()).toEqual([]);
  });

  test('that an upgrade switched marketplaces to recommend only, until they go live again', async () => {
    await setLive(fixture.shop.db, 'walmart');
    await setLive(fixture.shop.db, 'ebay');
    await handleUpgrade(fixture.shop.deps, '1.3.0/30');
    await handleUpgrade(fixture.shop.deps, '1.4.0/31');
    await watch();
    expect(await open()).toEqual([
      'eBay and Walmart were switched to recommend only by the upgrade. Review the next run, then go live again.',
    ]);
  });

  test('that new credentials switched a marketplace to recommend only, until it goes live again', async () => {
    const { db } = fixture.shop;
    const walmart = eq(integrations.marketplace, 'walmart');
    await setLive(db, 'walmart');
    await db.update(integrations).set({ priceChannel: 'connected' }).where(walmart);
    await resetModeOnConnect(db, new Set(), [], { id: 'ann', name: 'Ann' }, fixture.shop.deps.now());
    await watch();
    expect(await open()).toEqual([
      'Walmart was connected: it only recommends prices until you go live. Review the next run, then go live again.',
    ]);
    await setModes(db, ['walmart'], 'live', 'Ann', fixture.shop.deps.now());
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of listings below their floor, with a number that follows them', async () => {
    await lowListings(1, 1);
    await watch();
    const before = await listAlerts(fixture.shop.db, fixture.shop.deps.now(), 50);
    await lowListings(2, 2);
    await watch();
    const after = await listAlerts(fixture.shop.db, fixture.shop.deps.now(), 50);
    expect(before.map(({ message }) => message)).toContain('1 listing is priced below its margin floor.');
    expect(after.map(({ message }) => message)).toContain('2 listings are priced below their margin floor.');
    expect(after.find(({ kind }) => kind === 'below_floor')?.id).toBe(
      before.find(({ kind }) => kind === 'below_floor')?.id,
    );
  });

  test('of business prices below the lowest allowed price, and of prices below them, until they are not', async () => {
    const { db, deps } = fixture.shop;
    const metrics = { decidedAt: deps.now(), outcome: 'keep', reasonCode: 'already_there' } as const;
    const offers = [
      // The lowest allowed price is the margin floor, or the minimum price above it.
      { price: usd(19), lowestPrice: usd(14.28), minPrice: null },
      { price: usd(19), lowestPrice: usd(14.29), minPrice: null },
      { price: usd(19), lowestPrice: usd(14.29), minPrice: usd(14.3) },
      { price: usd(20.01), lowestPrice: usd(20.01), minPrice: null },
    ];
    for (const [index, { minPrice, ...offer }] of offers.entries()) {
      const listingId = await addListing(db, `B-${index}`, { marketplace: 'amazon', minPrice });
      await db.insert(listingMetrics).values({ listingId, ...metrics, marginFloor: usd(14.29) });
      await db.insert(businessOffers).values({ listingId, ...offer, tiers: [], readAt: deps.now() });
    }
    await watch();
    const alerts = await listAlerts(db, deps.now(), 50);
    expect(alerts.map(({ kind, subject, link }) => [kind, subject, link]).sort()).toEqual([
      ['business_price', 'hidden', '/listings?state=business_price_hidden'],
      ['business_price', 'low', '/listings?state=business_price_low'],
    ]);
    expect(alerts.find(({ subject }) => subject === 'low')?.message).toMatch(/^2 listings/);
    await db.update(businessOffers).set({ price: null, lowestPrice: null });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of Best Offers that eBay accepts below the lowest allowed price, until it does not', async () => {
    const { db, deps } = fixture.shop;
    const metrics = { decidedAt: deps.now(), outcome: 'keep', reasonCode: 'already_there' } as const;
    for (const [index, autoAcceptPrice] of [usd(14.28), usd(14.29), null].entries()) {
      const listingId = await addListing(db, `O-${index}`, { marketplace: 'ebay' });
      await db.insert(listingMetrics).values({ listingId, ...metrics, marginFloor: usd(14.29) });
      const seen = { keys: {}, isActive: true, seenAt: deps.now() };
      await db.insert(marketplaceListings).values({ listingId, autoAcceptPrice, ...seen });
    }
    await watch();
    const alerts = await listAlerts(db, deps.now(), 50);
    expect(alerts).toMatchObject([
      { kind: 'below_floor', subject: 'best offers', size: 1, link: '/listings?state=best_offer_low' },
    ]);
    await db.update(marketplaceListings).set({ autoAcceptPrice: usd(15) });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of commissions that differ from the fee schedule, once per pair of rates, until they agree', async () => {
    const { db, deps } = fixture.shop;
    const rates = [
      [1_700, 1_500],
      [1_700, 1_500],
      [800, 1_500],
    ] as const;
    for (const [index, [reported, scheduled]] of rates.entries()) {
      const listingId = await addListing(db, `F-${index}`, { marketplace: 'amazon' });
      await db.insert(listingMetrics).values({
        listingId,
        decidedAt: deps.now(),
        toldRate: bps(reported),
        scheduledRate: bps(scheduled),
      });
      const amounts = { unitPrice: usd(100), totalRevenue: usd(1_000), quantitySold: 10 };
      await db
        .insert(salesHistory)
        .values({ listingId, saleDate: instant(deps.now() - hours(24)), ...amounts });
    }
    await watch();
    expect(await open()).toEqual([
      'Amazon charges 8% where you price with 15%: 1 listing, about $70 less in 30 days.',
      'Amazon charges 17% where you price with 15%: 2 listings, about $40 more in 30 days.',
    ]);
    await db.update(listingMetrics).set({ toldRate: null, scheduledRate: null });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of what vanished from an offer with its first price, for a week', async () => {
    const { db, deps } = fixture.shop;
    const foundAt = deps.now();
    const value = { is: 'replace', sku: 'A-1', lost: ['discounted_price', 'map_price'], isRestored: true };
    const row = { marketplace: 'amazon', name: 'amazon_write', generation: 0, foundAt } as const;
    await db.insert(accountFindings).values({ ...row, value });
    await watch();
    expect(await open()).toEqual([
      'Amazon removed discounted_price and map_price from the offer of A-1 when its price was changed. It was written back, and prices are sent in another way from now on.',
    ]);
    await db.update(accountFindings).set({ value: { ...value, lost: [] } });
    await watch();
    expect(await open()).toEqual([]);
    await db.update(accountFindings).set({ value, generation: 7 });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of business prices that Amazon refused in a preview, until they are tried again', async () => {
    const { db, deps } = fixture.shop;
    const foundAt = deps.now();
    const expiresAt = instant(foundAt + hours(24));
    const row = {
      marketplace: 'amazon',
      name: 'amazon_business',
      generation: 0,
      foundAt,
      expiresAt,
    } as const;
    const value = { is: 'off', sku: 'A-1', refused: 'Not a business seller.' };
    await db.insert(accountFindings).values({ ...row, value });
    await watch();
    expect(await open()).toEqual([
      'Amazon refused the business prices of A-1 in a preview, so no business prices follow on Amazon for a day. Not a business seller.',
    ]);
    await db.update(accountFindings).set({ expiresAt: foundAt });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of sold stock that a price on Etsy restored, for a day', async () => {
    const { db, deps } = fixture.shop;
    const foundAt = deps.now();
    const expiresAt = instant(foundAt + hours(24));
    const row = { marketplace: 'etsy', name: 'etsy_stock', generation: 0, foundAt, expiresAt } as const;
    await db.insert(accountFindings).values({ ...row, value: { listing: '9001', sku: 'MUG-2', sold: 2 } });
    await watch();
    expect(await open()).toEqual([
      'MUG-2 (Etsy listing 9001): 2 were sold while its price was written, and the stock could not be corrected. Reduce its quantity on Etsy by 2.',
    ]);
    await db.update(accountFindings).set({ value: { listing: '9001', sku: null, sold: null } });
    await watch();
    expect(await open()).toEqual([
      'Units of Etsy listing 9001 may have been sold while its price was written, and the stock was not corrected. Check its quantity on Etsy.',
    ]);
    await db.update(accountFindings).set({ expiresAt: foundAt });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of pictures that Etsy unlinked with a price, for 30 days', async () => {
    const { db, deps } = fixture.shop;
    const foundAt = deps.now();
    const expiresAt = instant(foundAt + hours(24 * 30));
    const row = { marketplace: 'etsy', name: 'etsy_pictures', generation: 0, foundAt, expiresAt } as const;
    await db.insert(accountFindings).values({ ...row, value: { is: 'lost', unlinked: '9001' } });
    await watch();
    expect(await open()).toEqual([expect.stringMatching(/^Etsy unlinked the pictures .* listing 9001 /)]);
    await db.update(accountFindings).set({ value: { is: 'seen', kept: [9001], without: [] } });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of a Walmart key without the right to insights, instead of each listing that waits for it', async () => {
    const { db, deps } = fixture.shop;
    const foundAt = deps.now();
    const until = instant(foundAt + hours(1));
    for (let number = 1; number <= 12; number++) {
      const listingId = await addListing(db, `W-${number}`, { marketplace: 'walmart' });
      const pause = { why: 'not_told', until, allowsRepairs: true, times: 1 } as const;
      const prices = { price: usd(20), fromPrice: usd(19) };
      await db.insert(sendPauses).values({ listingId, marketplace: 'walmart', ...pause, ...prices });
    }
    await watch();
    expect(await open()).toEqual([expect.stringMatching(/does not accept prices for 12 listings/)]);
    const row = { marketplace: 'walmart', name: 'walmart_insights', generation: 0, foundAt } as const;
    await db.insert(accountFindings).values({ ...row, expiresAt: until, value: { is: 'lacking' } });
    await watch();
    expect(await open()).toEqual([expect.stringMatching(/has no right to pricing insights/)]);
  });

  test('of single prices that Walmart no longer takes, while that is known', async () => {
    const { db, deps } = fixture.shop;
    const foundAt = deps.now();
    const expiresAt = instant(foundAt + hours(24));
    const row = { marketplace: 'walmart', name: 'walmart_single_prices', generation: 0, foundAt } as const;
    await db.insert(accountFindings).values({ ...row, expiresAt, value: { is: 'ended' } });
    await watch();
    expect(await open()).toEqual([expect.stringMatching(/^Walmart no longer takes single prices\./)]);
    await db.update(accountFindings).set({ expiresAt: foundAt });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of a fulfillment fee that was entered and is not charged, until they agree', async () => {
    const { db, deps } = fixture.shop;
    const decided = { decidedAt: deps.now(), outcome: 'keep', reasonCode: 'already_there' } as const;
    for (const [sku, charged] of [
      ['W-1', 4.95],
      ['W-2', 2.5],
    ] as const) {
      const entered = { fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(2) } as const;
      const listingId = await addListing(db, sku, entered);
      await db.insert(listingMetrics).values({ ...decided, listingId, chargedFee: usd(charged) });
    }
    await watch();
    expect(await open()).toEqual([
      'Walmart charges another FBA/WFS fee than you entered for 2 listings, such as W-1: $4.95 per unit, entered $2.00. Yours counts until you change it.',
    ]);
    await db.update(listingMetrics).set({ chargedFee: null });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('of fees that a marketplace reported for many listings at once, until an administrator decides', async () => {
    const { db, deps } = fixture.shop;
    const since = deps.now();
    await db.insert(feeBreakers).values({ marketplace: 'amazon', since, openedAt: since });
    const listingId = await addListing(db, 'J-1', { marketplace: 'amazon' });
    await db.insert(feeJumps).values({
      listingId,
      part: 'commission',
      toldAt: since,
      readAt: since,
      beforeRate: bps(1_500),
      toldRate: bps(800),
    });
    await watch();
    expect(await open()).toEqual([
      'Amazon reported different fees for 1 listing within a day. Lower ones do not count yet, and prices with higher ones are only recommended. Accept or reject them under Costs, Fees.',
    ]);
    await db.update(feeBreakers).set({ decidedAt: since, decidedBy: 'Ann', decision: 'keep' });
    await watch();
    expect(await open()).toEqual([]);
  });

  test('again when listings below their floor became more than twice as many, ten at least; fewer is no news', async () => {
    const bells = async (): Promise<string[]> =>
      (await listAlerts(fixture.shop.db, 0 as Instant, 50)).map(
        ({ message, endedAt }) => `${message}${endedAt ? ' Over.' : ''}`,
      );
    await lowListings(1, 4);
    await watch();
    fixture.shop.advance(61 * 60_000);
    await lowListings(5, 13);
    await watch();
    expect(await bells()).toEqual(['13 listings are priced below their margin floor.']);
    expect(emailed()).toEqual(['below_floor']);
    await lowListings(14, 14);
    await watch();
    expect(await bells()).toEqual([
      '14 listings are priced below their margin floor.',
      '13 listings are priced below their margin floor. Over.',
    ]);
    expect(emailed()).toEqual(['below_floor', 'below_floor']);
  });

  test('of a marketplace that accepts no prices for minutes, with its message, until it does', async () => {
    const listingId = await addListing(fixture.shop.db, 'A-1', { marketplace: 'etsy' });
    const behindIt = await addListing(fixture.shop.db, 'A-2', { marketplace: 'etsy' });
    const at = fixture.shop.deps.now();
    const intent = {
      marketplace: 'etsy' as const,
      sequence: 1,
      price: usd(19),
      fromPrice: usd(20),
      state: 'queued' as const,
      marginFloor: usd(15),
      reason: 'Beat',
      source: 'rule' as const,
      createdAt: at,
      expiresAt: at,
    };
    const answer = 'Etsy answered with an error (500)';
    await fixture.shop.db.insert(priceIntents).values([
      { ...intent, listingId, idempotencyKey: 'a', marketplaceMessage: answer },
      { ...intent, listingId: behindIt, idempotencyKey: 'b' },
    ]);
    fixture.shop.advance(2 * 60_000);
    await watch();
    expect(await open()).toEqual([]);
    fixture.shop.advance(2 * 60_000);
    await watch();
    expect(await open()).toEqual([
      'Etsy is not accepting prices; 2 prices are waiting. Etsy answered with an error (500).',
    ]);
    expect(emailed()).toEqual(['sending_stuck']);
    await fixture.shop.db
      .update(priceIntents)
      .set({ state: 'accepted', sentAt: fixture.shop.deps.now() })
      .where(eq(priceIntents.listingId, listingId));
    await watch();
    expect(await open()).toEqual([]);
  });

  test("of a failed sync, with the marketplace's message", async () => {
    const at = fixture.shop.deps.now();
    await startSync(fixture.shop.db, 'ebay', 'sales', at);
    await finishSync(fixture.shop.db, 'ebay', 'sales', {
      startedAt: at,
      endedAt: at,
      counts: {},
      isWhole: false,
      problem: 'eBay does not accept the API key (401).',
    });
    await watch();
    expect(await open()).toEqual(['The last sync with eBay failed: eBay does not accept the API key (401).']);
  });

  test('of a catalog that is considered incomplete, with its message', async () => {
    const at = fixture.shop.deps.now();
    const problem = "eBay's catalog came without 812 of 2,000 known listings.";
    await startSync(fixture.shop.db, 'ebay', 'listings', at);
    const counts = { read: 1_188, missing: 812 };
    await finishSync(fixture.shop.db, 'ebay', 'listings', {
      startedAt: at,
      endedAt: at,
      counts,
      isWhole: true,
      problem,
    });
    await watch();
    expect(await open()).toEqual([problem]);
    // Also during the next sync.
    await startSync(fixture.shop.db, 'ebay', 'listings', (at + 60_000) as Instant);
    await watch();
    expect(await open()).toEqual([problem]);
  });

  test('that nothing was checked for three check intervals, and not before', async () => {
    await addListing(fixture.shop.db, 'A-1', { createdAt: fixture.shop.deps.now() });
    fixture.shop.advance(44 * 60_000);
    await watch();
    expect(await open()).toEqual([]);
    fixture.shop.advance(2 * 60_000);
    await watch();
    expect(await open()).toEqual([
      'Prices have not been checked for three intervals of 15 minutes. Check that the worker process is running ("pricewright work").',
    ]);
  });

  test('of prices that were rejected, or unknown for an hour', async () => {
    const listingId = await addListing(fixture.shop.db, 'A-1', { marketplace: 'ebay' });
    const other = await addListing(fixture.shop.db, 'A-2', { marketplace: 'ebay' });
    const at = fixture.shop.deps.now();
    const intent = {
      marketplace: 'ebay' as const,
      sequence: 1,
      price: usd(19),
      fromPrice: usd(20),
      marginFloor: usd(15),
      reason: 'Beat',
      source: 'rule' as const,
      createdAt: at,
      expiresAt: at,
      sentAt: at,
    };
    await fixture.shop.db.insert(priceIntents).values([
      { ...intent, listingId, state: 'rejected', settledAt: at, idempotencyKey: 'a' },
      { ...intent, listingId: other, state: 'unknown', idempotencyKey: 'b' },
    ]);
    await watch();
    expect(await open()).toEqual(['eBay rejected 1 price.']);
    fixture.shop.advance(61 * 60_000);
    await watch();
    expect(await open()).toContain(
      '1 price sent to eBay has not been confirmed for an hour. Pricewright keeps checking.',
    );
  });

  test('of a rejected price for as long as it is not sent again', async () => {
    const listingId = await addListing(fixture.shop.db, 'A-1', { marketplace: 'ebay' });
    const at = fixture.shop.deps.now();
    await fixture.shop.db.insert(priceIntents).values({
      listingId,
      marketplace: 'ebay',
      sequence: 1,
      price: usd(19),
      fromPrice: usd(20),
      marginFloor: usd(15),
      reason: 'Beat',
      source: 'rule',
      idempotencyKey: 'a',
      createdAt: at,
      expiresAt: at,
      sentAt: at,
      settledAt: at,
      state: 'rejected',
      isRefusalActive: true,
    });
    fixture.shop.advance(26 * 3_600_000);
    await watch();
    expect(await open()).toContain('eBay rejected 1 price.');
    await fixture.shop.db.update(priceIntents).set({ isRefusalActive: false });
    await watch();
    expect(await open()).not.toContain('eBay rejected 1 price.');
  });

  test('of an authorization that ends within 30 days, and once more within 7; of connected marketplaces only', async () => {
    const endsAt = (fixture.shop.deps.now() + hours(24 * 31)) as Instant;
    const check = { checkedAt: fixture.shop.deps.now(), milliseconds: 5, notes: [], endsAt };
    await fixture.shop.db.insert(connectionChecks).values([
      { ...check, marketplace: 'ebay' },
      { ...check, marketplace: 'etsy' },
    ]);
    await fixture.shop.db
      .update(integrations)
      .set({ priceChannel: 'connected' })
      .where(eq(integrations.marketplace, 'ebay'));
    await watch();
    expect(await open()).toEqual([]);
    for (const days of [29, 7]) {
      await fixture.shop.db
        .update(connectionChecks)
        .set({ endsAt: (fixture.shop.deps.now() + hours(24 * days)) as Instant });
      await watch();
      expect(await open()).toEqual([
        `The credential for eBay expires in ${days} days. Renew it under Settings.`,
      ]);
    }
    expect(fixture.emailed()).toEqual(['credentials']);
    fixture.shop.advance(hours(2));
    await watch();
    expect(fixture.emailed()).toEqual(['credentials', 'credentials']);
  });

  test('of a rule that moved prices and no longer decides anything; a new one is given time', async () => {
    const old = await addRule(fixture.shop.db, { name: 'Beat everybody' });
    await addRule(fixture.shop.db, { name: 'Brand new' });
    const listingId = await addListing(fixture.shop.db, 'A-1');
    await fixture.shop.db.execute(
      `INSERT INTO price_history (listing_id, old_price, new_price, reason, source, rule_id, margin_floor)
       VALUES (${listingId}, 20, 19, 'Beat', 'rule', ${old}, 15)`,
    );
    await watch();
    expect(await open()).toContain('Rule Beat everybody is active but no longer prices any listing.');
    expect(await open()).toHaveLength(1);
  });
});

test('ended alerts are deleted after 30 days', async () => {
  await halt(true);
  await watch();
  await halt(false);
  await watch();
  fixture.shop.advance(hours(24 * 31));
  await watch();
  expect(await listAlerts(fixture.shop.db, 0 as Instant, 50)).toEqual([]);
});
