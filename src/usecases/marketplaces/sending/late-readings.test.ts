import { asc, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { summarizeReadingLags } from '#db/queries/marketplaces/sync/reading-lags.ts';
import { listAlerts } from '#db/queries/repricing/alerts.ts';
import { auditLog } from '#db/schema/audit.ts';
import { readingChecks, suspectPrices } from '#db/schema/price-readings.ts';
import type { ReadingSource } from '#domain/readings/assess-reading.ts';
import { type Cents, hours } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';
import { type ComparedPrices, compareShownPrices } from './compare-shown-prices.ts';
import { settleReading } from './reading-check.ts';

const fixture = sendingFixture();

/** A complete reading of the marketplace that shows these prices. */
async function showAs(source: ReadingSource, shown: ReadonlyMap<number, Cents>): Promise<ComparedPrices> {
  const read = [...shown].map(([listingId, price]) => ({ listingId, price }));
  const { db, now } = fixture;
  const found = await compareShownPrices(db, 'walmart', read, { source, readAt: now }, now);
  await settleReading(db, 'walmart', { source, startedAt: now, ...found }, now);
  return found;
}
const showOne = (source: ReadingSource, price: number): Promise<ComparedPrices> =>
  showAs(source, new Map([[1, usd(price)]]));

/** The price of every listing is ours for a minute. */
async function lowered(listings: number): Promise<void> {
  await fixture.seed(listings);
  await fixture.untilIdle();
  await fixture.send();
  fixture.advance(MINUTE);
  await fixture.send();
  fixture.market.asked.length = 0;
}

/** Nothing changed for two days: no price is an own one of the last 24 hours but that in force. */
async function longInForce(listings: number): Promise<void> {
  await lowered(listings);
  fixture.advance(hours(48));
  await fixture.sweptJustNow();
}

const itemsRead = (): number[] =>
  fixture.market.asked.flatMap(({ kind, listingId }) => (kind === 'read' ? [listingId] : []));
const observed = async () => (await fixture.ledger()).filter(({ source }) => source === 'observed');
const openSuspects = () =>
  fixture.db
    .select()
    .from(suspectPrices)
    .where(sql`${suspectPrices.openSince} IS NOT NULL`)
    .orderBy(asc(suspectPrices.listingId));
/** What users are alerted of that concerns external edits. */
const alerts = async (): Promise<string[]> => {
  const deps = { db: fixture.db, now: () => fixture.now, queue: recordedQueue(), home: () => '' };
  await updateAlerts(deps);
  return (await listAlerts(fixture.db, fixture.now, 50)).flatMap(({ kind, subject, endedAt }) =>
    kind === 'external_edit' && endedAt === null ? [`${kind} ${subject}`] : [],
  );
};
const lags = async () =>
  (await summarizeReadingLags(fixture.db, fixture.now)).map(({ source, minutes95, readings }) => ({
    source,
    minutes95,
    readings,
  }));

describe('a list that is behind', () => {
  test('changes nothing of twelve listings, reads no item, and says how late it is (C1)', async () => {
    await lowered(12);
    const before = new Map(Array.from({ length: 12 }, (_, at) => [at + 1, usd(20 + (at + 1) / 100)]));
    fixture.advance(4 * MINUTE);
    const inForce = await fixture.prices();
    expect(await showAs('list', before)).toEqual({ compared: 12, stale: 12, suspects: 0, drifted: [] });
    await fixture.send();
    expect(itemsRead()).toEqual([]);
    expect(await fixture.prices()).toEqual(inForce);
    expect(await observed()).toEqual([]);
    expect((await fixture.listing(1)).heldBy).toBeNull();
    expect(await alerts()).toEqual([]);
    expect(await lags()).toEqual([{ source: 'list', minutes95: 5, readings: 12 }]);
    fixture.advance(10 * MINUTE);
    const now = new Map(inForce.map((price, at) => [at + 1, price]));
    expect(await showAs('list', now)).toEqual({ compared: 12, stale: 0, suspects: 0, drifted: [] });
    expect(await fixture.prices()).toEqual(inForce);
  });

  test('three times with the same price is not believed that price for a day', async () => {
    await longInForce(1);
    for (let round = 1; round <= 3; round++) {
      expect(await showOne('list', 17.5)).toMatchObject({ suspects: 1 });
      await fixture.send();
      expect(itemsRead()).toHaveLength(round);
      fixture.advance(10 * MINUTE);
    }
    expect(await showOne('list', 17.5)).toMatchObject({ suspects: 0, stale: 0 });
    expect(await showOne('list', 17.4)).toMatchObject({ suspects: 1 });
  });
});

describe('a price that was changed on the marketplace, seen first in a list', () => {
  test('is adopted and held once the item shows it; until then the engine sends nothing (C2)', async () => {
    await longInForce(1);
    const inForce = beatenPrice(1);
    await fixture.db.execute(sql`UPDATE competitor_offers SET price = 19.3,
      seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`);
    await fixture.untilIdle();
    expect(await fixture.states()).toEqual(['confirmed', 'queued']);
    fixture.market.live.set(1, usd(17.5));
    const read = [{ listingId: 1, price: usd(17.5) }];
    const { db, now } = fixture;
    const found = await compareShownPrices(db, 'walmart', read, { source: 'list', readAt: now }, now);
    expect(found).toMatchObject({ suspects: 1, drifted: [] });
    // The catalog is still being read: no item is requested, and the engine's price waits.
    await fixture.send();
    expect(fixture.market.asked).toEqual([]);
    expect(await fixture.states()).toEqual(['confirmed', 'queued']);
    fixture.advance(MINUTE);
    await settleReading(db, 'walmart', { source: 'list', startedAt: now, ...found }, fixture.now);
    await fixture.send();
    await fixture.send();
    expect(fixture.market.asked).toEqual([{ kind: 'read', listingId: 1 }]);
    expect(await observed()).toMatchObject([{ oldPrice: inForce, newPrice: usd(17.5) }]);
    expect(await fixture.listing(1)).toMatchObject({
      currentPrice: usd(17.5),
      heldBy: 'Pricewright',
      heldUntil: fixture.now + hours(24),
    });
    expect((await fixture.db.select().from(auditLog)).map(({ action }) => action)).toContain(
      'price.observed',
    );
    expect(await fixture.states()).toEqual(['confirmed', 'expired']);
    expect(await openSuspects()).toEqual([]);
  });

  test("does not stop a user's price, nor a listing for more than an hour", async () => {
    await longInForce(1);
    fixture.market.isUnreadable = true;
    await showOne('list', 17.5);
    await fixture.db.execute(sql`UPDATE competitor_offers SET price = 19.3,
      seen_at = ${new Date(fixture.now).toISOString()}::timestamptz`);
    await fixture.untilIdle();
    await fixture.send();
    expect(fixture.market.sent).toEqual([]);
    const deps = { db: fixture.db, now: () => fixture.now };
    await setPrice(deps, 1, { price: usd(19.4), from: beatenPrice(1) }, EDITOR);
    await fixture.send();
    expect(fixture.market.sent).toMatchObject([{ price: usd(19.4) }]);
    expect(await openSuspects()).toHaveLength(1);
    fixture.advance(hours(1));
    await fixture.send();
    expect(await openSuspects()).toEqual([]);
  });

  test('of a listing whose item is not shown is never adopted from its list, and is dropped after an hour', async () => {
    await longInForce(1);
    fixture.market.hasNoItems = true;
    fixture.market.live.set(1, usd(17.5));
    const inForce = beatenPrice(1);
    await showOne('list', 17.5);
    for (let minute = 0; minute < 60; minute += 5) {
      await fixture.send();
      expect(await openSuspects()).toMatchObject([{ price: usd(17.5), stopsSending: true }]);
      fixture.advance(5 * MINUTE);
    }
    await fixture.send();
    expect(itemsRead()).toHaveLength(12);
    expect(await openSuspects()).toEqual([]);
    expect(await observed()).toEqual([]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: inForce, heldBy: null });
    // The next reading renews it, and the item proves it once it is shown.
    expect(await showOne('list', 17.5)).toMatchObject({ suspects: 1 });
    fixture.market.hasNoItems = false;
    await fixture.send();
    expect(await observed()).toMatchObject([{ oldPrice: inForce, newPrice: usd(17.5) }]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(17.5), heldBy: 'Pricewright' });
  });

  test('of a listing without an item is dropped where its list alone shows the price in force', async () => {
    await longInForce(1);
    fixture.market.hasNoItems = true;
    await showOne('list', 17.5);
    await fixture.send();
    expect(await openSuspects()).toEqual([]);
    expect(await observed()).toEqual([]);
  });

  test('of a missing listing holds nothing', async () => {
    await longInForce(1);
    fixture.market.missing.add(1);
    await showOne('list', 17.5);
    await fixture.send();
    expect(await openSuspects()).toEqual([]);
    expect((await fixture.listing(1)).heldBy).toBeNull();
  });
});

