import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dueListings } from '#db/schema/due-listings.ts';
import { listings } from '#db/schema/listings.ts';
import type { PriceSource } from '#db/schema/prices.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule } from '#tests/support/seed.ts';
import { insertPriceHistory } from './decision-rows.ts';

let database: RecycledDatabase;
beforeEach(async () => {
  database = await borrowDatabase();
});
afterEach(() => database.giveBack());

const nothingIsDue = () => database.open.db.delete(dueListings);
const due = async () =>
  (await database.open.db.select().from(dueListings).orderBy(dueListings.listingId)).map(
    ({ listingId }) => listingId,
  );

async function move(listingId: number, from: number, to: number, source: PriceSource): Promise<void> {
  const move = {
    listingId,
    oldPrice: usd(from),
    newPrice: usd(to),
    reason: 'A test',
    marginImpact: null,
    marginAfter: null,
    ruleId: null,
    competitorPrice: null,
    marginFloor: usd(1),
    feeVersion: null,
    facts: null,
  };
  const actor = source === 'rule' ? null : { id: 'ann', name: 'Ann' };
  await insertPriceHistory(database.open.db, [move], { source, at: NOW, runId: null, actor });
}

test.each(['person', 'import', 'observed', 'apply', 'undo'] as const)(
  'a price with the source %s marks its listing as due, even one that equals the anchor price',
  async (source) => {
    const id = await addListing(database.open.db, 'A-1', { currentPrice: usd(18), anchorPrice: usd(20) });
    await nothingIsDue();
    await move(id, 18, 20, source);
    expect(await due()).toEqual([id]);
  },
);

test('a change by a rule does not mark the listing as due', async () => {
  const id = await addListing(database.open.db, 'A-1');
  await nothingIsDue();
  await move(id, 20, 19, 'rule');
  expect(await due()).toEqual([]);
});

test('deleting or restoring a listing marks the same SKU on other channels as due, if a rule uses them', async () => {
  const { db } = database.open;
  const walmart = await addListing(db, 'A-1');
  const amazon = await addListing(db, 'A-1', { marketplace: 'amazon' });
  const remove = (deletedAt: typeof NOW | null) =>
    db.update(listings).set({ deletedAt }).where(eq(listings.id, amazon));
  await nothingIsDue();
  await remove(NOW);
  expect(await due()).toEqual([]);
  await remove(null);
  await addRule(db, { otherChannels: true });
  await nothingIsDue();
  await remove(NOW);
  expect(await due()).toEqual([walmart]);
  await nothingIsDue();
  await remove(null);
  expect((await due()).sort((a, b) => a - b)).toEqual([walmart, amazon]);
});
