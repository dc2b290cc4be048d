import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { buildApp } from '#server/app.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';

let shop: TestApp;
let cookie: string;
let page: SettingsPage;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  page = settingsPage(shop, cookie);
});
afterEach(() => shop.close());

const MASK = '********';
const CANARY = 'canary-5up3r-s3cr3t';

const read = (): Promise<Settings> => page.read();
const market = async (over: Record<string, object>) => page.save(await page.withMarkets(over));

const QUEUE = 'https://sqs.us-east-1.amazonaws.com/123456789012/offers';
const AMAZON = {
  refreshToken: CANARY,
  region: 'eu',
  marketplaceId: 'A1F83G8C2ARO7P',
  sqsQueueUrl: QUEUE,
  awsRegion: 'us-east-1',
  sqsQueueArn: 'arn:aws:sqs:us-east-1:123456789012:offers',
  awsAccessKeyId: 'AKIA1234567890ABCDEF',
  awsSecretAccessKey: CANARY,
  credentialExpiresAt: '2027-05-31',
  quotesPrices: 'yes',
  ignorePriceLimits: 'yes',
};
const ALL = {
  walmart: { feedVersion: '2.0.20270101' },
  amazon: AMAZON,
  michaels: { allowWrites: 'yes' },
  ebay: {
    ruName: 'Ann-Shop-abc',
    refreshToken: CANARY,
    refreshTokenExpiresAt: '2027-05-31',
    marketplaceId: 'EBAY_US',
    username: 'annshop',
    ignorePriceLimits: 'yes',
    raiseBestOffers: 'yes',
  },
  etsy: { sharedSecret: CANARY, refreshToken: CANARY },
  shopify: { clientId: 'abc', clientSecret: CANARY, repriceOnSale: 'yes' },
};

/** How many rows there are, and what they hold. */
async function rowsOf(): Promise<{ count: number; text: string }> {
  const { rows } = await shop.db.execute<{ count: number; text: string }>(sql`
    SELECT count(*)::int AS count, coalesce(string_agg(c::text, ' '), '') AS text FROM connector_credentials c`);
  return rows[0] ?? { count: 0, text: '' };
}

