import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createShopifyWebhooks } from '#connectors/shopify/shopify-webhooks.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { createWalmartWebhooks } from '#connectors/walmart/walmart-webhooks.ts';
import { listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { cents } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { syncWhatIsDue } from '#tests/support/sync-what-is-due.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type RunningLoop, startLoops } from '#usecases/background/supervised-loop.ts';
import { subscriptionLoops } from '#usecases/marketplaces/events/maintain-subscriptions.ts';

const POLLING = { interval: 50 };
const MINUTE = 60_000;
/** Longer than any message takes in this world. */
const DELIVERY = 2 * MINUTE;

let sandbox: Sandbox;
let shop: TestApp;
let publicUrl: string;
let subscribing: RunningLoop;
beforeEach(async () => {
  sandbox = await openSandboxShop();
  const now = () => sandbox.world.now();
  const { shopify, walmart } = sandbox.addresses;
  const marketplaceEvents = {
    shopify: createShopifyWebhooks({ baseUrl: shopify }),
    walmart: createWalmartWebhooks({ baseUrl: walmart }),
  };
  // What a rate budget makes a connector wait for passes in the world, which rests otherwise.
  const clock = { now, wait: async (milliseconds: number) => pass(sandbox, milliseconds) };
  const connectors = {
    shopify: createShopify({ baseUrl: shopify, ...clock }),
    walmart: createWalmart({ baseUrl: walmart, ...clock }),
  };
  // The address for browsers; the sandbox sends its events there.
  shop = await createTestApp({ now, marketplaceEvents, connectors, publicUrl: 'http://127.0.0.1' });
  publicUrl = await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const cookie = await shop.admin();
  const page = settingsPage(shop, cookie);
  const saved = await page.save(
    await page.withMarkets({
      shopify: { enabled: true, ...sandbox.credentials.shopify },
      walmart: { enabled: true, ...sandbox.credentials.walmart },
    }),
  );
  expect(saved.statusCode, saved.body).toBe(200);
  const { connections } = shop.deps;
  subscribing = startLoops(
    subscriptionLoops(
      { db: shop.db, now, owner: 'us', connections, publicUrl, onError: expect.fail },
      marketplaceEvents,
    ),
  );
  await expect
    .poll(
      async () =>
        (await shop.db.execute(sql`SELECT FROM event_subscriptions WHERE since IS NOT NULL`)).rows.length,
      POLLING,
    )
    .toBe(2);
});
afterEach(async () => {
  await subscribing.stop();
  await shop.close();
  await sandbox.close();
});

const requests = async (): Promise<string[]> =>
  (
    await shop.db.execute<{ request: string }>(
      sql`SELECT marketplace || ' ' || kind AS request FROM sync_requests ORDER BY 1`,
    )
  ).rows.map(({ request }) => request);

/** Syncs of the store what is due. @returns the start of the last sync of each kind */
async function readShopify(): Promise<ReadonlyMap<string, number>> {
  const state = await shop.deps.connections.stateOf('shopify');
  if (state.kind !== 'connected') throw new Error(state.kind);
  const reading = { connection: state.connection, signal: new AbortController().signal };
  await syncWhatIsDue({ db: shop.db, now: sandbox.world.now }, reading);
  const rows = (await listSyncs(shop.db)).filter(({ marketplace }) => marketplace === 'shopify');
  return new Map(rows.map(({ kind: what, startedAt }) => [what, startedAt]));
}

test('a change there is sent, signed, accepted, and synced long before its interval', async () => {
  const shopify = sandbox.world.market('shopify');
  const sku = shopify.items()[0]?.sku ?? '';
  const first = await readShopify();
  expect(await requests()).toEqual([]);
  shopify.edit(sku, { price: cents(1_234) });
  pass(sandbox, DELIVERY);
  await expect.poll(requests, POLLING).toContain('shopify listings');
  pass(sandbox, 10 * MINUTE);
  const requested = sandbox.world.now();
  expect(requested - (first.get('listings') ?? 0)).toBeLessThan(20 * MINUTE);
  const second = await readShopify();
  expect(second.get('listings')).toBeGreaterThanOrEqual(requested);
  // A list alone adopts no price: the item is read next.
  const { rows } = await shop.db.execute(
    sql`SELECT s.price FROM suspect_prices s JOIN listings l ON l.id = s.listing_id WHERE l.sku = ${sku}`,
  );
  expect(rows).toEqual([{ price: '12.34' }]);
});

test('orders and the buy box are sent as well', async () => {
  const [shopify, walmart] = [sandbox.world.market('shopify'), sandbox.world.market('walmart')];
  const orders = shopify.orders().length;
  while (shopify.orders().length === orders) pass(sandbox, 10 * MINUTE);
  pass(sandbox, DELIVERY);
  await expect.poll(requests, POLLING).toContain('shopify sales');
  walmart.edit(walmart.items()[0]?.sku ?? '', { price: cents(999) });
  pass(sandbox, DELIVERY);
  await expect.poll(requests, POLLING).toContain('walmart offers');
});
