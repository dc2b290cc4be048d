import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FeeScheduleInput } from '#contract/fees.ts';
import type { Db } from '#db/client.ts';
import { listFees } from '#db/queries/catalog/fees.ts';
import { feeFacts } from '#db/schema/fee-facts.ts';
import { PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import type { Instant } from '#domain/units.ts';
import { NOW, pct, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule, addSku } from '#tests/support/seed.ts';
import { type FeeImpactFound, feeImpact } from './fee-impact.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
  // Cost $10.00, margin 15 %: with the default fee of 15 % the margin floor is $14.29, with 30 % it is $18.19.
  await addRule(db, { strategy: 'Fixed Margin' });
  for (const sku of ['LOW', 'MID', 'HIGH']) await addSku(db, sku);
  await addListing(db, 'LOW', { currentPrice: usd(14) });
  await addListing(db, 'MID', { currentPrice: usd(16) });
  await addListing(db, 'HIGH', { currentPrice: usd(20) });
});
afterEach(() => database.giveBack());

const fee = (percent: number, over: Partial<FeeScheduleInput> = {}): FeeScheduleInput => ({
  marketplace: 'walmart',
  category: null,
  effectiveFrom: null,
  kind: 'whole',
  edgeBase: 'revenue',
  bands: [{ upTo: null, ...PLAIN_BAND, percent: pct(percent), fixed: usd(0), minimum: usd(0) }],
  ...over,
});
const defaultOf = async (marketplace: string): Promise<string> =>
  String((await listFees(db)).find((each) => each.marketplace === marketplace)?.id);
const ask = async (id: string | null, schedule: FeeScheduleInput | null, now: Instant = NOW) =>
  feeImpact({ db, now: () => now }, { id, schedule });
const skusOf = ({ worst }: FeeImpactFound): string[] => worst.map(({ listing }) => listing.sku);

test('a higher fee: listings that fall below their margin, and their new margin floors', async () => {
  const impact = await ask(await defaultOf('walmart'), fee(30));
  expect(impact).toMatchObject({ affected: 3, underMargin: 1, blocked: 0, recovered: 0 });
  expect(impact.worst).toMatchObject([
    {
      listing: { sku: 'MID' },
      // 16.00 - 2.40 - 10.00 = 3.60 of 16.00; 16.00 - 4.80 - 10.00 = 1.20.
      marginBefore: pct(22.5),
      marginAfter: pct(7.5),
      marginFloorAfter: usd(18.19),
    },
  ]);
});

test('a lower fee: listings that recover their margin', async () => {
  const impact = await ask(await defaultOf('walmart'), fee(5));
  expect(impact).toMatchObject({ affected: 3, underMargin: 0, blocked: 0, recovered: 1, worst: [] });
});

test('a fee that leaves no margin blocks listings, and blocked ones come first', async () => {
  const impact = await ask(await defaultOf('walmart'), fee(90));
  expect(impact).toMatchObject({ affected: 3, underMargin: 2, blocked: 3 });
  expect(skusOf(impact)).toEqual(['LOW', 'MID', 'HIGH']);
});

test('deleting the only schedule blocks every listing of the marketplace', async () => {
  await addListing(db, 'LOW', { marketplace: 'etsy' });
  const impact = await ask(await defaultOf('walmart'), null);
  expect(impact).toMatchObject({ affected: 3, underMargin: 0, blocked: 3 });
  expect(impact.worst[0]).toMatchObject({ marginAfter: null, marginFloorAfter: null, isBlocked: true });
});

test('a schedule for a category affects only its listings, in any spelling', async () => {
  await addSku(db, 'SHIRT');
  await addListing(db, 'SHIRT', { currentPrice: usd(16), feeCategory: 'APPAREL' });
  const impact = await ask(null, fee(30, { category: 'apparel' }));
  // Without a schedule its category had no fee, so it was blocked.
  expect(impact).toMatchObject({ affected: 1, underMargin: 1, blocked: 0 });
});

