import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { buildApp } from '#server/app.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/accounts/approve-user.ts';
import { SecretError } from '#usecases/secrets/secret-box.ts';
import { configuredKey } from '#usecases/secrets/secret-keys.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const MASK = '********';
const CANARY = 'canary-5up3r-s3cr3t';

const read = async (): Promise<Settings> => (await shop.get('/api/settings', cookie)).json();
const put = (payload: object, as = cookie) =>
  shop.post('/api/settings', payload, { method: 'PUT', headers: { cookie: as } });

/** The stored settings with some members of some marketplaces changed. */
async function withMarkets(over: Record<string, object>): Promise<Settings> {
  const settings = await read();
  const marketplaces: Record<string, object> = { ...settings.marketplaces };
  for (const [name, members] of Object.entries(over)) {
    marketplaces[name] = { ...marketplaces[name], ...members };
  }
  return { ...settings, marketplaces: marketplaces as Settings['marketplaces'] };
}

const SECRETS = {
  walmart: { clientSecret: CANARY },
  amazon: { lwaClientSecret: CANARY },
  michaels: { apiKey: CANARY },
  ebay: { certId: CANARY },
  etsy: { keystring: CANARY },
  shopify: { apiKey: CANARY },
};

describe('GET /api/settings', () => {
  test('a new install: repricing and notifications on, 15 minutes, Walmart on, the others off', async () => {
    expect(await read()).toEqual({
      autoRepricing: true,
      checkInterval: 15,
      notifications: true,
      veeqo: { enabled: false, apiKey: '', lastSync: null },
      marketplaces: {
        walmart: { enabled: true, clientId: '', clientSecret: '' },
        amazon: { enabled: false, sellerId: '', lwaClientId: '', lwaClientSecret: '' },
        michaels: { enabled: false, apiKey: '' },
        ebay: { enabled: false, appId: '', certId: '' },
        etsy: { enabled: false, keystring: '', shopName: '' },
        shopify: { enabled: false, storeUrl: '', apiKey: '' },
      },
      version: 1,
      secretProblem: null,
    });
  });

  test('is for administrators', async () => {
    await shop.post('/api/register', aRegistration());
    await approveUser(shop.deps, 'ann@example.com', false);
    const ann = await shop.signIn('ann@example.com');
    expect((await shop.get('/api/settings', ann)).statusCode).toBe(403);
    expect((await put(await read(), ann)).statusCode).toBe(403);
  });
});

describe('PUT /api/settings', () => {
  test('saves the whole object and answers with it', async () => {
    const wanted = {
      ...(await withMarkets({
        amazon: { enabled: true, sellerId: ' A1B2 ', lwaClientId: 'amzn1', lwaClientSecret: 's' },
        shopify: { enabled: true, storeUrl: 'https://My-Shop.myshopify.com/', apiKey: 't' },
      })),
      ...{ autoRepricing: false, checkInterval: 30, notifications: false },
      veeqo: { enabled: true, apiKey: 'v', lastSync: null },
    };
    const answer = await put(wanted);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ autoRepricing: false, checkInterval: 30, notifications: false, version: 2 },
      veeqo: { enabled: true, apiKey: MASK },
      marketplaces: {
        amazon: { enabled: true, sellerId: 'A1B2', lwaClientId: 'amzn1', lwaClientSecret: MASK },
        shopify: { enabled: true, storeUrl: 'my-shop.myshopify.com', apiKey: MASK },
        walmart: { enabled: true, clientSecret: '' },
      },
    });
    expect(await read()).toEqual(answer.json());
  });

  test.each([
    ['text', 'often'],
    ['nothing', null],
    ['a member that is missing', undefined],
  ])('%s as check interval falls back to 15', async (_, checkInterval) => {
    await put({ ...(await read()), checkInterval: 40 });
    const answer = await put({ ...(await read()), checkInterval });
    expect(answer.json()).toMatchObject({ checkInterval: 15 });
  });

  test.each([0, 1441, 2.5])('%s minutes are refused', async (checkInterval) => {
    const answer = await put({ ...(await read()), checkInterval });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields).toEqual({
      checkInterval: 'Expected a whole number of minutes from 1 to 1440',
    });
  });

  test('a save from an old version is refused, one without a version is taken', async () => {
    const seen = await read();
    await put({ ...seen, checkInterval: 20 });
    const late = await put({ ...seen, checkInterval: 25 });
    expect(late.statusCode).toBe(409);
    expect(late.json().code).toBe('conflict');
    expect((await read()).checkInterval).toBe(20);
    const { version: _, ...without } = seen;
    expect((await put({ ...without, checkInterval: 25 })).statusCode).toBe(200);
  });

  test('a save of the guards counts: it is the same version', async () => {
    const seen = await read();
    const guards = (await shop.get('/api/repricing-guards', cookie)).json();
    await shop.post('/api/repricing-guards', guards, { method: 'PUT', headers: { cookie } });
    expect((await put(seen)).statusCode).toBe(409);
  });

  test('when the last sync was is not for a page to say', async () => {
    const settings = await read();
    await put({ ...settings, veeqo: { ...settings.veeqo, lastSync: '2020-01-01T00:00:00.000Z' } });
    expect((await read()).veeqo.lastSync).toBeNull();
  });

  test.each(['shop.example.com', 'my-shop.myshopify.com.evil.example'])(
    'the token of a shop goes to Shopify alone: %s is refused',
    async (storeUrl) => {
      const answer = await put(await withMarkets({ shopify: { storeUrl, apiKey: 't' } }));
      expect(answer.json()).toMatchObject({
        code: 'validation_failed',
        fields: { 'marketplaces.shopify.storeUrl': 'Expected an address such as my-shop.myshopify.com' },
      });
    },
  );
});

