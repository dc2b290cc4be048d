import { randomUUID } from 'node:crypto';
import type { Db } from '#db/client.ts';
import {
  findReturnedSale,
  hasFlag,
  seedBundles,
  seedListings,
  seedRules,
  seedSellers,
  seedSkus,
  seedTiers,
  setFlag,
} from '#db/queries/demo/seed.ts';
import { insertUser, listUsers } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { type Bps, bps, cents, hours, type Instant, instant, ounces } from '#domain/units.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import { restockSale } from '#usecases/catalog/sales/restock-sale.ts';
import type { PasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { demoBundles, demoListings, demoSkus, PARCELS } from './demo-catalog.ts';
import { DEMO_LOGIN } from './demo-login.ts';
import { DEMO_SELLER } from './demo-market.ts';
import { belowFloorStory, blockedStories, type DemoStories, warStory } from './demo-stories.ts';
import { makeHistory, type SeededListing } from './make-history.ts';
import { seededRandom } from './seeded-random.ts';

const DAYS = 90;
/** Seed of the sample store's random values. */
export const DEMO_SEED = 20_261_121;
/** The largest weight that warehouses accept, in ounces. */
const LARGEST_WEIGHT = 200;

/**
 * Fills an empty database with a sample store: users, 600 listings on six marketplaces, costs, tiers, bundles, rules,
 * 90 days of offers, prices and sales. It only recommends at first, like every new installation.
 * @returns false when the database is not empty
 */
export async function seedDemo(db: Db, passwords: PasswordHasher, now: Instant): Promise<boolean> {
  if (await hasFlag(db, 'demo')) return false;
  if ((await listUsers(db)).length > 0) return false;
  const password = await passwords.hash(DEMO_LOGIN.password);
  await transact(db, async (tx) => {
    await seedUsers(tx, password, now);
    const listings = await seedStore(tx, (now - hours(24 * DAYS)) as Instant);
    const ofMoney = seededRandom(DEMO_SEED + 3);
    await makeHistory(tx, listings, seededRandom(DEMO_SEED + 1), ofMoney, DAYS, now);
    await restockOne(tx, now);
    await setFlag(tx, 'demo', now);
  });
  return true;
}

/** One return came back undamaged, and the administrator said so. */
async function restockOne(tx: Db, now: Instant): Promise<void> {
  const owner = (await listUsers(tx)).find(({ email }) => email === DEMO_LOGIN.email);
  const sale = await findReturnedSale(tx);
  if (owner === undefined || sale === null) return;
  const editor = { id: owner.id, name: owner.username, address: '127.0.0.1', requestId: randomUUID() };
  await restockSale(tx, { id: sale, units: 1 }, editor, now);
  while (await computeDueSales(tx, now));
}

const APPROVED = { approved: true, emailVerified: true } as const;

/** Two active users, one without approval, one with an unverified address. */
async function seedUsers(tx: Db, password: string, now: Instant): Promise<void> {
  const users = [
    { email: DEMO_LOGIN.email, fullName: 'Dana Demo', role: 'admin', ...APPROVED },
    { email: 'sam@example.com', fullName: 'Sam Staff', role: 'user', ...APPROVED },
    { email: 'pia@example.com', fullName: 'Pia Packer', role: 'user', ...APPROVED, approved: false },
    { email: 'noe@example.com', fullName: 'Noé Buyer', role: 'user', approved: false, emailVerified: false },
  ] as const;
  for (const [index, user] of users.entries()) {
    const account = { ...user, username: user.email, password, phoneNumber: `+1 555 010${index}` };
    // One after the other, so that lists keep this order.
    await insertUser(tx, account, instant(now + index));
  }
}

async function seedStore(tx: Db, since: Instant): Promise<SeededListing[]> {
  const random = seededRandom(DEMO_SEED);
  const products = demoSkus(random);
  const bundles = demoBundles(random, products);
  const listings = demoListings(random, products, bundles);
  const stories = [blockedStories(since), belowFloorStory(since), warStory(since)];
  await seedRules(tx, rulesOf(since));
  await seedTiers(tx, tiersOf());
  await seedSellers(
    tx,
    MARKETPLACES.map((marketplace) => ({ marketplace, name: DEMO_SELLER, sellerKey: keyOf(DEMO_SELLER) })),
  );
  const dated = { createdAt: since, updatedAt: since };
  const own = products.map(({ tags, ...sku }) => ({ ...sku, ...dated, tags: [...tags] }));
  const ids = await seedSkus(tx, [...own, ...stories.flatMap(({ skus }) => skus)]);
  await seedBundles(
    tx,
    bundles.flatMap(({ listingSku, parts }) =>
      parts.map(({ sku, quantity }) => ({ listingSku, componentSkuId: ids.get(sku) ?? 0, quantity })),
    ),
  );
  // The stories replace as many ordinary listings, so that there are 600.
  const kept = listings.slice(0, listings.length - countOf(stories));
  const seeded = await seedListings(
    tx,
    kept.map(({ marketPrice, ...listing }) => ({
      ...listing,
      ...dated,
      currentPrice: marketPrice,
      anchorPrice: marketPrice,
    })),
  );
  const storyIds = await seedListings(
    tx,
    stories.flatMap(({ listings: rows }) => rows),
  );
  return [
    ...kept.map((listing, index) => ({ ...listing, id: seeded[index] ?? 0, isStory: false })),
    ...storyListings(stories, storyIds),
  ];
}

function storyListings(stories: readonly DemoStories[], ids: readonly number[]): SeededListing[] {
  return stories
    .flatMap(({ listings }) => listings)
    .map(({ marketplace = 'walmart', sku, title, fulfillmentType, currentPrice }, index) => ({
      marketplace,
      sku,
      title,
      fulfillmentType,
      id: ids[index] ?? 0,
      isStory: true,
      fulfillmentCost: null,
      shippingCharge: cents(0),
      marketPrice: currentPrice,
    }));
}

function countOf(stories: readonly DemoStories[]): number {
  return stories.reduce((count, { listings }) => count + listings.length, 0);
}

function tiersOf(): Parameters<typeof seedTiers>[1] {
  const starts = [0, ...PARCELS.map(({ below }) => below)];
  return MARKETPLACES.flatMap((marketplace) => [
    ...PARCELS.map(({ below, cost }, index) => ({
      marketplace,
      fulfillmentType: 'FBM' as const,
      cost: cents(cost),
      minWeightOz: ounces(starts[index] ?? 0),
      maxWeightOz: ounces(below),
    })),
    {
      marketplace,
      fulfillmentType: 'FBA/WFS' as const,
      cost: cents(0),
      minWeightOz: ounces(0),
      maxWeightOz: ounces(LARGEST_WEIGHT),
    },
  ]);
}

function rulesOf(createdAt: Instant): Parameters<typeof seedRules>[1] {
  const percent = (share: number): Bps => bps(share * 100);
  const rule = { createdAt, updatedAt: createdAt };
  return [
    {
      ...rule,
      name: 'Beat the lowest on Walmart',
      marketplace: 'walmart',
      fulfillmentType: 'All',
      strategy: 'Beat Competitor',
      minimumMargin: percent(12),
      competitorOffset: cents(5),
    },
    {
      ...rule,
      name: 'Match FBA sellers',
      marketplace: 'amazon',
      fulfillmentType: 'FBA/WFS',
      strategy: 'Match Competitor',
      minimumMargin: percent(15),
    },
    {
      ...rule,
      name: 'Beat merchants on Amazon',
      marketplace: 'amazon',
      fulfillmentType: 'FBM',
      strategy: 'Beat Competitor',
      minimumMargin: percent(15),
      filterMinRating: percent(90),
    },
    {
      ...rule,
      name: 'Follow the market on eBay',
      marketplace: 'ebay',
      fulfillmentType: 'All',
      strategy: 'Dynamic Pricing',
      minimumMargin: percent(12),
    },
    {
      ...rule,
      name: 'Steady margin',
      fulfillmentType: 'All',
      strategy: 'Fixed Margin',
      minimumMargin: percent(30),
    },
  ];
}

function keyOf(name: string): string {
  const key = sellerKey(name);
  if (key === null) throw new Error('The sample shop needs a name.');
  return key;
}
