import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MarketplaceListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { listUsableFeeFacts } from '#db/queries/marketplaces/money/fee-facts.ts';
import { listSyncs, writeFullSyncRequest } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { isoTime } from '#db/sql-values.ts';
import { ASSUMED_SALES_TAX } from '#domain/fees/compose-fees.ts';
import { areFeesDoubted } from '#domain/fees/doubted-fees.ts';
import { answersOf } from '#domain/fees/fee-answer.ts';
import { type FeeTable, feeTimesWhole } from '#domain/fees/fee-table.ts';
import { bps, cents, hours, type Millis, minutes } from '#domain/units.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';
import { aFee, aListing, aMarketOffer } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { decideFees } from '#usecases/catalog/fees/decide-fees.ts';
import { readFeeDrifts } from '#usecases/catalog/fees/fee-drifts.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { SYNC_FAILED } from '#usecases/sync-errors.ts';

const fixture = syncFixture('amazon');
const { read, pass, rows } = fixture;
const sells = (...listings: MarketplaceListing[]) => {
  fixture.shop.catalog = [listings];
};

describe('competitor offers', () => {
  let id: number;
  beforeEach(async () => {
    id = await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    sells(aListing('A-1'));
  });

  test('replace those before, with their time, and make the listing due', async () => {
    fixture.shop.offers.set('A-1', [
      aMarketOffer(1_900, { isFeatured: true }),
      aMarketOffer(2_000, { isOurs: true }),
    ]);
    await read();
    fixture.shop.offers.set('A-1', [aMarketOffer(1_800, { rating: bps(9_900) })]);
    pass(hours(1));
    await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
    await read();
    expect(
      await rows(sql`SELECT price, is_ours AS ours, rating, seen_at = ${new Date(fixture.time).toISOString()} AS now
      FROM competitor_offers`),
    ).toEqual([{ price: '18.00', ours: false, rating: '99.00', now: true }]);
    expect(await rows(sql`SELECT listing_id::int AS id FROM due_listings`)).toEqual([{ id }]);
    expect(await rows(sql`SELECT count(*)::int AS sets FROM offer_sets`)).toEqual([{ sets: 2 }]);
  });

  test('set the maximum age that the calls of the marketplace reach', async () => {
    await read();
    expect(
      await rows(
        sql`SELECT reachable_offer_age_minutes AS age FROM marketplace_modes WHERE marketplace = 'amazon'`,
      ),
    ).toEqual([{ age: 360 }]);
  });

  test('count who holds the buy box, by day', async () => {
    fixture.shop.offers.set('A-1', [aMarketOffer(1_900, { isOurs: true, isFeatured: true })]);
    await read();
    pass(hours(1));
    fixture.shop.offers.set('A-1', [aMarketOffer(1_900, { isFeatured: true })]);
    await read();
    expect(await rows(sql`SELECT buy_box_polls AS polls, buy_box_wins AS wins FROM listing_days`)).toEqual([
      { polls: 2, wins: 1 },
    ]);
  });

  test('are requested for the longest waiting listings first, each once per round', async () => {
    await addListing(fixture.engine.db, 'A-2', { marketplace: 'amazon' });
    sells(aListing('A-1'), aListing('A-2'));
    fixture.shop.offers.set('A-1', []);
    await read();
    expect(fixture.shop.asked.filter((call) => call.startsWith('offers'))).toEqual(['offers A-1,A-2']);
    expect((await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'offers')?.counts).toEqual({
      passedOver: 0,
      read: 1,
      unread: 1,
      waiting: 0,
    });
  });

  test('an empty response means that there are no offers', async () => {
    fixture.shop.offers.set('A-1', [aMarketOffer(1_900)]);
    await read();
    fixture.shop.offers.set('A-1', []);
    pass(hours(1));
    await read();
    expect(await rows(sql`SELECT 1 FROM competitor_offers`)).toEqual([]);
  });
});

