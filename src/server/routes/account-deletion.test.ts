import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccountDeletions } from '#connectors/ebay/account-deletion.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { type FakeService, startFakeService } from '#tests/support/fake-service.ts';
import { adminByLink } from '#tests/support/people.ts';
import { addListing } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { aMarketOffer } from '#tests/support/shop-connector.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runLoop } from '#usecases/background/supervised-loop.ts';
import { forgetSellersLoop } from '#usecases/marketplaces/events/account-deletion.ts';
import { ingestOffers } from '#usecases/marketplaces/sync/ingest-offers.ts';

const PATH = '/api/incoming/ebay/account-deletion';
const PUBLIC = 'https://prices.example.com';
const KEY_ID: string = randomUUID();
const PAIR = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let shop: TestApp;
let ebay: FakeService;
let cookie: string;

beforeEach(async () => {
  ebay = await startFakeService();
  ebay.on('POST', /oauth2\/token$/, () => ({ body: { access_token: 'app', expires_in: 7_200 } }));
  ebay.on('GET', new RegExp(`public_key/${KEY_ID}$`), () => ({
    body: {
      key: PAIR.publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', ''),
      algorithm: 'ECDSA',
      digest: 'SHA1',
    },
  }));
  await open();
});
afterEach(async () => {
  await shop.close();
  await ebay.close();
});

async function open(publicUrl: string | null = PUBLIC): Promise<void> {
  const options = { baseUrl: ebay.url, limits: { attempts: 1 } };
  shop = await createTestApp({
    connectors: { ebay: createEbay(options) },
    accountDeletions: createAccountDeletions(options),
    publicUrl,
  });
  cookie = await adminByLink(shop);
  const page = settingsPage(shop, cookie);
  // No refresh token yet: eBay asks before any seller can authorize.
  const saved = await page.save(
    await page.withMarkets({ ebay: { enabled: true, appId: 'app-1', certId: 'cert-1' } }),
  );
  expect(saved.statusCode, saved.body).toBe(200);
}

const messageOf = (username: string, userId = 'ma8vp1jySJC') =>
  JSON.stringify({
    metadata: { topic: 'MARKETPLACE_ACCOUNT_DELETION', schemaVersion: '1.0', deprecated: false },
    notification: { notificationId: '1', data: { username, userId, eiasToken: 'nY+sHZ2PrBmdj6wVnY+s' } },
  });

function send(body: string, signed = body, kid = KEY_ID) {
  const signature = createSign('SHA1').update(signed).sign(PAIR.privateKey, 'base64');
  const header = JSON.stringify({ alg: 'ecdsa', kid, signature, digest: 'SHA1' });
  return shop.post(PATH, undefined, {
    payload: body,
    remoteAddress: '203.0.113.7',
    headers: {
      host: 'prices.example.com',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/json',
      'x-ebay-signature': Buffer.from(header).toString('base64'),
    },
  });
}

const keyCalls = () => ebay.asked.filter(({ path }) => path.includes('public_key')).length;

async function forget(): Promise<void> {
  const stopping = new AbortController();
  const wait = async (): Promise<void> => stopping.abort();
  const onError = (error: unknown): void => {
    throw error;
  };
  const host = { stopping: stopping.signal, wait, rest: wait };
  await runLoop(forgetSellersLoop({ db: shop.db, now: shop.deps.now, onError }), host);
}

/** Two sellers besides us. */
async function readOffers(): Promise<number> {
  const listingId = await addListing(shop.db, 'E-1', { marketplace: 'ebay' });
  const offers = [
    { ...aMarketOffer(1_900), sellerName: 'Test_User' },
    { ...aMarketOffer(2_000), sellerName: 'other_seller' },
    { ...aMarketOffer(2_100), sellerName: 'our-shop', isOurs: true },
  ];
  const reading = { kind: 'offers' as const, listingId, seenAt: shop.deps.now(), offers };
  await shop.db.transaction((tx) =>
    ingestOffers(tx, 'ebay', [{ ...reading, coverage: 'all' }], 'sync', shop.deps.now()),
  );
  return listingId;
}

