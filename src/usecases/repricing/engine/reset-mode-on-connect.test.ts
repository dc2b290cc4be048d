import { asc, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { listings } from '#db/schema/listings.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { type Instant, minutes } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { beatenPrice, seedEngineShop } from '#tests/support/engine-shop.ts';
import { setLive } from '#tests/support/seed.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { engineStep } from './engine-loop.ts';
import { PlannedPages } from './planned-pages.ts';

let shop: TestApp;
let page: SettingsPage;
beforeEach(async () => {
  shop = await createTestApp();
  page = settingsPage(shop, await shop.admin());
});
afterEach(() => shop.close());

const save = async (over: Record<string, object>): Promise<void> => {
  const answer = await page.save(await page.withMarkets(over));
  expect(answer.statusCode, answer.body).toBe(200);
};
const live = async (): Promise<string[]> =>
  (
    await shop.db
      .select()
      .from(marketplaceModes)
      .where(eq(marketplaceModes.mode, 'live'))
      .orderBy(asc(marketplaceModes.marketplace))
  ).map(({ marketplace }) => marketplace);
const modeResets = () =>
  shop.db.select().from(auditLog).where(eq(auditLog.action, 'engine.disarmed')).orderBy(auditLog.id);

const WALMART = { enabled: true, clientId: 'c', clientSecret: 's' };
const AMAZON = { enabled: true, sellerId: 'A1', lwaClientId: 'c', lwaClientSecret: 's', refreshToken: 'r' };
const MICHAELS = { enabled: true, apiKey: 'k' };
const EBAY = { enabled: true, appId: 'a', certId: 'c', refreshToken: 'r' };
const ETSY = { enabled: true, keystring: 'k', sharedSecret: 's', refreshToken: 'r' };
const SHOPIFY = { enabled: true, storeUrl: 'one.myshopify.com', apiKey: 'k' };

describe('a live marketplace only recommends once', () => {
  test('its credentials are entered: no price is sent before a user has reviewed the plan', async () => {
    await seedEngineShop(shop.db, 1);
    await save({ walmart: WALMART });
    expect(await live()).toEqual([]);
    await untilIdle();
    expect(await shop.db.select().from(priceIntents)).toEqual([]);
    expect(await shop.db.select().from(listings).orderBy(listings.id)).toMatchObject([
      { recommendedPrice: beatenPrice(1) },
    ]);
    expect(await modeResets()).toMatchObject([
      {
        actor: 'boss@example.com',
        targetId: 'walmart',
        before: { live: ['walmart'] },
        after: { live: [], reason: expect.stringContaining('Walmart was connected') },
      },
    ]);
  });

  test('it is enabled again', async () => {
    await save({ walmart: WALMART });
    await setLive(shop.db, 'walmart');
    await save({ walmart: { enabled: false } });
    expect(await live()).toEqual(['walmart']);
    await save({ walmart: { enabled: true } });
    expect(await live()).toEqual([]);
  });

  test('its one missing credential is entered', async () => {
    await save({ walmart: { ...WALMART, clientId: '' } });
    await setLive(shop.db, 'walmart');
    await save({ walmart: { clientId: 'c' } });
    expect(await live()).toEqual([]);
  });

  test('Michaels may be sent prices', async () => {
    await save({ michaels: MICHAELS });
    await setLive(shop.db, 'michaels');
    await save({ michaels: { allowWrites: 'yes' } });
    expect(await live()).toEqual([]);
  });

  test.each([
    ['Walmart', 'walmart', WALMART, { clientId: 'other', clientSecret: 'other' }],
    ['Amazon', 'amazon', AMAZON, { sellerId: 'A2', lwaClientSecret: 's', refreshToken: 'other' }],
    ['Amazon', 'amazon', AMAZON, { region: 'eu', lwaClientSecret: 's', refreshToken: 'r' }],
    ['Amazon', 'amazon', AMAZON, { marketplaceId: 'A1F83G8C2ARO7P', refreshToken: 'r' }],
    ['Michaels', 'michaels', { ...MICHAELS, allowWrites: 'yes' }, { apiKey: 'other' }],
    ['eBay', 'ebay', EBAY, { refreshToken: 'other' }],
    ['eBay', 'ebay', EBAY, { marketplaceId: 'EBAY_GB' }],
    ['Etsy', 'etsy', ETSY, { refreshToken: 'other' }],
    ['Etsy', 'etsy', ETSY, { shopName: 'Mugs' }],
    ['Shopify', 'shopify', SHOPIFY, { storeUrl: 'two.myshopify.com', apiKey: 'other' }],
  ])('its keys may be those of another account: %s', async (name, marketplace, keys, other) => {
    await save({ [marketplace]: keys });
    await setLive(shop.db, marketplace as 'walmart');
    await setLive(shop.db, marketplace === 'etsy' ? 'ebay' : 'etsy');
    await save({ [marketplace]: other });
    expect(await live()).toEqual([marketplace === 'etsy' ? 'ebay' : 'etsy']);
    expect(await modeResets()).toMatchObject([
      {
        targetId: marketplace,
        after: { reason: `${name} may be another account now: it only recommends prices until you go live.` },
      },
    ]);
  });
});

describe('it stays live', () => {
  test.each([
    ['walmart', WALMART, { clientSecret: 'other' }],
    ['amazon', AMAZON, { lwaClientSecret: 'other' }],
    ['amazon', AMAZON, { region: 'na', marketplaceId: 'ATVPDKIKX0DER' }],
    ['ebay', EBAY, { certId: 'other' }],
    ['shopify', SHOPIFY, { apiKey: 'other' }],
  ] as const)('with other keys to the same account: %s', async (marketplace, keys, other) => {
    await save({ [marketplace]: keys });
    await setLive(shop.db, marketplace);
    await save({ [marketplace]: other });
    expect(await live()).toEqual([marketplace]);
    expect(await modeResets()).toEqual([]);
  });

  test('when something else is saved', async () => {
    await save({ walmart: WALMART, etsy: ETSY });
    await setLive(shop.db, 'walmart');
    await setLive(shop.db, 'shopify');
    await save({ etsy: { enabled: false } });
    await save({ amazon: AMAZON });
    expect(await live()).toEqual(['shopify', 'walmart']);
  });
});

test('prices queued for one account are not sent to another', async () => {
  await save({ walmart: WALMART });
  await seedEngineShop(shop.db, 1);
  await shop.db.insert(priceIntents).values({
    listingId: 1,
    marketplace: 'walmart',
    sequence: 1,
    idempotencyKey: 'one',
    price: 1900 as never,
    fromPrice: 2001 as never,
    marginFloor: 1500 as never,
    source: 'person',
    reason: 'Typed.',
    createdAt: shop.deps.now(),
    expiresAt: (shop.deps.now() + minutes(10)) as Instant,
  });
  await save({ walmart: { clientSecret: 'same account' } });
  expect(await shop.db.select().from(priceIntents)).toMatchObject([{ state: 'queued' }]);
  await save({ walmart: { clientId: 'other', clientSecret: 'other' } });
  expect(await shop.db.select().from(priceIntents)).toMatchObject([
    {
      state: 'expired',
      marketplaceMessage: 'The credentials of the marketplace were changed before the price was sent.',
    },
  ]);
});

async function untilIdle(): Promise<void> {
  const engine = {
    db: shop.db,
    now: () => NOW,
    batchSize: 100,
    isStopping: () => false,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    onUnexpectedError: (error: unknown) => expect(error).toBeNull(),
  };
  for (let steps = 0; steps < 100; steps++) if ((await engineStep(engine)) === 'idle') return;
  throw new Error('The engine never rests.');
}