test('figures of a marketplace stay where it says nothing new, and a buy box share is of its own period', async () => {
  await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
  sells(aListing('A-1'));
  const nothing = {
    reviewCount: null,
    averageRating: null,
    salesRank: null,
    salesRankCategory: null,
    buyBoxShare: null,
  };
  fixture.shop.figures.set('A-1', {
    ...nothing,
    averageRating: 437,
    reviewCount: 12,
    salesRank: 99,
    salesRankCategory: 'Mugs',
  });
  await read();
  const figures = () =>
    rows(sql`SELECT review_count AS reviews, average_rating AS stars, sales_rank AS rank,
    sales_rank_category AS category, buy_box_percentage AS box FROM listing_analytics`);
  const others = { reviews: 12, stars: '4.37', rank: 99, category: 'Mugs' };
  fixture.shop.figures.set('A-1', { ...nothing, buyBoxShare: bps(8_250) });
  pass(hours(25));
  await read();
  expect(await figures()).toEqual([{ ...others, box: '82.50' }]);
  fixture.shop.figures.set('A-1', nothing);
  pass(hours(25));
  await read();
  expect(await figures()).toEqual([{ ...others, box: null }]);
});

test("the warehouse's fee is filled in where it is blank, as an estimate, and nowhere else", async () => {
  await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon', fulfillmentType: 'FBA/WFS' });
  await addListing(fixture.engine.db, 'A-2', {
    marketplace: 'amazon',
    fulfillmentType: 'FBA/WFS',
    fulfillmentCost: cents(0),
  });
  await addListing(fixture.engine.db, 'A-3', { marketplace: 'amazon' });
  fixture.shop.catalog = [
    ['A-1', 'A-2', 'A-3'].map((sku) => aListing(sku, sku === 'A-3' ? {} : { fulfillmentType: 'FBA/WFS' })),
  ];
  fixture.shop.fees.set('A-1', () => [
    aFee('commission', 300),
    aFee('fulfillment', 422, { promotion: cents(422) }),
  ]);
  await read();
  expect(fixture.shop.asked).toContain('fees A-1,A-2,A-3');
  expect(
    await rows(sql`SELECT sku, fulfillment_cost AS fee, fulfillment_cost_is_estimate AS guessed
    FROM listings ORDER BY sku`),
  ).toEqual([
    { sku: 'A-1', fee: '4.22', guessed: true },
    { sku: 'A-2', fee: '0.00', guessed: false },
    { sku: 'A-3', fee: null, guessed: false },
  ]);
});

