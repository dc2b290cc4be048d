import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import type { SellerKey } from '#domain/competition/offer.ts';
import { NOW } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addRule } from '#tests/support/seed.ts';
import { aMarketOffer } from '#tests/support/shop-connector.ts';
import { ingestOffers } from '#usecases/marketplaces/sync/ingest-offers.ts';
import { ignoringLabels } from './ignored-labels.ts';
import { loadPricingContext } from './pricing-context.ts';

let database: RecycledDatabase;
let db: Db;
beforeEach(async () => {
  database = await borrowDatabase();
  db = database.open.db;
});
afterEach(() => database.giveBack());

/** The key under which an offer of this seller on eBay is stored. */
async function storedKey(sellerName: string): Promise<SellerKey> {
  const listingId = await addListing(db, 'E-1', { marketplace: 'ebay' });
  const offers = [{ ...aMarketOffer(1_900), sellerName }];
  const reading = { kind: 'offers' as const, listingId, seenAt: NOW, offers, coverage: 'all' as const };
  await db.transaction((tx) => ingestOffers(tx, 'ebay', [reading], 'sync', NOW));
  const { rows } = await db.execute<{ key: SellerKey }>(sql`SELECT seller_key AS key FROM competitor_offers`);
  const [row] = rows;
  if (row === undefined) throw new Error('The offer was not stored.');
  return row.key;
}

test('a seller ignored by name is ignored on eBay, where only the label of that name is stored', async () => {
  const key = await storedKey('Mug_Town');
  const ignoring = await addRule(db, { filterIgnoreSellers: ['mug_town'] });
  const other = await addRule(db, { filterIgnoreSellers: ['cup_town'] });
  const { ruleById } = await loadPricingContext(db, NOW);
  const ignored = (id: number) => ruleById.get(String(id))?.filter?.ignoreSellers;
  expect(ignored(ignoring)).toEqual(new Set(['mug_town', key]));
  expect(ignored(other)?.has(key)).toBe(false);
});

test('a seller can be ignored by the label that is shown, and a rule without a filter stays as it is', async () => {
  const key = await storedKey('Mug_Town');
  const filter = {
    minRating: null,
    minRatingCount: null,
    maxHandlingDays: null,
    fulfillmentType: null,
    ignoreSellers: new Set([key]),
  };
  const [byLabel, plain] = await ignoringLabels(db, [{ filter }, { filter: null }]);
  expect(byLabel?.filter?.ignoreSellers.has(key)).toBe(true);
  expect(plain).toEqual({ filter: null });
});