describe('optional members of connectors', () => {
  test('are in no response until they are set; then secrets are masked and the rest is shown', async () => {
    const fresh = (await read()).marketplaces;
    expect(Object.keys(fresh.amazon)).toEqual(['enabled', 'sellerId', 'lwaClientId', 'lwaClientSecret']);
    const saved = await market(ALL);
    expect(saved.statusCode, saved.body).toBe(200);
    const shown = (await read()).marketplaces;
    expect(shown.amazon).toEqual({
      enabled: false,
      sellerId: '',
      lwaClientId: '',
      lwaClientSecret: '',
      ...AMAZON,
      refreshToken: MASK,
      awsSecretAccessKey: MASK,
    });
    expect(shown.ebay).toMatchObject({ ...ALL.ebay, refreshToken: MASK });
    expect(shown.etsy).toMatchObject({ sharedSecret: MASK, refreshToken: MASK });
    expect(shown.shopify).toMatchObject({ clientId: 'abc', clientSecret: MASK });
    expect(shown.michaels).toMatchObject({ allowWrites: 'yes' });
    expect(shown.walmart).toMatchObject({ feedVersion: '2.0.20270101' });
  });

  test('are stored encrypted, all of them, and are in no log, response or audit row', async () => {
    const answers = [await market(ALL), await shop.get('/api/settings', cookie)];
    for (const { body } of answers) expect(body).not.toContain(CANARY);
    expect(shop.log.join('')).not.toContain(CANARY);
    const { count, text } = await rowsOf();
    expect(count).toBe(25);
    expect(text).not.toMatch(/canary|EBAY_US|offers/);
    const [row] = await auditOf(shop.db, 'settings.saved');
    expect(JSON.stringify(row)).not.toContain(CANARY);
    expect(row?.after).toMatchObject({
      marketplaces: { ebay: { username: 'annshop', refreshToken: MASK } },
      replacedSecrets: [
        ...['amazonRefreshToken', 'amazonAwsSecretAccessKey', 'ebayRefreshToken', 'etsySharedSecret'],
        ...['etsyRefreshToken', 'shopifyClientSecret'],
      ],
    });
  });

  test('stay when a save omits or masks them, and are removed when sent empty', async () => {
    await market(ALL);
    const before = await rowsOf();
    const settings = await read();
    const { walmart, amazon, michaels, ebay, etsy, shopify } = settings.marketplaces;
    const { enabled, sellerId, lwaClientId, lwaClientSecret } = amazon;
    const marketplaces = {
      walmart,
      michaels,
      ebay,
      etsy,
      shopify,
      amazon: { enabled, sellerId, lwaClientId, lwaClientSecret },
    };
    expect((await page.save({ ...settings, marketplaces })).statusCode).toBe(200);
    expect(await rowsOf()).toEqual(before);
    await market({ amazon: { refreshToken: '', region: '' }, michaels: { allowWrites: '' } });
    expect((await rowsOf()).count).toBe(22);
    const after = (await read()).marketplaces;
    expect(after.amazon).not.toHaveProperty('refreshToken');
    expect(after.amazon).not.toHaveProperty('region');
    expect(after.michaels).toEqual({ enabled: false, apiKey: '' });
  });

  test('a mask where nothing is stored stores nothing', async () => {
    await market({ etsy: { refreshToken: MASK } });
    expect((await rowsOf()).count).toBe(0);
  });

  test('a member takes no invalid value', async () => {
    for (const [marketplace, name, value] of [
      ['amazon', 'region', 'us'],
      ['amazon', 'marketplaceId', 'US'],
      ['amazon', 'sqsQueueUrl', 'https://sqs.us-east-1.amazonaws.com.evil.example/123456789012/offers'],
      ['amazon', 'sqsQueueUrl', 'http://169.254.169.254/latest'],
      ['amazon', 'sqsQueueArn', 'offers'],
      ['amazon', 'awsRegion', 'us east'],
      ['amazon', 'awsAccessKeyId', 'short'],
      ['ebay', 'refreshTokenExpiresAt', '31 May'],
      ['ebay', 'refreshTokenExpiresAt', '2027-02-30'],
      ['ebay', 'marketplaceId', 'US'],
      ['michaels', 'allowWrites', 'maybe'],
      ['amazon', 'credentialExpiresAt', '2027-02-30'],
      ['amazon', 'quotesPrices', 'true'],
      ['walmart', 'feedVersion', 'the "newest"'],
      ['walmart', 'refreshToken', 'x'],
    ] as const) {
      const answer = await market({ [marketplace]: { [name]: value } });
      expect(answer.json(), `${marketplace} ${name} ${value}`).toMatchObject({ code: 'validation_failed' });
      expect((await rowsOf()).count, `${marketplace} ${name} ${value}`).toBe(0);
    }
  });

  test.each([
    ['region', 'fe', ['lwaClientSecret', 'refreshToken']],
    ['sellerId', 'A2', ['lwaClientSecret', 'refreshToken']],
    ['marketplaceId', 'ATVPDKIKX0DER', ['refreshToken']],
    ['sqsQueueUrl', 'https://sqs.eu-west-1.amazonaws.com/999999999999/mine', ['awsSecretAccessKey']],
  ])('stored keys do not go to another %s', async (name, value, keys) => {
    await market({ amazon: { ...AMAZON, lwaClientSecret: CANARY } });
    const answer = await market({ amazon: { [name]: value } });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json().fields)).toEqual(keys.map((key) => `marketplaces.amazon.${key}`));
    const again = Object.fromEntries(keys.map((key) => [key, 'new']));
    expect((await market({ amazon: { [name]: value, ...again } })).statusCode).toBe(200);
  });

  test('setting a default explicitly changes nothing', async () => {
    await market({ amazon: { refreshToken: CANARY } });
    const answer = await market({ amazon: { region: 'na', marketplaceId: 'ATVPDKIKX0DER' } });
    expect(answer.statusCode, answer.body).toBe(200);
  });

  test('members encrypted with an unknown key are omitted, and another save keeps them', async () => {
    await market(ALL);
    const before = await rowsOf();
    const elsewhere = await buildApp({ ...shop.deps, secrets: configuredKey(Buffer.alloc(32, 8)) });
    const headers = { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', cookie };
    const seen = (await elsewhere.inject({ url: '/api/settings', headers })).json();
    expect(seen.secretProblem).toMatch(/another secret key/);
    expect(seen.marketplaces.amazon).not.toHaveProperty('region');
    expect(seen.marketplaces.amazon.refreshToken).toBe(MASK);
    const payload = { ...seen, checkInterval: 20 };
    const saved = await elsewhere.inject({ method: 'PUT', url: '/api/settings', headers, payload });
    expect(saved.statusCode, saved.body).toBe(200);
    expect(await rowsOf()).toEqual(before);
    await elsewhere.close();
  });
});