describe('secrets', () => {
  test('an untouched mask keeps a secret, an empty one removes it', async () => {
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

  test('are nowhere but in the database, and there only locked', async () => {
    const wanted = { ...(await withMarkets(SECRETS)), veeqo: { enabled: true, apiKey: CANARY } };
    const answers = [
      await put(wanted),
      await shop.get('/api/settings', cookie),
      await put({ ...wanted, version: 1 }),
      await put({ ...wanted, checkInterval: 0 }),
      await put({ ...wanted, marketplaces: { ...wanted.marketplaces, shopify: { apiKey: CANARY } } }),
      await shop.get('/api/repricing-guards', cookie),
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

  test('the audit log says what was replaced, and the rest in clear', async () => {
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
        [`marketplaces.${name}.${secret}`]: 'Enter the key again: it was stored for another account',
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
  test('another one than theirs: the page says what to do, and everything else works', async () => {
    await put(await withMarkets({ walmart: { clientSecret: CANARY } }));
    const moved = await appWith(configuredKey(Buffer.alloc(32, 8)));
    const answer = await moved.app.inject({ url: '/api/settings', headers: { cookie } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().secretProblem).toMatch(/another secret key.*Set PRICEWRIGHT_SECRET_KEY/);
    await moved.app.close();
  });

  test('one that cannot be used: a save with a new secret is refused in one sentence, others work', async () => {
    const broken = (): never => {
      throw new SecretError('secret.key holds no key of 32 bytes.');
    };
    await put(await withMarkets({ walmart: { clientSecret: CANARY } }));
    const settings = await read();
    const { app } = await appWith({ current: broken, forWriting: broken });
    const send = (payload: object) =>
      app.inject({
        ...{ method: 'PUT', url: '/api/settings', payload },
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

describe('a marketplace that is switched off', () => {
  const deliveries = async (): Promise<Record<string, string>> => {
    const { marketplaces } = (await shop.get('/api/engine', cookie)).json();
    return Object.fromEntries(
      marketplaces.map((each: { marketplace: string; delivery: string }) => [
        each.marketplace,
        each.delivery,
      ]),
    );
  };

  test('without a key it goes by file, on or off', async () => {
    await put(await withMarkets({ walmart: { enabled: false }, ebay: { enabled: true } }));
    expect(new Set(Object.values(await deliveries()))).toEqual(new Set(['file']));
  });

  test('with a key it is paused, keeps the key, and only its listings are decided anew', async () => {
    await put(await withMarkets({ amazon: { enabled: true, lwaClientSecret: CANARY } }));
    await addListing(shop.db, 'A-1', { marketplace: 'amazon' });
    await addListing(shop.db, 'W-1');
    await forgetDue(shop.db);
    await put(await withMarkets({ amazon: { enabled: false } }));
    expect(await dueSkus(shop.db)).toEqual(['amazon A-1: marketplace']);
    expect(await deliveries()).toMatchObject({ amazon: 'paused', walmart: 'file' });
    expect((await read()).marketplaces.amazon.lwaClientSecret).toBe(MASK);
    await forgetDue(shop.db);
    await put(await withMarkets({ amazon: { enabled: true } }));
    expect(await dueSkus(shop.db)).toEqual(['amazon A-1: marketplace']);
    expect(await deliveries()).toMatchObject({ amazon: 'file' });
  });

  test('a seller name alone is no key', async () => {
    await put(await withMarkets({ etsy: { enabled: false, shopName: 'Mugs' } }));
    expect(await deliveries()).toMatchObject({ etsy: 'file' });
  });
});

test('the API docs describe the calls', async () => {
  const docs = (await shop.get('/api/docs/json', cookie)).json();
  const { get, put: save } = docs.paths['/api/settings'];
  expect(Object.keys(get.responses['200'].content['application/json'].schema.properties)).toContain(
    'marketplaces',
  );
  expect(Object.keys(save.requestBody.content['application/json'].schema.properties)).toContain(
    'checkInterval',
  );
});