describe('a marketplace that goes back to a former price', () => {
  const returnTo = async (price: Cents): Promise<void> => {
    fixture.market.live.set(1, price);
    await showOne('item', price / 100);
    fixture.advance(10 * MINUTE);
    await fixture.send();
  };

  test('is read twice, ten minutes apart; the listing is repriced, and held only from the third time on (C3)', async () => {
    await lowered(1);
    const [first, ours] = [usd(20.01), beatenPrice(1)];
    fixture.advance(52 * MINUTE);
    const { anchorPrice } = await fixture.listing(1);
    await returnTo(first);
    expect(itemsRead()).toEqual([1]);
    expect(await observed()).toMatchObject([
      {
        oldPrice: ours,
        newPrice: first,
        reason: 'Walmart shows $20.01 again instead of your price of $19.50.',
      },
    ]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: first, heldBy: null, anchorPrice });
    expect(await fixture.due()).toEqual([1]);
    for (const times of [2, 3]) {
      await fixture.db.execute(sql`UPDATE app_settings SET cooldown_minutes = 0`);
      await fixture.untilIdle();
      await fixture.send();
      expect(await fixture.prices()).toEqual([ours]);
      fixture.advance(MINUTE);
      await returnTo(first);
      expect(await observed()).toHaveLength(times);
      expect((await fixture.listing(1)).heldBy).toBe(times === 3 ? 'Pricewright' : null);
      expect(await alerts()).toEqual(times === 3 ? ['external_edit walmart returns'] : []);
    }
    await fixture.db.execute(sql`UPDATE listings SET held_by = NULL, hold_reason = NULL, held_until = NULL`);
    expect(await alerts()).toEqual([]);
  });

  test('in its list alone for more than an hour is read too', async () => {
    await lowered(1);
    fixture.advance(61 * MINUTE);
    fixture.market.live.set(1, usd(20.01));
    expect(await showOne('list', 20.01)).toMatchObject({ stale: 0, suspects: 1 });
    await fixture.send();
    fixture.advance(10 * MINUTE);
    await fixture.send();
    expect(await observed()).toMatchObject([{ newPrice: usd(20.01) }]);
    expect((await fixture.listing(1)).heldBy).toBeNull();
  });
});