describe('fees reported before a sale', () => {
  const facts = () =>
    rows(sql`SELECT sku, kind, f.name, f.fulfillment_type AS shipper, asked_price AS price, asked_shipping AS charge,
      amount, promotion, refused_because AS refused FROM fee_facts f JOIN listings l ON l.id = listing_id ORDER BY f.id`);
  const asks = () => fixture.shop.asked.filter((call) => call.startsWith('fees'));

  test('example 11: are kept as reported, with the regular amount, also for what the merchant ships', async () => {
    await addListing(fixture.engine.db, 'A-1', {
      marketplace: 'amazon',
      currentPrice: cents(2_499),
      shippingCharge: cents(400),
    });
    sells(aListing('A-1', { price: cents(2_499) }));
    fixture.shop.fees.set('A-1', () => [
      aFee('commission', 375, { promotion: cents(375) }),
      aFee('other', 32, { name: 'LowStockFee' }),
    ]);
    await read();
    const requested = { sku: 'A-1', shipper: 'FBM', price: '24.99', charge: '4.00', refused: null };
    expect(await facts()).toEqual([
      { ...requested, kind: 'commission', name: null, amount: '3.75', promotion: '3.75' },
      { ...requested, kind: 'other', name: 'LowStockFee', amount: '0.32', promotion: '0.00' },
    ]);
  });

  describe('are asked for at further prices', () => {
    const prices: number[] = [];
    let share = 0;
    beforeEach(async () => {
      prices.length = 0;
      await addSku(fixture.engine.db, 'A-1');
      await addRule(fixture.engine.db);
      await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
      sells(aListing('A-1'));
      fixture.shop.fees.set('A-1', (price) => {
        prices.push(price);
        return [aFee('commission', Math.round(price * share))];
      });
    });

    const enterCost = (cost: number | null) =>
      fixture.engine.db.execute(sql`
        UPDATE skus SET product_cost = ${cost}, version = version + 1, updated_at = ${isoTime(fixture.time)}`);

    test('where no schedule fits, until the margin floor itself was asked', async () => {
      share = 0.173;
      await read();
      // Cost 10.00, margin 15%: 14.78 if the cents of 20.00 were exact; the cents reported there do not quite keep the margin.
      // Last the price ceiling, for room to rise.
      expect(prices).toEqual([2_000, 1_478, 1_479, 3_000]);
      pass(hours(24));
      await read();
      expect(prices).toHaveLength(4);
    });

    test('at once where the cost came after the first answer, and leaves no price allowed that was asked', async () => {
      const { db } = fixture.engine;
      share = 0.173;
      await enterCost(null);
      await read();
      expect(prices).toEqual([2_000]);
      pass(minutes(1));
      await enterCost(18);
      await db.execute(sql`
        INSERT INTO listing_metrics (listing_id, total_cost, is_fee_told, outcome, decided_at)
        SELECT id, 18, true, 'blocked', now() FROM listings`);
      pass(hours(1));
      await read();
      // 18.00 / (1 - 15% - 17.33%), what 3.46 of 20.00 is at most.
      expect(prices[1]).toBe(2_660);
      await db.execute(sql`UPDATE listing_metrics SET margin_floor = 26.59`);
      const requested = prices.length;
      pass(hours(1));
      await read();
      expect(prices).toHaveLength(requested);
    });

    test('once a day where the answers cannot be used, and at once after another cost', async () => {
      share = 0.173;
      await enterCost(null);
      await read();
      await fixture.engine.db.execute(sql`
        INSERT INTO listing_metrics (listing_id, total_cost, is_fee_told, outcome, decided_at)
        SELECT id, 10, true, 'blocked', now() FROM listings`);
      // More than the price: never used.
      share = 2;
      const askedAfter = async (time: Millis): Promise<number> => {
        prices.length = 0;
        pass(time);
        await read();
        return prices.length;
      };
      pass(minutes(1));
      await enterCost(18);
      expect(await askedAfter(hours(1))).toBe(1);
      expect(await askedAfter(hours(1))).toBe(0);
      expect(await askedAfter(hours(22))).toBe(0);
      expect(await askedAfter(hours(1))).toBe(1);
      pass(minutes(1));
      await enterCost(25);
      expect(await askedAfter(hours(1))).toBe(1);
    });

    test('not more than four a day', async () => {
      share = 0.15;
      await read();
      expect(prices.length).toBeLessThanOrEqual(4);
      expect(new Set(prices).size).toBe(prices.length);
    });

    test('and again a day after a lower fee was reported, which counts only then', async () => {
      share = 0.173;
      await read();
      pass(hours(8 * 24));
      share = 0.08;
      await read();
      const before = prices.length;
      pass(hours(23));
      await read();
      expect(prices).toHaveLength(before);
      pass(hours(1));
      await read();
      expect(prices[before]).toBe(2_000);
    });
  });

  describe('of the warehouse', () => {
    const prices: number[] = [];
    let middle = 0;
    beforeEach(async () => {
      prices.length = 0;
      middle = 420;
      await addSku(fixture.engine.db, 'A-1', { productCost: cents(250) });
      await addRule(fixture.engine.db);
      const fields = {
        marketplace: 'amazon',
        fulfillmentType: 'FBA/WFS',
        currentPrice: cents(1_281),
      } as const;
      await addListing(fixture.engine.db, 'A-1', fields);
      sells(aListing('A-1', { fulfillmentType: 'FBA/WFS', price: cents(1_281) }));
      fixture.shop.fees.set('A-1', (price) => {
        prices.push(price);
        const fee = price < 1_000 ? 338 : price <= 5_000 ? middle : 446;
        return [aFee('commission', Math.round(price * 0.15)), aFee('fulfillment', fee)];
      });
    });
    const stored = () => rows(sql`SELECT fulfillment_cost AS fee FROM listings`);
    const fees = async () => {
      const { db } = fixture.engine;
      const [{ id = 0 } = {}] = await rows(sql`SELECT id::int AS id FROM listings`);
      const [input] = await loadCosts(db, await loadPricingContext(db, fixture.time), [Number(id)]);
      return input?.facts.fees?.basis.fulfillment.map(({ upTo, fee }) => [upTo, fee]);
    };

    test('count in the price band they were reported in, and the others that matter are asked', async () => {
      await read();
      expect([prices[0], prices.includes(999), prices.some((price) => price > 5_000)]).toEqual([
        1_281,
        true,
        false,
      ]);
      expect(await fees()).toEqual([
        [999, 338],
        [5_000, 420],
        [null, null],
      ]);
      expect(await stored()).toEqual([{ fee: '4.20' }]);
    });

    test('are asked at once where the price moved to a band in which they are not known', async () => {
      await read();
      sells(aListing('A-1', { fulfillmentType: 'FBA/WFS', price: cents(6_000) }));
      pass(hours(2));
      await fixture.engine.db.execute(sql`
        INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
        SELECT id, current_price, 60, 'Changed there', 'observed', ${new Date(fixture.time).toISOString()}::timestamptz
        FROM listings`);
      await fixture.engine.db.execute(sql`
        INSERT INTO listing_metrics (listing_id, missing_facts, decided_at)
        SELECT id, ARRAY['no_fulfillment_cost'], now() FROM listings`);
      await read();
      expect(prices.at(-1)).toBe(6_000);
      expect(await stored()).toEqual([{ fee: '4.46' }]);
    });

    test('are asked again at once where fees changed on a known date since', async () => {
      pass(Date.UTC(2026, 9, 14, 23) - fixture.time);
      await read();
      const before = prices.length;
      pass(hours(2));
      await read();
      expect(prices[before]).toBe(1_281);
      const after = prices.length;
      pass(hours(1));
      await read();
      expect(prices.slice(after)).not.toContain(1_281);
    });

    test('count when they fell only once they were reported again a day later', async () => {
      await read();
      middle = 380;
      pass(hours(8 * 24));
      await read();
      expect([prices.at(-1), await stored()]).toEqual([1_281, [{ fee: '4.20' }]]);
      pass(hours(24));
      await read();
      expect(await stored()).toEqual([{ fee: '3.80' }]);
    });
  });

  test('are decided with when they changed, and when the change is reported again', async () => {
    const id = await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    const dueAfter = async (hour: number, amount: number) => {
      await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
      await fixture.engine.db.execute(sql`
        INSERT INTO fee_facts (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping, amount, told_at)
        VALUES (${id}, 'commission', 'estimate', 'FBM', 20, 0, ${amount}, now() + ${hour} * interval '1 hour')`);
      return (await rows(sql`SELECT 1 FROM due_listings`)).length === 1;
    };
    const daily = [3, 3, 3, 1.6, 1.6, 1.6].map((amount, day) => [24 * day, amount] as const);
    // Reported twice within a day: the third answer is the one that confirms.
    const within = [200, 220, 226, 320].map((hour) => [hour, 1.2] as const);
    const due: boolean[] = [];
    for (const [hour, amount] of [...daily, ...within]) due.push(await dueAfter(hour, amount));
    expect(due).toEqual([true, true, false, true, true, false, true, true, true, true]);
  });

  test('are read answer by answer, never a part of one', async () => {
    const id = await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    await fixture.engine.db.execute(sql`
      INSERT INTO fee_facts (listing_id, kind, source, fulfillment_type, asked_price, asked_shipping, amount, told_at)
      SELECT ${id}, part.kind, 'estimate', 'FBM', 20 + day, 0, part.amount, now() - day * interval '1 day'
      FROM generate_series(1, 50) day, (VALUES ('closing', 1.80), ('closing', 0), ('commission', 3)) part (kind, amount)`);
    const reported = answersOf(
      await listUsableFeeFacts(fixture.engine.db, [id], fixture.engine.now),
      ASSUMED_SALES_TAX,
    );
    expect(reported.length).toBeGreaterThan(13);
    expect(reported.filter(({ commission, perUnit }) => commission !== 300 || perUnit !== 180)).toEqual([]);
  });

  test('that cannot be right are kept with the reason, counted and not used', async () => {
    for (const sku of ['A-1', 'A-2']) {
      await addListing(fixture.engine.db, sku, { marketplace: 'amazon', fulfillmentType: 'FBA/WFS' });
    }
    sells(...['A-1', 'A-2'].map((sku) => aListing(sku, { fulfillmentType: 'FBA/WFS' })));
    fixture.shop.fees.set('A-1', () => [aFee('commission', 0), aFee('fulfillment', 422)]);
    fixture.shop.fees.set('A-2', () => 'currency');
    await read();
    expect((await facts()).map(({ sku, kind, amount, refused }) => [sku, kind, amount, refused])).toEqual([
      ['A-1', 'commission', '0.00', 'no_commission'],
      ['A-1', 'fulfillment', '4.22', 'no_commission'],
      ['A-2', 'commission', null, 'currency'],
    ]);
    expect(await rows(sql`SELECT DISTINCT fulfillment_cost AS fee FROM listings`)).toEqual([{ fee: null }]);
    expect((await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'fees')?.counts).toEqual({
      passedOver: 0,
      told: 0,
      filled: 0,
      refused: 2,
      unread: 0,
      waiting: 0,
    });
  });

  test('as low as one that an administrator rejected are rejected again, never confirmed', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    sells(aListing('A-1'));
    const reported = [300, 160, 160, 160, 340];
    fixture.shop.fees.set('A-1', () => [aFee('commission', reported.shift() ?? 340)]);
    await read();
    pass(hours(8 * 24));
    await read();
    await fixture.engine.db.execute(
      sql`UPDATE fee_facts SET refused_because = 'rejected' WHERE amount = 1.60`,
    );
    for (const _ of ['the same', 'a week later', 'a rise']) {
      pass(hours(8 * 24));
      await read();
    }
    expect((await facts()).slice(0, 5).map(({ amount, refused }) => [amount, refused])).toEqual([
      ['3.00', null],
      ['1.60', 'rejected'],
      ['1.60', 'rejected'],
      ['1.60', 'rejected'],
      ['3.40', null],
    ]);
  });

  test('out of range are used where an administrator accepted that rate for the listing', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    sells(aListing('A-1'));
    const reported = [10, 10, 1_300];
    fixture.shop.fees.set('A-1', () => [aFee('commission', reported.shift() ?? 0)]);
    await read();
    await fixture.engine.db.execute(sql`UPDATE fee_facts SET refused_because = NULL, accepted_at = told_at`);
    for (const _ of ['the same', 'another']) {
      pass(hours(8 * 24));
      await read();
    }
    expect((await facts()).map(({ amount, refused }) => [amount, refused])).toEqual([
      ['0.10', null],
      ['0.10', null],
      ['13.00', 'out_of_range'],
    ]);
  });

  describe('that changed for many listings within a day', () => {
    const skus = [1, 2, 3, 4, 5, 6].map((place) => `A-${place}`);
    let share = 0.15;
    const decide = async (decision: 'adopt' | 'keep', listings = 6) => {
      const { readings } = await readFeeDrifts(fixture.engine.db, fixture.time);
      const requested = { reading: readings[0]?.id ?? '0', listings, decision };
      return decideFees(
        fixture.engine.db,
        requested,
        { id: 'ann', name: 'Ann', address: '::1', requestId: 'r' },
        fixture.time,
      );
    };
    const percents = async () => {
      const ids = await rows(sql`SELECT id::int AS id FROM listings ORDER BY sku`);
      const context = await loadPricingContext(fixture.engine.db, fixture.time);
      const inputs = await loadCosts(
        fixture.engine.db,
        context,
        ids.map(({ id }) => id as number),
      );
      const found = inputs.map(({ facts: { fees } }) => {
        const isDoubted = fees !== null && areFeesDoubted({ fees });
        return [Math.round(feeTimesWhole(fees as FeeTable, cents(2_000)) / 200_000), isDoubted] as const;
      });
      expect(new Set(found.map(String)).size).toBe(1);
      return found[0];
    };
    const readAt = async (percent: number, days = 8) => {
      share = percent / 100;
      pass(hours(24 * days));
      await read();
    };
    beforeEach(async () => {
      share = 0.15;
      await addRule(fixture.engine.db);
      for (const sku of skus) {
        await addSku(fixture.engine.db, sku);
        await addListing(fixture.engine.db, sku, { marketplace: 'amazon' });
        fixture.shop.fees.set(sku, (price) => [aFee('commission', Math.round(price * share))]);
      }
      sells(...skus.map((sku) => aListing(sku)));
      await read();
      await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
    });

    test('count where they are higher, without moving a price, until an administrator decides', async () => {
      await readAt(25);
      const { readings } = await readFeeDrifts(fixture.engine.db, fixture.time);
      expect(readings).toMatchObject([
        {
          marketplace: 'amazon',
          listings: 6,
          repriced: 0,
          pairs: [{ before: '15.00', told: '25.00', listings: 6 }],
        },
      ]);
      expect(readings[0]?.shown.map(({ sku }) => sku)).toEqual(skus);
      expect(await percents()).toEqual([25, true]);
      expect(await rows(sql`SELECT count(*)::int AS due FROM due_listings`)).toEqual([{ due: 6 }]);
      await expect(decide('adopt', 5)).rejects.toMatchObject({ code: 'conflict' });
      expect(await decide('adopt')).toEqual({ listings: 6 });
      expect(await percents()).toEqual([25, false]);
      expect((await readFeeDrifts(fixture.engine.db, fixture.time)).readings).toEqual([]);
      expect(await auditOf(fixture.engine.db, 'fees.reading_accepted')).toHaveLength(1);
    });

    test('and never where they are lower, however often they are reported; rejected they are asked for again', async () => {
      await readAt(8);
      await readAt(8, 2);
      await readAt(8, 8);
      expect(await percents()).toEqual([15, false]);
      await decide('keep');
      expect(await percents()).toEqual([15, false]);
      const requested = asks().length;
      await readAt(15, 0.1);
      expect(asks().length).toBeGreaterThan(requested);
      expect(await percents()).toEqual([15, false]);
      await expect(decide('keep')).rejects.toMatchObject({ code: 'conflict' });
    });

    test('are doubted where fulfillment fees changed as well: a rise moves no price, a fall waits', async () => {
      let fee = 300;
      for (const sku of skus) {
        fixture.shop.fees.set(sku, (price) => [
          aFee('commission', Math.round(price * share)),
          aFee('fulfillment', fee),
        ]);
      }
      sells(...skus.map((sku) => aListing(sku, { fulfillmentType: 'FBA/WFS' })));
      await fixture.engine.db.execute(
        sql`UPDATE listings SET fulfillment_type = 'FBA/WFS', shipping_cost = NULL`,
      );
      const found = async () => {
        const ids = await rows(sql`SELECT id::int AS id FROM listings ORDER BY sku LIMIT 1`);
        const context = await loadPricingContext(fixture.engine.db, fixture.time);
        const [input] = await loadCosts(fixture.engine.db, context, [Number(ids[0]?.id)]);
        const { fees = null, cost } = input?.facts ?? {};
        return [cost?.fulfillment, fees !== null && areFeesDoubted({ fees })];
      };
      await readAt(15, 1);
      fee = 400;
      await readAt(15);
      const { readings } = await readFeeDrifts(fixture.engine.db, fixture.time);
      expect(readings).toMatchObject([
        { listings: 6, pairs: [{ before: '15.00', told: '20.00', listings: 6 }] },
      ]);
      expect(await found()).toEqual([400, true]);
      expect(await decide('adopt')).toEqual({ listings: 6 });
      expect(await found()).toEqual([400, false]);
      fee = 200;
      await readAt(15, 40);
      await readAt(15, 2);
      expect(await found()).toEqual([400, false]);
      await decide('keep');
      await readAt(15, 0.1);
      expect(await found()).toEqual([400, false]);
    });

    test('count at once when an administrator accepts them as lower, and the same change is accepted for the others', async () => {
      await readAt(8);
      await decide('adopt');
      expect(await percents()).toEqual([8, false]);
      await readAt(15);
      await decide('adopt');
      await readAt(8);
      expect((await readFeeDrifts(fixture.engine.db, fixture.time)).readings).toEqual([]);
    });
  });

  test('are asked again at once of listings of the same type and fulfillment, once one of them changed', async () => {
    const types = { 'A-1': 'SHIRT', 'A-2': 'SHIRT', 'A-3': 'LAMP', 'A-4': 'SHIRT' } as const;
    for (const [sku, productType] of Object.entries(types)) {
      await addListing(fixture.engine.db, sku, { marketplace: 'amazon', productType });
    }
    let share = 0.15;
    for (const sku of Object.keys(types)) {
      fixture.shop.fees.set(sku, (price) => [aFee('commission', Math.round(price * share))]);
    }
    sells(
      ...Object.entries(types).map(([sku, productType]) =>
        aListing(sku, { productType, ...(sku === 'A-4' && { fulfillmentType: 'FBA/WFS' }) }),
      ),
    );
    fixture.shop.fees.set('A-4', (price) => [
      aFee('commission', Math.round(price * share)),
      aFee('fulfillment', 400),
    ]);
    await read();
    // One of each product type and fulfillment a day.
    pass(hours(24) - 1);
    await read();
    const before = asks().length;
    pass(hours(1));
    await read();
    expect(asks().slice(before)).toEqual(['fees A-1,A-3,A-4']);
    pass(hours(25));
    share = 0.17;
    await read();
    // The other shirt, which waited longer, and then the first one.
    expect(asks().slice(before + 1)).toEqual(['fees A-2,A-3,A-4', 'fees A-1']);
  });

  test('are asked for once a week, daily while the missing one blocks, and at once for another shipper', async () => {
    for (const sku of ['A-1', 'A-2']) {
      const fulfillmentType = sku === 'A-2' ? 'FBA/WFS' : 'FBM';
      await addListing(fixture.engine.db, sku, { marketplace: 'amazon', fulfillmentType });
    }
    fixture.shop.catalog = [
      [
        aListing('A-1'),
        aListing('A-2', { fulfillmentType: 'FBA/WFS' }),
        aListing('A-3', { isActive: false }),
      ],
    ];
    fixture.shop.fees.set('A-1', () => [aFee('commission', 300)]);
    await read();
    expect(asks()).toEqual(['fees A-1,A-2']);
    pass(hours(23));
    await read();
    expect(asks()).toHaveLength(1);
    pass(hours(2));
    await read();
    expect(asks().slice(1)).toEqual(['fees A-2']);
    sells(aListing('A-1', { fulfillmentType: 'FBA/WFS' }), aListing('A-2'));
    pass(hours(1));
    await read();
    expect(asks().slice(2)).toEqual(['fees A-1,A-2']);
    pass(hours(24 * 7 + 1));
    await read();
    expect(asks().slice(3)).toEqual(['fees A-1,A-2']);
  });
});

