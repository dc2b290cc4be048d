import { asc, eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { MigrationOrder, MigrationOutcome } from '#connectors/listing-migration.ts';
import { listingMigrations } from '#db/schema/listing-migrations.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { instant } from '#domain/units.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';

const fixture = sendingFixture();
/** The items of each call, and of each reading back. */
let called: string[][] = [];
let readBack: string[] = [];
let react: (order: MigrationOrder) => MigrationOutcome;

const migrated = ({ itemId, refs }: MigrationOrder): MigrationOutcome => ({
  itemId,
  kind: 'migrated',
  places: refs.map(({ listingId, keys }) => ({
    listingId,
    place: { channel: 'inventory', keys: { ...keys, offerId: `90${listingId}` } },
  })),
});

async function seed(count: number): Promise<void> {
  await fixture.seed(count);
  fixture.market.migration = {
    atOnce: 5,
    migrate: async (_, orders) => {
      called.push(orders.map(({ itemId }) => itemId));
      return orders.map((order) => react(order));
    },
    readBack: async (_, order) => {
      readBack.push(order.itemId);
      return react(order);
    },
  };
  await fixture.db.update(marketplaceListings).set({
    channel: 'trading',
    keys: sql`jsonb_build_object('listingId', (1000 + listing_id)::text)`,
  });
}

/** The items of listings 1 to `count` are requested. */
async function ask(count: number, over: Partial<typeof listingMigrations.$inferInsert> = {}): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    marketplace: 'walmart' as const,
    itemId: String(1_001 + index),
    state: 'waiting' as const,
    generation: 0,
    askedBy: 'Ann',
    askedAt: fixture.now,
    nextAt: fixture.now,
    ...over,
  }));
  await fixture.db.insert(listingMigrations).values(rows);
}
const rows = () => fixture.db.select().from(listingMigrations).orderBy(asc(listingMigrations.itemId));
const place = async (id: number) =>
  (await fixture.db.select().from(marketplaceListings).where(eq(marketplaceListings.listingId, id)))[0];

beforeEach(() => {
  called = [];
  readBack = [];
  react = migrated;
});

test('six go in calls of five and one; one refused stays where it was, with the words of eBay (C21)', async () => {
  await seed(6);
  react = (order) =>
    order.itemId === '1003'
      ? { itemId: '1003', kind: 'refused', message: 'Business policies are required.' }
      : migrated(order);
  const before = await fixture.prices();
  const heldUntil = instant(fixture.now + 60 * MINUTE);
  await fixture.db
    .update(listings)
    .set({ heldUntil, heldBy: 'Ann', holdReason: 'Sold off' })
    .where(eq(listings.id, 2));
  await ask(6);
  await fixture.send();
  expect(called.map(({ length }) => length)).toEqual([5, 1]);
  expect(await rows()).toMatchObject([
    { state: 'migrated', message: null, endedAt: fixture.now },
    { state: 'migrated' },
    { state: 'refused', message: 'Business policies are required.', endedAt: fixture.now },
    { state: 'migrated' },
    { state: 'migrated' },
    { state: 'migrated' },
  ]);
  expect(await place(1)).toMatchObject({ channel: 'inventory', keys: { listingId: '1001', offerId: '901' } });
  expect(await place(3)).toMatchObject({ channel: 'trading', keys: { listingId: '1003' } });
  expect(await auditOf(fixture.db, 'listing.migrated')).toHaveLength(5);
  expect(await auditOf(fixture.db, 'listing.migration_refused')).toMatchObject([
    { after: { itemId: '1003', message: 'Business policies are required.' } },
  ]);
  expect(fixture.market.sent).toEqual([]);
  expect(await fixture.prices()).toEqual(before);
  expect(await fixture.listing(2)).toMatchObject({ heldUntil });
});

test('it waits for a price of its listing that is on its way, and the next price goes to its new place', async () => {
  await seed(1);
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'accept';
  await fixture.send();
  expect(await fixture.states()).toEqual(['accepted']);
  await ask(1);
  await fixture.send();
  expect(called).toEqual([]);
  fixture.market.goLive();
  fixture.advance(2 * MINUTE);
  await fixture.send();
  expect(await fixture.states()).toEqual(['confirmed']);
  await fixture.send();
  expect(called).toEqual([['1001']]);
  expect(await rows()).toMatchObject([{ state: 'migrated' }]);
});

test('after a lost answer it is read back, and never sent a second time', async () => {
  await seed(1);
  react = ({ itemId }) => ({ itemId, kind: 'unknown', message: 'No answer.' });
  await ask(1);
  await fixture.send();
  expect(await rows()).toMatchObject([{ state: 'unknown', message: 'No answer.', endedAt: null }]);
  fixture.advance(2 * MINUTE);
  react = migrated;
  await fixture.send();
  expect(called).toHaveLength(1);
  expect(readBack).toEqual(['1001']);
  expect(await rows()).toMatchObject([{ state: 'migrated', message: null }]);
  expect(await place(1)).toMatchObject({ channel: 'inventory' });
});

test('a call whose process ended is read back after a minute', async () => {
  await seed(1);
  await ask(1, { state: 'sent', sentAt: fixture.now });
  await fixture.send();
  expect([called, readBack]).toEqual([[], []]);
  fixture.advance(MINUTE);
  await fixture.send();
  expect([called, readBack]).toEqual([[], ['1001']]);
});

test('what a sync shows in the other model by then was migrated', async () => {
  await seed(1);
  await ask(1, { state: 'unknown', sentAt: fixture.now });
  await fixture.db.update(marketplaceListings).set({ channel: 'inventory' });
  await fixture.send();
  expect(await rows()).toMatchObject([{ state: 'migrated' }]);
  expect([called, readBack]).toEqual([[], []]);
});

test('a busy marketplace is asked again, for an hour', async () => {
  await seed(1);
  react = ({ itemId }) => ({ itemId, kind: 'not_sent', message: 'eBay is busy.', retryAfter: 30_000 });
  await ask(1);
  await fixture.send();
  expect(await rows()).toMatchObject([
    { state: 'waiting', message: 'eBay is busy.', sentAt: null, nextAt: instant(fixture.now + 30_000) },
  ]);
  fixture.advance(60 * MINUTE);
  await fixture.send();
  expect(called).toHaveLength(1);
  expect(await rows()).toMatchObject([
    { state: 'refused', message: expect.stringContaining('eBay is busy.') },
  ]);
});

test('what was asked for another account is not sent', async () => {
  await seed(1);
  await ask(1, { generation: 7 });
  await fixture.send();
  expect(called).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'refused' }]);
});

test('a listing that was migrated by another tool since is not sent either', async () => {
  await seed(1);
  await ask(1);
  await fixture.db.update(marketplaceListings).set({ channel: 'inventory' });
  await fixture.send();
  expect(called).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'refused' }]);
});
