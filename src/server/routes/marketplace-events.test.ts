import { createHash, createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createShopifyWebhooks } from '#connectors/shopify/shopify-webhooks.ts';
import { createWalmartWebhooks } from '#connectors/walmart/walmart-webhooks.ts';
import { fakeConnector } from '#tests/support/fake-connector.ts';
import { adminByLink } from '#tests/support/people.ts';
import { addListing } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { purgeEvents } from '#usecases/marketplaces/events/receive-event.ts';

const SECRET = 'shpss_of_the_app';
const WALMART_SECRET = 'walmart-client-secret';
/** The signing secret that Walmart was given. */
const OUR_SECRET = createHmac('sha256', WALMART_SECRET)
  .update('Pricewright signs events with this')
  .digest('hex');
const CONNECTORS = {
  shopify: fakeConnector('shopify').connector,
  walmart: fakeConnector('walmart').connector,
};
const WEBHOOKS = {
  shopify: createShopifyWebhooks({ baseUrl: 'https://myshopify.com' }),
  walmart: createWalmartWebhooks({ baseUrl: 'https://marketplace.walmartapis.com' }),
};

let shop: TestApp;
afterEach(() => shop.close());
beforeEach(() => open());

async function open(publicUrl: string | null = 'https://prices.example.com'): Promise<void> {
  shop = await createTestApp({ connectors: CONNECTORS, marketplaceEvents: WEBHOOKS, publicUrl });
  const page = settingsPage(shop, await adminByLink(shop));
  const answer = await page.save(
    await page.withMarkets({
      shopify: { enabled: true, storeUrl: 'mugs.myshopify.com', apiKey: 'shpat_1', clientSecret: SECRET },
      walmart: { enabled: true, clientId: 'id', clientSecret: WALMART_SECRET },
    }),
  );
  expect(answer.statusCode, answer.body).toBe(200);
}

const hmac = (body: string, secret: string, encoding: 'base64' | 'hex' = 'base64') =>
  createHmac('sha256', secret).update(body).digest(encoding);

/** As a program sends it: no session, and from any address. */
function send(marketplace: string, payload: string, headers: Record<string, string>, from = '203.0.113.7') {
  return sendTo(`/api/webhooks/${marketplace}`, payload, headers, from);
}

function sendTo(path: string, payload: string, headers: Record<string, string>, from: string) {
  return shop.post(path, undefined, {
    payload,
    remoteAddress: from,
    headers: {
      host: '127.0.0.1:5000',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/json',
      ...headers,
    },
  });
}

const moment = (ago = 0) => new Date(shop.deps.now() - ago).toISOString();
const order = (id = 1, ago = 0) => JSON.stringify({ id, updated_at: moment(ago) });
const ofShopify = (body: string, topic = 'orders/create', signature = hmac(body, SECRET)) =>
  send('shopify', body, { 'x-shopify-topic': topic, 'x-shopify-hmac-sha256': signature });
const walmartEvent = (eventType: string, sku?: string, ago = 0) =>
  JSON.stringify({
    source: { eventType, eventTime: moment(ago), eventId: `${eventType} ${sku}` },
    payload: sku === undefined ? {} : { itemInfo: { itemId: '1', sku } },
  });
const ofWalmart = (body: string, signature = hmac(body, OUR_SECRET)) =>
  send('walmart', body, { 'x-pricewright-signature': signature });

const syncRequests = async () =>
  (await shop.db.execute(sql`SELECT marketplace, kind AS what FROM sync_requests ORDER BY 1, 2`)).rows;
const HOUR = 3_600_000;