test('a future schedule is evaluated on its first day, and the same fee affects nothing', async () => {
  const nextMonth = (NOW + 30 * 86_400_000) as Instant;
  expect(await ask(null, fee(30, { effectiveFrom: nextMonth }))).toMatchObject({
    affected: 3,
    underMargin: 1,
  });
  expect(await ask(await defaultOf('walmart'), fee(15))).toMatchObject({ affected: 0 });
});

test('a schedule that moves to another marketplace affects both', async () => {
  await addListing(db, 'MID', { marketplace: 'etsy', currentPrice: usd(16) });
  const impact = await ask(await defaultOf('walmart'), fee(15, { marketplace: 'etsy', effectiveFrom: NOW }));
  expect(impact).toMatchObject({ affected: 4, blocked: 3, underMargin: 0 });
});

test('a listing whose fee the marketplace reported is not affected', async () => {
  const listingId = await addListing(db, 'MID', { marketplace: 'amazon', currentPrice: usd(16) });
  expect(await ask(await defaultOf('amazon'), fee(30, { marketplace: 'amazon' }))).toMatchObject({
    affected: 1,
  });
  await db.insert(feeFacts).values({
    listingId,
    kind: 'commission',
    source: 'estimate',
    fulfillmentType: 'FBM',
    askedPrice: usd(16),
    askedShipping: usd(0),
    amount: usd(2.4),
    toldAt: NOW,
  });
  expect(await ask(await defaultOf('amazon'), fee(30, { marketplace: 'amazon' }))).toMatchObject({
    affected: 0,
  });
});

test('the new margin floor has the fulfillment fee of its own price band, as the engine calculates it', async () => {
  await addSku(db, 'FBA', { productCost: usd(4) });
  const over = { marketplace: 'amazon', fulfillmentType: 'FBA/WFS', currentPrice: usd(13) } as const;
  const listingId = await addListing(db, 'FBA', over);
  const requested = [
    [usd(9.99), usd(2)],
    [usd(13), usd(5)],
  ] as const;
  await db.insert(feeFacts).values(
    requested.map(([askedPrice, amount]) => ({
      listingId,
      kind: 'fulfillment' as const,
      source: 'estimate' as const,
      fulfillmentType: 'FBA/WFS' as const,
      askedPrice,
      askedShipping: usd(0),
      amount,
      toldAt: NOW,
    })),
  );
  const impact = await ask(await defaultOf('amazon'), fee(20, { marketplace: 'amazon' }));
  expect(impact).toMatchObject({ affected: 1, underMargin: 1, blocked: 0 });
  expect(impact.worst).toMatchObject([
    {
      listing: { sku: 'FBA' },
      // 13.00 - 1.95 - 5.00 - 4.00 = 2.05 of 13.00; with 20% 1.40.
      marginBefore: pct(15.76),
      marginAfter: pct(10.76),
      // Up to $10.00 the warehouse takes 2.00: 6.00 / 0.65. With the 5.00 of the current price it would be 13.85.
      marginFloorAfter: usd(9.24),
    },
  ]);
});

test('only the ten worst are listed', async () => {
  for (let i = 0; i < 12; i++) {
    await addSku(db, `S-${i}`);
    await addListing(db, `S-${i}`, { currentPrice: usd(15 + i / 10) });
  }
  const impact = await ask(await defaultOf('walmart'), fee(30));
  expect(impact.underMargin).toBe(13);
  expect(skusOf(impact)).toEqual(Array.from({ length: 10 }, (_, i) => `S-${i}`));
});

test('unusable bands are rejected as by a save', async () => {
  const bands = [{ upTo: usd(10), ...PLAIN_BAND, percent: pct(5), fixed: usd(0), minimum: usd(0) }];
  await expect(ask(null, fee(0, { bands }))).rejects.toMatchObject({ code: 'validation_failed' });
});
