import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { updateSettings } from '#db/queries/marketplaces/connections/settings.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { beatenPrice, seedEngineShop } from '#tests/support/engine-shop.ts';
import { addListing, readEveryPrice } from '#tests/support/seed.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';

const fixture = syncFixture('walmart');
const { read, rows } = fixture;

const PROMOTED = { notRepriceableReason: 'A promotion runs.' };
const holds = () =>
  rows(sql`SELECT held_by AS by, date_part('epoch', held_until) * 1000 AS until, hold_reason AS reason
    FROM listings ORDER BY sku`);
const BY_WALMART = { by: 'Walmart', until: null, reason: 'A promotion runs.' };
const byAnn = (until: Instant | null) => ({
  marketplace: 'walmart' as const,
  heldBy: 'Ann',
  heldUntil: until,
  holdReason: 'Price typed',
});

/** Syncs a catalog with A-1, this many hours later. */
async function readLater(after: number, over: Partial<Parameters<typeof aListing>[1]> = {}): Promise<void> {
  fixture.shop.catalog = [[aListing('A-1', over)]];
  fixture.pass(hours(after));
  await read();
}

describe('a listing priced by the marketplace or another program', () => {
  test('is put on hold although a former hold of a user has ended', async () => {
    await addListing(fixture.engine.db, 'A-1', byAnn(instant(fixture.time + hours(24))));
    await readLater(0);
    await readLater(24, PROMOTED);
    expect(await holds()).toEqual([BY_WALMART]);
    await readLater(2);
    expect(await holds()).toEqual([{ by: null, until: null, reason: null }]);
  });

  test("keeps a user's hold until the first sync after its end", async () => {
    const until = instant(fixture.time + hours(24));
    await addListing(fixture.engine.db, 'A-1', byAnn(until));
    await readLater(23, PROMOTED);
    expect(await holds()).toEqual([{ by: 'Ann', until, reason: 'Price typed' }]);
    await readLater(1, PROMOTED);
    expect(await holds()).toEqual([BY_WALMART]);
  });

  test('stays on hold while the marketplace reports nothing, and stays resumed once a user resumes it', async () => {
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'walmart' });
    await readLater(0, PROMOTED);
    await readLater(2, { notRepriceableReason: undefined });
    expect(await holds()).toEqual([BY_WALMART]);
    await fixture.engine.db.execute(sql`UPDATE listings SET held_by = NULL, hold_reason = NULL`);
    await readLater(2, { notRepriceableReason: undefined });
    expect(await holds()).toEqual([{ by: null, until: null, reason: null }]);
    await readLater(2, PROMOTED);
    expect(await holds()).toEqual([BY_WALMART]);
  });

  test('is on hold from the start as a new listing', async () => {
    await readLater(0, PROMOTED);
    expect(await holds()).toEqual([BY_WALMART]);
  });
});

describe('between the end of a hold and the next sync', () => {
  const KEYS = { walmartClientId: 'c', walmartClientSecret: 'v1.ciphertext' };
  const end = instant(NOW + minutes(15));

  /** A listing that Ann holds for 15 minutes and a competitor undercuts; synced once during the hold. */
  async function heldByAnn(over: Partial<Parameters<typeof aListing>[1]>): Promise<void> {
    const { db } = fixture.engine;
    await seedEngineShop(db, 1);
    await updateSettings(db, { walmartEnabled: true, ...KEYS }, NOW);
    await db.execute(sql`UPDATE listings SET held_by = 'Ann', hold_reason = 'Price typed',
      held_until = ${new Date(end).toISOString()}::timestamptz`);
    await readLater(0, { price: cents(2_001), ...over });
    await readEveryPrice(db);
    fixture.engine.advance(minutes(30));
    await fixture.engine.untilIdle();
  }
  const onTheirWay = async () =>
    (await fixture.engine.db.select().from(priceIntents).orderBy(priceIntents.id)).map(({ price }) => price);

  test('the engine keeps the price of a promotion in the last sync, and shows why', async () => {
    await heldByAnn(PROMOTED);
    expect(await onTheirWay()).toEqual([]);
    expect(await rows(sql`SELECT recommended_price_reason AS why FROM listings`)).toEqual([
      { why: expect.stringContaining('on hold (A promotion runs.)') },
    ]);
  });

  test('the engine reprices all other listings', async () => {
    await heldByAnn({});
    expect(await onTheirWay()).toEqual([beatenPrice(1)]);
  });
});