describe('an event that is signed', () => {
  test.each([
    ['orders/create', ['sales']],
    ['orders/updated', ['sales']],
    ['products/update', ['listings']],
    ['app/uninstalled', []],
  ])('of Shopify: %s', async (topic, kinds) => {
    const answer = await ofShopify(order(), topic);
    expect([answer.statusCode, answer.json()]).toEqual([200, { accepted: true }]);
    expect(await syncRequests()).toEqual(kinds.map((what) => ({ marketplace: 'shopify', what })));
  });

  test.each([
    ['PO_CREATED', ['sales']],
    ['BUY_BOX_CHANGED', ['offers']],
    ['OFFER_UNPUBLISHED', ['listings']],
    ['REPORT_STATUS', []],
  ])('of Walmart: %s', async (type, kinds) => {
    expect((await ofWalmart(walmartEvent(type))).statusCode).toBe(200);
    expect(await syncRequests()).toEqual(kinds.map((what) => ({ marketplace: 'walmart', what })));
  });

  test('counts once, whether its subscription has the current address or the former one', async () => {
    const body = order();
    const headers = { 'x-shopify-topic': 'orders/create', 'x-shopify-hmac-sha256': hmac(body, SECRET) };
    for (const path of ['/api/incoming/shopify', '/api/webhooks/shopify']) {
      expect((await sendTo(path, body, headers, '203.0.113.7')).statusCode).toBe(200);
      expect(await syncRequests()).toEqual([{ marketplace: 'shopify', what: 'sales' }]);
      expect((await shop.db.execute(sql`SELECT FROM webhook_events`)).rows).toHaveLength(1);
    }
  });

  test('of Walmart may be signed in hex', async () => {
    const body = walmartEvent('PO_CREATED');
    expect((await ofWalmart(body, hmac(body, OUR_SECRET, 'hex'))).statusCode).toBe(200);
    expect(await syncRequests()).toHaveLength(1);
  });

  test('of the buy box syncs the offers of its listing first, and of no other', async () => {
    for (const sku of ['A-1', 'A-2']) {
      const id = await addListing(shop.db, sku, { marketplace: 'walmart' });
      await shop.db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, offers_read_at)
        VALUES (${id}, '{}', true, now(), now())`);
    }
    await ofWalmart(walmartEvent('BUY_BOX_CHANGED', 'A-1'));
    const { rows } = await shop.db.execute(sql`SELECT sku FROM listings JOIN marketplace_listings m
      ON m.listing_id = listings.id WHERE m.offers_read_at IS NULL`);
    expect(rows).toEqual([{ sku: 'A-1' }]);
  });

  test('of the buy box reports the sellers, once, and not after a newer one (C38)', async () => {
    await addListing(shop.db, 'W-1', { marketplace: 'walmart' });
    const named = (sellerName: string, price: number) => ({
      sellerName,
      sellerOfferPrice: price,
      sellerShippingPrice: 0,
      isWFS: false,
    });
    const reported = (eventId: string, lowest: number, ago: number) => {
      const offers = [named('Walmart.com', lowest), named('Competitor A', 20.5), named('Our Shop', 19.99)];
      return JSON.stringify({
        source: { eventType: 'BUY_BOX_CHANGED', eventTime: moment(ago), eventId },
        payload: {
          itemInfo: { itemId: '1', sku: 'W-1', itemCondition: 'New', totalNumberOfOffers: 3 },
          offer: { currentOffer: offers[2], winningOffer: offers[0], offers },
        },
      });
    };
    const stored = async () =>
      (
        await shop.db.execute(sql`SELECT seller_name AS seller, price::float8 AS price, is_featured AS featured,
          is_marketplace AS itself, is_ours AS ours FROM competitor_offers ORDER BY price`)
      ).rows;
    const body = reported('1', 18.49, 60_000);
    for (const event of [body, body, reported('2', 15, 120_000)]) {
      expect((await ofWalmart(event)).statusCode).toBe(200);
      expect(await stored()).toEqual([
        { seller: 'Walmart.com', price: 18.49, featured: true, itself: true, ours: false },
        { seller: 'Our Shop', price: 19.99, featured: false, itself: false, ours: true },
        { seller: 'Competitor A', price: 20.5, featured: false, itself: false, ours: false },
      ]);
    }
    await ofWalmart(reported('3', 18, 0));
    expect((await stored())[0]).toMatchObject({ price: 18 });
  });

  test('is shown as the last event, and changes nothing else', async () => {
    await shop.db.execute(
      sql`INSERT INTO event_subscriptions (marketplace, since) VALUES ('shopify', ${moment(HOUR)}::timestamptz)`,
    );
    const audits = async () => (await shop.db.execute(sql`SELECT FROM audit_log`)).rows.length;
    const before = await audits();
    await ofShopify(order());
    const list = (await shop.get('/api/connections', await shop.logIn('boss@example.com'))).json();
    const { eventSubscription } = list.marketplaces.find(
      ({ marketplace }: { marketplace: string }) => marketplace === 'shopify',
    );
    expect(eventSubscription).toEqual({
      since: moment(HOUR),
      lastAt: moment(),
      problem: null,
      failed: false,
    });
    const logIns = 1;
    expect(await audits()).toBe(before + logIns);
  });
});

describe('a repeated event', () => {
  test('counts as accepted and triggers no sync', async () => {
    const body = order();
    await ofShopify(body);
    await shop.db.execute(sql`DELETE FROM sync_requests`);
    expect((await ofShopify(body)).statusCode).toBe(200);
    expect((await ofShopify(body, 'orders/updated')).statusCode).toBe(200);
    expect(await syncRequests()).toEqual([]);
    await ofShopify(order(2));
    expect(await syncRequests()).toHaveLength(1);
  });

  test('is recognized for as long as it could be new, and then deleted', async () => {
    const body = order();
    await ofShopify(body);
    const purge = async () => {
      await purgeEvents(shop.db, shop.deps.now());
      return (await shop.db.execute(sql`SELECT FROM webhook_events`)).rows.length;
    };
    shop.advance(95 * HOUR);
    expect(await purge()).toBe(1);
    shop.advance(2 * HOUR);
    expect(await purge()).toBe(0);
    await shop.db.execute(sql`DELETE FROM sync_requests`);
    expect((await ofShopify(body)).statusCode).toBe(200);
    expect(await syncRequests()).toEqual([]);
  });

  test.each([
    ['from two days ago', 49 * HOUR],
    ['from the future', -HOUR],
  ])('%s by its own signed time is no news', async (_, ago) => {
    expect((await ofShopify(order(1, ago))).statusCode).toBe(200);
    expect((await ofWalmart(walmartEvent('PO_CREATED', undefined, ago))).statusCode).toBe(200);
    expect(await syncRequests()).toEqual([]);
  });
});

describe('an event without a valid signature', () => {
  const refused = {
    statusCode: 401,
    message: 'The signature of this event is invalid.',
  };
  const seen = (answer: Awaited<ReturnType<typeof send>>) => ({
    statusCode: answer.statusCode,
    message: answer.json().message,
  });

  test.each<[string, (body: string) => string]>([
    ['with another secret', (body) => hmac(body, 'another')],
    ['over other bytes', (body) => hmac(`${body} `, SECRET)],
    ['cut off', (body) => hmac(body, SECRET).slice(0, 20)],
    ['with nothing', () => ''],
    ['with something that is no signature', () => 'none'],
    ['with a plain hash', (body) => createHash('sha256').update(body).digest('base64')],
  ])('%s is refused, and nothing is read', async (_, sign) => {
    const body = order();
    expect(seen(await ofShopify(body, 'orders/create', sign(body)))).toEqual(refused);
    expect(await syncRequests()).toEqual([]);
    expect((await shop.db.execute(sql`SELECT FROM webhook_events`)).rows).toEqual([]);
  });

  test("and one signed with Walmart's client secret itself", async () => {
    const body = walmartEvent('PO_CREATED');
    expect(seen(await ofWalmart(body, hmac(body, WALMART_SECRET)))).toEqual(refused);
  });

  test('gets the same response without a store, a secret or a public address', async () => {
    await shop.db.execute(sql`UPDATE app_settings SET shopify_enabled = false`);
    expect(seen(await ofShopify(order()))).toEqual(refused);
    await shop.db.execute(sql`UPDATE app_settings SET shopify_enabled = true`);
    await shop.db.execute(sql`DELETE FROM connector_credentials WHERE name = 'clientSecret'`);
    expect(seen(await ofShopify(order()))).toEqual(refused);
    await shop.close();
    await open(null);
    expect(seen(await ofShopify(order()))).toEqual(refused);
  });

  test('leaves no trace of what was sent in the log', async () => {
    await ofShopify('{"secret":"of a stranger"}', 'orders/create', 'none');
    expect(shop.log.join('')).toMatch(/webhook event rejected: invalid signature/);
    expect(shop.log.join('')).not.toMatch(/of a stranger/);
  });
});

describe('the endpoint', () => {
  test('accepts no body beyond its limit, and no missing one', async () => {
    expect((await ofShopify('x'.repeat(262_145))).statusCode).toBe(413);
    expect((await send('shopify', '', {})).statusCode).toBe(400);
  });

  test('has two marketplaces', async () => {
    expect((await send('amazon', '{}', {})).statusCode).toBe(400);
  });

  test('limits the events per network and minute, separately for each network', async () => {
    for (let at = 0; at < 600; at++) await send('shopify', '', {});
    const refused = await ofShopify(order());
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await send('shopify', '', {}, '198.51.100.9')).statusCode).toBe(400);
    shop.advance(60_000);
    expect((await ofShopify(order())).statusCode).toBe(200);
  });
});