describe('when a marketplace does not respond', () => {
  test('rejected credentials are reported, and tried again after 5 minutes', async () => {
    sells(aListing('A-1'));
    fixture.shop.errors.set(
      'listings',
      new ConnectorError('key', 'Amazon does not accept the API key (401).'),
    );
    await read();
    expect((await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')).toMatchObject({
      problem: 'Amazon does not accept the API key (401).',
      succeededAt: null,
    });
    pass(5 * 60_000);
    await read();
    expect(fixture.shop.asked.filter((call) => call === 'listings')).toHaveLength(2);
  });

  test('a used-up rate budget is no problem: the counts show the progress, and the sync continues 5 minutes later', async () => {
    const skus = ['A-1', 'A-2', 'A-3'];
    fixture.shop.catalog = [skus.map((sku) => aListing(sku))];
    for (const sku of skus) fixture.shop.offers.set(sku, []);
    const { connector } = fixture.shop.connection;
    // eBay and others return a few responses, and then a rate limit error.
    async function* two(...[, refs]: Parameters<NonNullable<typeof connector.readOffers>>) {
      for (const { listingId, sku } of refs.slice(0, 2)) {
        fixture.shop.asked.push(`search ${sku}`);
        yield [
          { kind: 'offers' as const, listingId, seenAt: fixture.time, offers: [], coverage: 'all' as const },
        ];
      }
      if (refs.length > 2) throw new ConnectorError('busy', 'Amazon allows no more calls now.');
    }
    const scarce = { ...fixture.shop.connection, connector: { ...connector, readOffers: two } };
    await read(scarce);
    const offers = async () => (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'offers');
    expect(await offers()).toMatchObject({
      problem: null,
      succeededAt: null,
      counts: { read: 2, unread: 0, waiting: 1 },
    });
    pass(5 * 60_000);
    await read(scarce);
    expect(fixture.shop.asked.filter((call) => call.startsWith('search'))).toEqual([
      ...['search A-1', 'search A-2', 'search A-3'],
    ]);
    expect(await offers()).toMatchObject({
      problem: null,
      succeededAt: fixture.time,
      counts: { read: 1, unread: 0, waiting: 0 },
    });
  });

  test.each([
    ['listings', /catalog has not been read to its end for a day/],
    ['sales', /sales have not been read to their end/],
  ] as const)('%s that a used-up budget ends for a day are a problem', async (kind, problem) => {
    fixture.shop.catalog = [[aListing('A-1')]];
    await read();
    const last = async () => (await listSyncs(fixture.engine.db)).find((row) => row.kind === kind);
    expect(await last()).toMatchObject({ problem: null, succeededAt: fixture.time });
    pass(hours(1));
    fixture.shop.errors.set(kind, new ConnectorError('busy', 'Amazon allows no more calls now.'));
    await read();
    pass(hours(23));
    await read();
    expect(await last()).toMatchObject({ problem: null });
    pass(hours(1));
    await read();
    expect(await last()).toMatchObject({ problem: expect.stringMatching(problem) });
    fixture.shop.errors.clear();
    pass(minutes(5));
    await read();
    expect(await last()).toMatchObject({
      problem: null,
      counts: expect.not.objectContaining({ unfinishedSince: expect.anything() }),
    });
    pass(hours(1));
    fixture.shop.errors.set(kind, new ConnectorError('busy', 'Amazon allows no more calls now.'));
    await read();
    expect(await last()).toMatchObject({ problem: null });
  });

  test.each(['figures', 'fees'] as const)('%s that a budget ended go on where they stopped', async (kind) => {
    const skus = ['A-1', 'A-2', 'A-3'];
    fixture.shop.catalog = [skus.map((sku) => aListing(sku, { fulfillmentType: 'FBA/WFS' }))];
    const { connector } = fixture.shop.connection;
    // A few at a time, like eBay's limit for reviews.
    type Refs = readonly { readonly listingId: number; readonly sku: string }[];
    async function* one(what: string, refs: Refs) {
      for (const { listingId, sku } of refs.slice(0, 1)) {
        fixture.shop.asked.push(`${what} of ${sku}`);
        yield [{ kind: 'unread' as const, listingId, why: 'It says nothing.' }];
      }
      if (refs.length > 1) throw new ConnectorError('busy', 'Amazon allows no more calls now.');
    }
    const scarce = {
      ...connector,
      readFigures: (...[, refs]: Parameters<NonNullable<typeof connector.readFigures>>) =>
        one('figures', refs),
      estimateFees: (...[, queries]: Parameters<NonNullable<typeof connector.estimateFees>>) =>
        one(
          'fees',
          queries.map(({ ref }) => ref),
        ),
    };
    for (const _ of skus) {
      await read({ ...fixture.shop.connection, connector: scarce });
      pass(5 * 60_000);
    }
    expect(fixture.shop.asked.filter((call) => call.startsWith(`${kind} of`))).toEqual(
      skus.map((sku) => `${kind} of ${sku}`),
    );
  });

  test('one kind that is refused leaves the others to their turn', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    sells(aListing('A-1'));
    fixture.shop.errors.set(
      'offers',
      new ConnectorError('permission', 'Amazon does not let this key do that (403).'),
    );
    await read();
    expect(
      (await listSyncs(fixture.engine.db)).map(({ kind: what, problem }) => [what, problem === null]),
    ).toEqual([
      ['featured_prices', true],
      ['fees', true],
      ['figures', true],
      ['listings', true],
      ['money', true],
      ['offers', false],
      ['sales', true],
    ]);
  });
});

