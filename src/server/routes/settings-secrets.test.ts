import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { buildApp } from '#server/app.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { SecretError } from '#usecases/identity/encryption/secret-box.ts';
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
const put: SettingsPage['save'] = (...args) => page.save(...args);
const withMarkets: SettingsPage['withMarkets'] = (over) => page.withMarkets(over);

const SECRETS = {
  walmart: { clientSecret: CANARY },
  amazon: { lwaClientSecret: CANARY },
  michaels: { apiKey: CANARY },
  ebay: { certId: CANARY },
  etsy: { keystring: CANARY },
  shopify: { apiKey: CANARY },
};

describe('secrets', () => {
  test('an unchanged mask keeps a secret, an empty one removes it', async () => {
    await put(await withMarkets(SECRETS));
    const before = await stored();
    await put({ ...(await read()), checkInterval: 33 });
    expect(await stored()).toEqual(before);
    await put(await withMarkets({ walmart: { clientSecret: '' } }));
    expect(await stored()).toEqual({ ...before, walmart_client_secret: null });
    expect((await read()).marketplaces.walmart.clientSecret).toBe('');
  });

  test('a mask where nothing is stored stores nothing', async () => {
    await put(await withMarkets({ walmart: { clientSecret: MASK } }));
    expect((await read()).marketplaces.walmart.clientSecret).toBe('');
  });

  test('are only in the database, and encrypted there', async () => {
    const wanted = { ...(await withMarkets(SECRETS)), veeqo: { enabled: true, apiKey: CANARY } };
    const answers = [
      await put(wanted),
      await shop.get('/api/settings', cookie),
      await put({ ...wanted, version: 1 }),
      await put({ ...wanted, checkInterval: 0 }),
      await put({ ...wanted, marketplaces: { ...wanted.marketplaces, shopify: { apiKey: CANARY } } }),
      await shop.get('/api/repricing-limits', cookie),
      await shop.get('/api/engine', cookie),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 409, 400, 400, 200, 200]);
    for (const { body } of answers) expect(body).not.toContain(CANARY);
    expect(shop.log.join('')).not.toContain(CANARY);
    const everything = await shop.db.execute<{ text: string }>(sql`
      SELECT row_to_json(s)::text AS text FROM app_settings s UNION ALL SELECT row_to_json(a)::text FROM audit_log a`);
    expect(everything.rows.length).toBeGreaterThan(1);
    for (const { text } of everything.rows) expect(text).not.toContain(CANARY);
    expect(Object.values(await stored())).toEqual(Array(7).fill(expect.stringMatching(/^v1\.[0-9a-f]{8}\./)));
  });

  test('the audit log has what was replaced, and the rest in clear text', async () => {
    await put(await withMarkets({ ebay: { enabled: true, appId: 'app', certId: CANARY } }));
    expect(await auditOf(shop.db, 'settings.saved')).toEqual([
      {
        actor: 'boss@example.com',
        before: expect.objectContaining({ checkInterval: 15 }),
        after: expect.objectContaining({
          replacedSecrets: ['ebayCertId'],
          marketplaces: expect.objectContaining({ ebay: { enabled: true, appId: 'app', certId: MASK } }),
        }),
      },
    ]);
  });

  test.each([
    ['shopify', 'storeUrl', 'apiKey', 'one.myshopify.com', 'two.myshopify.com'],
    ['amazon', 'sellerId', 'lwaClientSecret', 'A1', 'A2'],
  ] as const)('a stored key of %s does not go to another %s', async (name, where, secret, one, two) => {
    await put(await withMarkets({ [name]: { [where]: one, [secret]: CANARY } }));
    const moved = await put(await withMarkets({ [name]: { [where]: two } }));
    expect(moved.json()).toMatchObject({
      code: 'validation_failed',
      fields: {
        [`marketplaces.${name}.${secret}`]: 'Enter the credential again: it was stored for another account',
      },
    });
    expect((await put(await withMarkets({ [name]: { [where]: two, [secret]: 'new' } }))).statusCode).toBe(
      200,
    );
    expect((await put(await withMarkets({ [name]: { [where]: '' } }))).statusCode).toBe(200);
  });
});

async function stored(): Promise<Record<string, unknown>> {
  const { rows } = await shop.db.execute(sql`
    SELECT veeqo_api_key, walmart_client_secret, amazon_lwa_client_secret, michaels_api_key, ebay_cert_id,
      etsy_keystring, shopify_api_key FROM app_settings`);
  return rows[0] ?? {};
}

describe('the key for secrets', () => {
  test('a different one: the page shows what to do, and everything else works', async () => {
    await put(await withMarkets({ walmart: { clientSecret: CANARY } }));
    const moved = await appWith(configuredKey(Buffer.alloc(32, 8)));
    const answer = await moved.app.inject({ url: '/api/settings', headers: { cookie } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().secretProblem).toMatch(/another secret key.*Set PRICEWRIGHT_SECRET_KEY/);
    await moved.app.close();
  });

  test('an unusable one: a save with a new secret is refused in one sentence, others work', async () => {
    const broken = (): never => {
      throw new SecretError('secret.key holds no key of 32 bytes.');
    };
    await put(await withMarkets({ walmart: { clientSecret: CANARY } }));
    const settings = await read();
    const { app } = await appWith({ current: broken, forWriting: broken });
    const send = (payload: object) =>
      app.inject({
        method: 'PUT',
        url: '/api/settings',
        payload,
        headers: { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', cookie },
      });
    expect((await app.inject({ url: '/api/settings', headers: { cookie } })).json().secretProblem).toBe(
      'secret.key holds no key of 32 bytes.',
    );
    const refused = await send({ ...settings, veeqo: { enabled: true, apiKey: CANARY } });
    expect(refused.statusCode).toBe(503);
    expect(refused.json().message).toBe('secret.key holds no key of 32 bytes.');
    expect((await send({ ...settings, checkInterval: 44 })).statusCode).toBe(200);
    await app.close();
  });
});

/** A second server on the same database, with another key. */
async function appWith(secrets: TestApp['deps']['secrets']) {
  return { app: await buildApp({ ...shop.deps, secrets }) };
}