describe('eleven minutes after the password', () => {
  beforeEach(async () => {
    await market({ ebay: { enabled: true, certId: CANARY, refreshToken: CANARY } });
    shop.advance(11 * 60_000);
  });

  test.each([
    ['a further key is set', { etsy: { refreshToken: 'x' } }],
    ['one is removed', { ebay: { refreshToken: '' } }],
    ['a region is chosen', { amazon: { region: 'eu' } }],
    ['prices may be sent to Michaels', { michaels: { allowWrites: 'yes' } }],
    ['the last member that was missing is entered', { ebay: { appId: 'app' } }],
  ])('%s: the password first', async (_, over) => {
    const refused = await market(over);
    expect(refused.json()).toMatchObject({ code: 'step_up_required' });
    await shop.post('/api/step-up', { password: PASSWORD }, { headers: { cookie } });
    expect((await market(over)).statusCode).toBe(200);
  });

  test('a name, a date, and what makes it do less require none', async () => {
    const answer = await market({ ebay: { username: 'ann', refreshTokenExpiresAt: '2027-05-31' } });
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await market({ ebay: { enabled: false } })).statusCode).toBe(200);
  });
});

describe('tokens and results of earlier credentials', () => {
  const held = async (): Promise<string[]> => {
    const { rows } = await shop.db.execute<{ name: string }>(sql`
      SELECT marketplace AS name FROM integration_tokens UNION ALL SELECT marketplace || ' check' FROM connection_checks
      ORDER BY 1`);
    return rows.map(({ name }) => name);
  };
  beforeEach(async () => {
    await market({ etsy: { keystring: 'k', refreshToken: CANARY }, shopify: { apiKey: 'a' } });
    for (const name of ['etsy', 'shopify']) {
      await shop.db.execute(sql`
        INSERT INTO integration_tokens (marketplace, kind, value_encrypted, obtained_at, updated_at)
        VALUES (${name}, 'access', 'x', now(), now())`);
      await shop.db.execute(sql`
        INSERT INTO connection_checks (marketplace, checked_at, milliseconds, notes) VALUES (${name}, now(), 5, '{}')`);
    }
  });

  test('are deleted with a key that tokens are fetched with', async () => {
    await market({ etsy: { refreshToken: 'another' } });
    expect(await held()).toEqual(['shopify', 'shopify check']);
    await market({ shopify: { clientSecret: 's' } });
    expect(await held()).toEqual([]);
  });

  test('stay where another member changes: a used refresh token could not be fetched again', async () => {
    await market({ etsy: { shopName: 'Mugs', sharedSecret: 's' } });
    expect(await held()).toEqual(['etsy', 'shopify', 'shopify check']);
  });

  test('stay with a save of something else, and with a refused one', async () => {
    await market({ walmart: { clientId: 'c' }, etsy: { enabled: true } });
    await page.save({ ...(await page.withMarkets({ etsy: { refreshToken: 'x' } })), version: 1 });
    expect(await held()).toHaveLength(4);
  });
});