/** Every value of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const { rows } = await shop.db.execute<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: all } = await shop.db.execute(sql`SELECT t::text AS row FROM ${sql.identifier(name)} t`);
    texts.push(JSON.stringify(all));
  }
  return texts.join('\n');
}

describe('the challenge (C40)', () => {
  test('is answered with the hash of code, token and address, both of which Settings shows', async () => {
    const settings = async () => (await shop.get('/api/connections/ebay/account-deletion', cookie)).json();
    const { address, verificationToken } = await settings();
    expect(address).toBe(`${PUBLIC}${PATH}`);
    expect(verificationToken).toMatch(/^[A-Za-z0-9_-]{32,80}$/);
    const answer = await shop.get(`${PATH}?challenge_code=abc`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    const expected = createHash('sha256').update(`abc${verificationToken}${address}`).digest('hex');
    expect(answer.json()).toEqual({ challengeResponse: expected });
  });

  test.each([null, 'http://shop.example'])(
    'is refused with the public address %s, and Settings says that there is none',
    async (address) => {
      await shop.close();
      await open(address);
      const answer = await shop.app.inject({
        url: `${PATH}?challenge_code=abc`,
        headers: { host: address === null ? '127.0.0.1:5000' : 'shop.example' },
      });
      expect(answer.statusCode).toBe(409);
      const settings = await shop.get('/api/connections/ebay/account-deletion', cookie);
      expect(settings.json().address).toBeNull();
    },
  );

  test('has one token for each installation', async () => {
    const token = async () =>
      (await shop.get('/api/connections/ebay/account-deletion', cookie)).json().verificationToken;
    const before = await token();
    expect(await token()).toBe(before);
    await shop.db.execute(sql`UPDATE ebay_account_deletion SET key = repeat('ab', 32)`);
    expect(await token()).not.toBe(before);
  });
});

describe('a message about a deleted account (C40)', () => {
  test('deletes the offers of that seller alone; their listing counts as not read and comes first', async () => {
    const listingId = await readOffers();
    expect((await send(messageOf('test_user'))).statusCode).toBe(204);
    await forget();
    const { rows } = await shop.db.execute(
      sql`SELECT price, seller_key FROM competitor_offers ORDER BY price`,
    );
    expect(rows).toEqual([
      { price: '20.00', seller_key: expect.stringMatching(/^seller [0-9a-f]{4}$/) },
      { price: '21.00', seller_key: 'our-shop' },
    ]);
    const { rows: readings } = await shop.db.execute(
      sql`SELECT read_at, coverage FROM competition_readings WHERE listing_id = ${listingId}`,
    );
    expect(readings).toEqual([{ read_at: null, coverage: null }]);
    const { rows: due } = await shop.db.execute(sql`SELECT listing_id::int AS id FROM due_listings`);
    expect(due).toContainEqual({ id: listingId });
  });

  test('finds a seller by the ID, too, and stores nothing of users that we do not know', async () => {
    await readOffers();
    expect((await send(messageOf('new_name', 'other_seller'))).statusCode).toBe(204);
    expect((await send(messageOf('new_user', 'new_id'))).statusCode).toBe(204);
    const { rows } = await shop.db.execute(sql`SELECT count(*)::int AS n FROM deleted_ebay_sellers`);
    expect(rows).toEqual([{ n: 1 }]);
    const settings = await shop.get('/api/connections/ebay/account-deletion', cookie);
    expect(settings.json().noticedAt).toBe(new Date(shop.deps.now()).toISOString());
    await forget();
    const { rows: left } = await shop.db.execute(sql`SELECT price FROM competitor_offers ORDER BY price`);
    expect(left).toEqual([{ price: '19.00' }, { price: '21.00' }]);
  });

  test('leaves no name in any table, before or after', async () => {
    await readOffers();
    const names = /test_user|other_seller/i;
    expect(await wholeDatabase()).not.toMatch(names);
    await send(messageOf('test_user'));
    expect(await wholeDatabase()).not.toMatch(names);
  });

  test.each([
    ['with a changed name', () => send(messageOf('test_user'), messageOf('test_userx'))],
    ['with a key that eBay does not have', () => send(messageOf('test_user'), undefined, 'unknown-key')],
    ['without a signature', () => shop.post(PATH, undefined, { payload: messageOf('test_user') })],
    ['that is no JSON', () => send('username=test_user')],
  ])('%s is refused and deletes nothing', async (_, deliver) => {
    await readOffers();
    const answer = await deliver();
    expect([answer.statusCode, answer.json().code]).toEqual([412, 'invalid_signature']);
    await forget();
    const { rows } = await shop.db.execute(sql`SELECT count(*)::int AS n FROM competitor_offers`);
    expect(rows).toEqual([{ n: 3 }]);
  });

  test('needs the key once an hour, whatever the signature', async () => {
    for (const name of ['a', 'b', 'c']) await send(messageOf(name));
    await send(messageOf('d'), messageOf('e'));
    expect(keyCalls()).toBe(1);
  });

  test('is to be sent again while the key cannot be read, and counts then', async () => {
    await readOffers();
    ebay.faultsOnly(/public_key/);
    ebay.faults.push({ status: 500 });
    expect((await send(messageOf('test_user'))).statusCode).toBe(503);
    expect((await send(messageOf('test_user'))).statusCode).toBe(204);
  });

  test('of another topic is accepted and deletes nothing', async () => {
    await readOffers();
    const other = messageOf('test_user').replace('MARKETPLACE_ACCOUNT_DELETION', 'ITEM_SOLD');
    expect((await send(other)).statusCode).toBe(204);
    const { rows } = await shop.db.execute(sql`SELECT FROM deleted_ebay_sellers`);
    expect(rows).toEqual([]);
  });

  test('larger than 64 KB is refused', async () => {
    expect((await send(messageOf('x'.repeat(70_000)))).statusCode).toBe(413);
  });
});

describe('names of sellers on eBay', () => {
  const offers = async () =>
    (
      await shop.db.execute<{ name: string; hash: string | null }>(
        sql`SELECT seller_name AS name, seller_hash AS hash FROM competitor_offers ORDER BY price`,
      )
    ).rows;

  test('are labels, the same for each spelling, and other marketplaces keep names', async () => {
    await readOffers();
    const stored = await offers();
    expect(stored.map(({ name }) => name)).toEqual([
      `Seller ${stored[0]?.hash?.slice(0, 4)}`,
      `Seller ${stored[1]?.hash?.slice(0, 4)}`,
      'our-shop',
    ]);
    expect(stored.map(({ hash }) => hash)).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
      null,
    ]);
    const { rows } = await shop.db.execute<{ hash: string }>(
      sql`SELECT ebay_seller_hash('test_user') AS hash`,
    );
    expect(stored[0]?.hash).toBe(rows[0]?.hash);
    const walmart = await addListing(shop.db, 'E-1');
    const reading = {
      kind: 'offers' as const,
      listingId: walmart,
      seenAt: shop.deps.now(),
      coverage: 'all' as const,
      offers: [{ ...aMarketOffer(1_500), sellerName: 'Mug Town' }],
    };
    await shop.db.transaction((tx) => ingestOffers(tx, 'walmart', [reading], 'sync', shop.deps.now()));
    expect((await offers())[0]).toEqual({ name: 'Mug Town', hash: null });
  });

  test('become names when the seller is declared as ours, and labels again when not', async () => {
    await readOffers();
    const declare = (names: string[]) =>
      shop.post(
        '/api/own-sellers',
        { marketplaces: [{ marketplace: 'ebay', names }] },
        { method: 'PUT', headers: { cookie } },
      );
    const before = await offers();
    const declared = await declare(['Test_User']);
    expect(declared.statusCode, declared.body).toBe(200);
    expect((await offers())[0]).toEqual({ name: 'Test_User', hash: null });
    await declare([]);
    expect(await offers()).toEqual(before);
  });
});