describe('a full sync requested by a user', () => {
  const ask = () => writeFullSyncRequest(fixture.engine.db, 'amazon', fixture.time);
  beforeEach(async () => {
    sells(aListing('A-1'));
    fixture.shop.offers.set('A-1', []);
    await read();
    fixture.shop.asked.splice(0);
    pass(60_000);
  });

  test('reads everything once, offers too that were read a minute ago', async () => {
    await ask();
    pass(1);
    expect(await read()).toBe(true);
    expect(fixture.shop.asked).toEqual(expect.arrayContaining(['listings', 'offers A-1']));
    pass(60_000);
    expect(await read()).toBe(false);
  });

  test('does not wait for the five minutes after a failure', async () => {
    fixture.shop.errors.set('listings', new ConnectorError('key', 'Amazon does not accept the key.'));
    await ask();
    pass(1);
    await read();
    fixture.shop.errors.clear();
    pass(1_000);
    await ask();
    pass(1);
    await read();
    expect((await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')?.problem).toBeNull();
  });
});

test('an internal error is shown in the sync status, and tried again after 5 minutes', async () => {
  sells(aListing('A-1'));
  fixture.shop.errors.set('listings', new Error('A fault of ours.'));
  await expect(read()).rejects.toThrow('A fault of ours.');
  expect(await listSyncs(fixture.engine.db)).toMatchObject([
    { kind: 'listings', endedAt: fixture.time, problem: SYNC_FAILED },
  ]);
  fixture.shop.errors.clear();
  pass(5 * 60_000);
  await read();
  expect((await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings')?.problem).toBeNull();
});

test('nothing is synced again before it is due', async () => {
  sells(aListing('A-1'));
  await read();
  const before = fixture.shop.asked.length;
  pass(60_000);
  expect(await read()).toBe(false);
  expect(fixture.shop.asked).toHaveLength(before);
});