describe('a reading with another price for a large share of the listings', () => {
  const LISTINGS = 200;
  const check = async () => (await fixture.db.select().from(readingChecks))[0];
  const seedMany = async (): Promise<ReadonlyMap<number, Cents>> => {
    await fixture.seed(LISTINGS);
    fixture.advance(hours(48));
    const all = [...fixture.market.live];
    return new Map(all.map(([id, price]) => [id, id <= 80 ? ((price - 300) as Cents) : price]));
  };
  const readItems = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      await fixture.send();
      fixture.advance(MINUTE);
    }
  };

  test('is set aside after twenty items that show the prices in force (C4)', async () => {
    const shown = await seedMany();
    expect(await showAs('document', shown)).toMatchObject({ compared: LISTINGS, suspects: 80 });
    expect(await check()).toMatchObject({ source: 'document', sampled: 20, outcome: 'checking' });
    await readItems();
    expect(new Set(itemsRead()).size).toBeLessThanOrEqual(20);
    expect(itemsRead().length).toBeGreaterThanOrEqual(18);
    expect(await check()).toMatchObject({ outcome: 'behind', differing: 0 });
    expect(await openSuspects()).toEqual([]);
    expect(await observed()).toEqual([]);
    // The next one is as it should be.
    await showAs('document', fixture.market.live);
    expect(await check()).toBeUndefined();
  });

  test('is read singly, all of it, after three items that differ', async () => {
    const shown = await seedMany();
    for (const [id, price] of shown) fixture.market.live.set(id, price);
    await showAs('list', shown);
    await readItems();
    expect(await check()).toMatchObject({ outcome: 'changed', inForce: 0 });
    expect(await observed()).toHaveLength(80);
    expect(new Set(itemsRead()).size).toBe(80);
    expect(itemsRead()).toHaveLength(80);
  });
});
