import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { fakeConnector } from '#tests/support/fake-connector.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { openConnections } from './open-connections.ts';

const etsy = fakeConnector('etsy');
const amazon = fakeConnector('amazon');
const CONNECTORS = { etsy: etsy.connector, amazon: amazon.connector };
const ETSY = { enabled: true, keystring: 'k', shopName: 'Mugs', sharedSecret: 's', refreshToken: 'r' };

let shop: TestApp;
let page: SettingsPage;
beforeEach(async () => {
  shop = await createTestApp({ connectors: CONNECTORS });
  page = settingsPage(shop, await shop.admin());
});
afterEach(() => shop.close());

const state = (name: (typeof MARKETPLACES)[number]) => shop.deps.connections.stateOf(name);
const save = async (over: Record<string, object>): Promise<void> => {
  const answer = await page.save(await page.withMarkets(over));
  expect(answer.statusCode, answer.body).toBe(200);
};

test('a new install goes by file everywhere', async () => {
  for (const marketplace of MARKETPLACES) expect(await state(marketplace)).toEqual({ kind: 'file' });
});

test('on, with everything that is needed, it is connected with what was entered', async () => {
  await save({ etsy: ETSY });
  const now = await state('etsy');
  expect(now).toMatchObject({
    kind: 'connected',
    connection: { marketplace: 'etsy', connector: etsy.connector },
  });
  const { enabled: _, ...entered } = ETSY;
  if (now.kind === 'connected') expect(now.connection.account.credentials).toEqual(entered);
});

test('a credential that was not entered has its default value, or is omitted', async () => {
  await save({
    amazon: { enabled: true, sellerId: 'A1', lwaClientId: 'c', lwaClientSecret: 's', refreshToken: 'r' },
  });
  const now = await state('amazon');
  if (now.kind !== 'connected') throw new Error(now.kind);
  expect(now.connection.account.credentials).toEqual({
    sellerId: 'A1',
    lwaClientId: 'c',
    lwaClientSecret: 's',
    refreshToken: 'r',
    region: 'na',
    marketplaceId: 'ATVPDKIKX0DER',
  });
});

test.each([
  ['switched off', { ...ETSY, enabled: false }, 'Etsy is turned off in Settings.'],
  ['without a key', { ...ETSY, refreshToken: '' }, 'Etsy still needs: your authorization.'],
  [
    'with one key alone',
    { enabled: true, keystring: 'k' },
    'Etsy still needs: Shared secret and your authorization.',
  ],
])('%s it is paused, and says why', async (_, etsySettings, why) => {
  await save({ etsy: etsySettings });
  expect(await state('etsy')).toEqual({ kind: 'paused', why });
});

test('switched off, an account whose authorization ends unused can be opened for that alone', async () => {
  const { unusedOf } = openConnections(shop.deps, {
    etsy: { ...etsy.connector, lapsesUnused: true },
    amazon: amazon.connector,
  });
  expect(await unusedOf?.('etsy')).toBeNull();
  await save({ etsy: ETSY });
  expect(await unusedOf?.('etsy')).toBeNull();
  await save({ etsy: { ...ETSY, enabled: false } });
  expect(await unusedOf?.('etsy')).toMatchObject({
    marketplace: 'etsy',
    account: { credentials: { keystring: 'k' } },
  });
  await save({ etsy: { ...ETSY, enabled: false, refreshToken: '' } });
  expect(await unusedOf?.('etsy')).toBeNull();
});

test('an authorization of which each use replaces the former is not used in a restored database without a confirmation', async () => {
  const { stateOf, unusedOf } = openConnections(shop.deps, {
    etsy: { ...etsy.connector, lapsesUnused: true },
  });
  await save({ etsy: ETSY });
  await setUnconfirmedRestore(shop.db, shop.deps.now());
  expect(await stateOf('etsy')).toMatchObject({ kind: 'paused' });
  await setUnconfirmedRestore(shop.db, null);
  expect(await stateOf('etsy')).toMatchObject({ kind: 'connected' });
  await save({ etsy: { ...ETSY, enabled: false } });
  expect(await unusedOf?.('etsy')).not.toBeNull();
  await setUnconfirmedRestore(shop.db, shop.deps.now());
  expect(await unusedOf?.('etsy')).toBeNull();
});

test('Michaels is read with its key alone, and connected once prices may be sent', async () => {
  const michaels = fakeConnector('michaels');
  const { stateOf } = openConnections(shop.deps, { michaels: michaels.connector });
  await save({ michaels: { enabled: true, apiKey: 'k' } });
  expect(await stateOf('michaels')).toMatchObject({
    kind: 'read_only',
    connection: { connector: michaels.connector, account: { credentials: { apiKey: 'k' } } },
    why: expect.stringContaining('is turned off. Turn on "Let prices be sent (beta)"'),
  });
  await save({ michaels: { allowWrites: 'yes' } });
  expect(await stateOf('michaels')).toMatchObject({ kind: 'connected' });
  await save({ michaels: { allowWrites: '' } });
  expect(await stateOf('michaels')).toMatchObject({ kind: 'read_only' });
});

test('one that this release cannot call is never connected', async () => {
  await save({ michaels: { enabled: true, apiKey: 'k' } });
  expect(await state('michaels')).toEqual({
    kind: 'paused',
    why: 'This release of Pricewright cannot reach Michaels.',
  });
});

test('credentials that cannot be decrypted pause it, with the way to fix it', async () => {
  await save({ etsy: ETSY });
  const elsewhere = { ...shop.deps, secrets: configuredKey(Buffer.alloc(32, 9)) };
  expect(await openConnections(elsewhere, CONNECTORS).stateOf('etsy')).toEqual({
    kind: 'paused',
    why: expect.stringMatching(/another secret key.*Set PRICEWRIGHT_SECRET_KEY/),
  });
  await shop.db.execute(
    sql`UPDATE connector_credentials SET value = value || 'AA' WHERE name = 'refreshToken'`,
  );
  expect(await state('etsy')).toMatchObject({ kind: 'paused', why: expect.stringContaining('altered') });
});

test('its tokens are those of the credentials it was opened with', async () => {
  await save({ etsy: ETSY });
  const before = await state('etsy');
  if (before.kind !== 'connected') throw new Error(before.kind);
  const { tokens } = before.connection.account;
  const access = { value: 't', obtainedAt: shop.deps.now(), expiresAt: null };
  await tokens.renew('access', null, async () => ({ access }));
  await save({ etsy: { refreshToken: 'another' } });
  await expect(tokens.read()).rejects.toThrow(/credentials of Etsy/);
  const after = await state('etsy');
  if (after.kind !== 'connected') throw new Error(after.kind);
  expect(await after.connection.account.tokens.read()).toEqual({});
});
