import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '#contract/settings.ts';
import { dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';

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

describe('GET /api/settings', () => {
  test('a new installation: repricing and notifications on, 15 minutes, Walmart on, the others off', async () => {
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
    const ann = await shop.logIn('ann@example.com');
    expect((await shop.get('/api/settings', ann)).statusCode).toBe(403);
    expect((await put(await read(), ann)).statusCode).toBe(403);
  });
});

describe('PUT /api/settings', () => {
  test('saves the whole object and returns it', async () => {
    const wanted = {
      ...(await withMarkets({
        amazon: { enabled: true, sellerId: ' A1B2 ', lwaClientId: 'amzn1', lwaClientSecret: 's' },
        shopify: { enabled: true, storeUrl: 'https://My-Shop.myshopify.com/', apiKey: 't' },
      })),
      autoRepricing: false,
      checkInterval: 30,
      notifications: false,
      veeqo: { enabled: true, apiKey: 'v', lastSync: null },
    };
    const answer = await put(wanted);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      autoRepricing: false,
      checkInterval: 30,
      notifications: false,
      version: 2,
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

  test('the time zone is UTC until one is entered, and a save without it keeps it', async () => {
    await put({ ...(await read()), timeZone: 'America/New_York' });
    const { timeZone: zone, ...without } = await read();
    expect(zone).toBe('America/New_York');
    await put(without);
    expect((await read()).timeZone).toBe('America/New_York');
    await put({ ...without, timeZone: '', version: 3 });
    expect('timeZone' in (await read())).toBe(false);
  });

  test('an unknown time zone is refused at its field', async () => {
    const answer = await put({ ...(await read()), timeZone: 'Mars/Olympus' });
    expect([answer.statusCode, answer.json().fields]).toEqual([
      400,
      { timeZone: 'Expected a time zone such as America/New_York' },
    ]);
  });

  test.each([0, 1441, 2.5])('%s minutes are refused', async (checkInterval) => {
    const answer = await put({ ...(await read()), checkInterval });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields).toEqual({
      checkInterval: 'Enter a whole number of minutes from 1 to 1440',
    });
  });

  test('a save from an old version is refused, one without a version is accepted', async () => {
    const seen = await read();
    await put({ ...seen, checkInterval: 20 });
    const late = await put({ ...seen, checkInterval: 25 });
    expect(late.statusCode).toBe(409);
    expect(late.json().code).toBe('conflict');
    expect(late.json().message).toContain('(boss@example.com, just now)');
    expect((await read()).checkInterval).toBe(20);
    const { version: _, ...without } = seen;
    expect((await put({ ...without, checkInterval: 25 })).statusCode).toBe(200);
  });

  test('a save of the limits counts: it is the same version', async () => {
    const seen = await read();
    const guards = (await shop.get('/api/repricing-limits', cookie)).json();
    await shop.post('/api/repricing-limits', guards, { method: 'PUT', headers: { cookie } });
    expect((await put(seen)).statusCode).toBe(409);
  });

  test('the time of the last sync cannot be set by a page', async () => {
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
        fields: { 'marketplaces.shopify.storeUrl': 'Enter an address such as my-shop.myshopify.com' },
      });
    },
  );
});

test('whether pages show messages is visible to every logged-in user', async () => {
  const reported = async () => (await shop.get('/api/engine', cookie)).json().notifications;
  expect(await reported()).toBe(true);
  await put({ ...(await read()), notifications: false });
  expect(await reported()).toBe(false);
});

describe('a marketplace that is turned off', () => {
  const priceChannels = async (): Promise<Record<string, string>> => {
    const { marketplaces } = (await shop.get('/api/engine', cookie)).json();
    return Object.fromEntries(
      marketplaces.map((each: { marketplace: string; priceChannel: string }) => [
        each.marketplace,
        each.priceChannel,
      ]),
    );
  };

  test('without a key its prices go by file, on or off', async () => {
    await put(await withMarkets({ walmart: { enabled: false }, ebay: { enabled: true } }));
    expect(new Set(Object.values(await priceChannels()))).toEqual(new Set(['file']));
  });

  const AMAZON = { sellerId: 'A1', lwaClientId: 'c', lwaClientSecret: CANARY, refreshToken: CANARY };

  test('with its credentials it is paused, keeps them, and only its listings are decided again', async () => {
    await put(await withMarkets({ amazon: { enabled: true, ...AMAZON } }));
    expect(await priceChannels()).toMatchObject({ amazon: 'connected', walmart: 'file' });
    await addListing(shop.db, 'A-1', { marketplace: 'amazon' });
    await addListing(shop.db, 'W-1');
    await forgetDue(shop.db);
    await put(await withMarkets({ amazon: { enabled: false } }));
    expect(await dueSkus(shop.db)).toEqual(['amazon A-1: marketplace']);
    expect(await priceChannels()).toMatchObject({ amazon: 'paused', walmart: 'file' });
    expect((await read()).marketplaces.amazon).toMatchObject({ lwaClientSecret: MASK, refreshToken: MASK });
    await forgetDue(shop.db);
    await put(await withMarkets({ amazon: { enabled: true } }));
    expect(await dueSkus(shop.db)).toEqual(['amazon A-1: marketplace']);
    expect(await priceChannels()).toMatchObject({ amazon: 'connected' });
  });

  test('with one key of several it is paused although it is on', async () => {
    await put(await withMarkets({ amazon: { enabled: true, ...AMAZON, refreshToken: '' } }));
    expect(await priceChannels()).toMatchObject({ amazon: 'paused' });
    await addListing(shop.db, 'A-1', { marketplace: 'amazon' });
    await forgetDue(shop.db);
    await put(await withMarkets({ amazon: { refreshToken: CANARY } }));
    expect(await priceChannels()).toMatchObject({ amazon: 'connected' });
    expect(await dueSkus(shop.db)).toEqual(['amazon A-1: marketplace']);
    await put(await withMarkets({ amazon: { refreshToken: '' } }));
    expect(await priceChannels()).toMatchObject({ amazon: 'paused' });
  });

  test('Michaels with only its key is read-only; allowing sends decides its listings again', async () => {
    await put(await withMarkets({ michaels: { enabled: true, apiKey: CANARY } }));
    expect(await priceChannels()).toMatchObject({ michaels: 'read_only' });
    await addListing(shop.db, 'M-1', { marketplace: 'michaels' });
    await forgetDue(shop.db);
    await put(await withMarkets({ michaels: { allowWrites: 'yes' } }));
    expect(await priceChannels()).toMatchObject({ michaels: 'connected' });
    expect(await dueSkus(shop.db)).toEqual(['michaels M-1: marketplace']);
    await put(await withMarkets({ michaels: { allowWrites: '' } }));
    expect(await priceChannels()).toMatchObject({ michaels: 'read_only' });
  });

  test('a seller name alone is not a credential', async () => {
    await put(await withMarkets({ etsy: { enabled: false, shopName: 'Mugs' } }));
    expect(await priceChannels()).toMatchObject({ etsy: 'file' });
  });
});

test('the API description has the calls', async () => {
  const docs = (await shop.get('/api/docs/json', cookie)).json();
  const { get, put: save } = docs.paths['/api/settings'];
  const fieldsOf = ({ schema }: { schema: { $ref: string } }) =>
    Object.keys(docs.components.schemas[schema.$ref.split('/').at(-1) ?? ''].properties);
  expect(fieldsOf(get.responses['200'].content['application/json'])).toContain('marketplaces');
  expect(fieldsOf(save.requestBody.content['application/json'])).toContain('checkInterval');
});
