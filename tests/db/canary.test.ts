import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSealed, SEALED_COLUMNS } from '#db/queries/identity/sealed-columns.ts';
import { everyRow } from '#tests/support/every-row.ts';
import { aReadyUser, aWaitingUser, callAs, deliver, tokenIn } from '#tests/support/people.ts';
import { addListing } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { aRegistration, cookieOf, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { codeOf } from '#tests/support/two-factor.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { openSecret, sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import { configuredKey, type SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';

/** Part of every secret that a user or the operator enters. */
const CANARY = 'cAnArY7Qz4';
const PASSWORDS = {
  boss: `${CANARY} of the boss`,
  ann: `${CANARY} of Ann`,
  reset: `${CANARY} given by hand`,
};
const METRICS = `${CANARY}-metrics-token`;
const MASTER = Buffer.alloc(32, CANARY);

/** A value for each variable part of an address. */
const PARTS: Readonly<Record<string, string>> = {
  id: '1',
  listingId: '1',
  marketplace: 'walmart',
  file: 'skus.csv',
  listingSku: 'A-1',
};
/** Does not end on its own, and contains only names of topics and IDs of rows. */
const ENDLESS = '/api/events';

let shop: TestApp;
let cookie: string;
/** Secrets that the program generated. */
const made: string[] = [];
/** Every response, with its headers. */
const responses: { readonly what: string; readonly text: string }[] = [];

/** The secret in several encodings. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
}
const needles = (): string[] => [CANARY, ...made].flatMap(spellings);
const found = (text: string): string[] => needles().filter((needle) => text.includes(needle));

function keep(what: string, { headers, body }: LightMyRequestResponse): void {
  // A session token is sent only in this header.
  const { 'set-cookie': _, ...rest } = headers;
  responses.push({ what, text: `${JSON.stringify(rest)}\n${body}` });
}

async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, as = cookie) {
  const answer = await callAs(shop, as, method, url, payload);
  keep(`${method} ${url} ${answer.statusCode}`, answer);
  return answer;
}

const session = (answer: LightMyRequestResponse): string => {
  const pair = cookieOf(answer);
  made.push(pair.slice(pair.indexOf('=') + 1));
  return pair;
};

beforeAll(async () => {
  // The product's own keys: they need the database of this test.
  const keys = (): SecretKeys => dataKeysOf(shop.db, configuredKey(MASTER), shop.deps.now);
  const secrets = { current: () => keys().current(), forWriting: () => keys().forWriting() };
  shop = await createTestApp({ metricsToken: METRICS, secrets });
  await seedAccounts();
  await seedKeys();
  await addListing(shop.db, 'A-1');
  await causeRejections();
  await callEveryRead();
});
afterAll(() => shop.close());

async function seedAccounts(): Promise<void> {
  const setupToken = (await createSetupToken(shop.db, shop.deps.now())) ?? '';
  made.push(setupToken);
  const boss = aRegistration({ email: 'boss@example.com', password: PASSWORDS.boss });
  const asStranger = { remoteAddress: '203.0.113.5', headers: { host: '127.0.0.1:5000' } };
  keep('wrong setup', await shop.post('/api/register', { ...boss, setupToken: 'x'.repeat(43) }, asStranger));
  const first = await shop.post('/api/register', {
    ...boss,
    email: 'a@example.com',
    username: 'a@example.com',
    setupToken,
  });
  keep('setup', first);
  cookie = session(first);
  await shop.post('/api/register', {
    ...aRegistration({ email: 'ann@example.com' }),
    password: PASSWORDS.ann,
  });
  await aWaitingUser(shop, 'waits@example.com');
  for (const { text } of await deliver(shop)) if (text.includes('verify-email')) made.push(tokenIn(text));
  const ann = await aReadyUser(shop, 'second@example.com');
  await send('PUT', `/api/users/${ann}/reset-password`, { newPassword: PASSWORDS.reset });
  const waiting = await send('POST', `/api/users/${ann}/verification-email`);
  expect(waiting.statusCode).toBeLessThan(500);
}

async function seedKeys(): Promise<void> {
  const page = settingsPage(shop, cookie);
  const secret = `${CANARY}-key`;
  const settings = await page.withMarkets({
    walmart: { clientSecret: secret },
    amazon: { sellerId: 'A1', lwaClientSecret: secret },
    michaels: { apiKey: secret },
    ebay: { certId: secret },
    etsy: { keystring: secret },
    shopify: { storeUrl: 'my-shop.myshopify.com', apiKey: secret },
  });
  const saved = await send('PUT', '/api/settings', { ...settings, veeqo: { enabled: true, apiKey: secret } });
  expect(saved.statusCode).toBe(200);
  const key = await shop.deps.secrets.forWriting();
  const { rows } = await shop.db.execute<{ id: string }>(
    sql`SELECT id FROM users WHERE email = 'ann@example.com'`,
  );
  const id = rows[0]?.id ?? '';
  const factor = sealSecret(key, `users/${id}/two_factor_secret`, `${CANARY}-totp`);
  await shop.db.execute(sql`UPDATE users SET two_factor_secret = ${factor} WHERE id = ${id}`);
  await seedSecondFactor();
  await seedReceiver();
  const value = sealSecret(key, 'connector_credentials/etsy/refresh_token', `${CANARY}-refresh`);
  await shop.db.execute(
    sql`INSERT INTO connector_credentials (holder, name, value) VALUES ('etsy', 'refresh_token', ${value})`,
  );
  const token = sealSecret(key, 'integration_tokens/etsy/access', `${CANARY}-access`);
  await shop.db.execute(sql`
    INSERT INTO integration_tokens (marketplace, kind, value_encrypted, obtained_at, updated_at)
    VALUES ('etsy', 'access', ${token}, now(), now())`);
  const passphrase = sealSecret(key, 'backup_settings/default/passphrase', `${CANARY}-passphrase`);
  const bucketKey = sealSecret(key, 'backup_settings/default/s3_secret_key', `${CANARY}-bucket`);
  await shop.db.execute(
    sql`UPDATE backup_settings SET passphrase = ${passphrase}, s3_secret_key = ${bucketKey}`,
  );
  const client = sealSecret(key, 'identity_provider/default/client_secret', `${CANARY}-client`);
  await shop.db.execute(sql`
    INSERT INTO identity_provider (is_on, issuer, client_id, client_secret, label, scopes, groups_claim, admin_groups,
      user_groups, links_accounts, creates_accounts, second_factor, factor_acrs, direct_login, updated_at)
    VALUES (true, 'https://login.example.com', 'pricewright', ${client}, 'Shop login', '{openid}', 'groups', '{}', '{}',
      false, false, 'reported', '{}', 'all', now())`);
  const verifier = sealSecret(key, 'consents/0', `${CANARY}-verifier`);
  await shop.db.execute(sql`
    INSERT INTO consents (state_hash, marketplace, session_id, verifier_encrypted, return_to, expires_at)
    SELECT '0', 'etsy', id, ${verifier}, 'https://prices.example.com/connect/etsy', now()
    FROM sessions ORDER BY last_seen_at DESC LIMIT 1`);
}

/** Its secret and the one before are in the two responses that create them, and nowhere else. */
async function seedReceiver(): Promise<void> {
  const form = { name: 'One', address: 'https://hooks.example.com/', events: ['price.changed'] };
  const added = await callAs(shop, cookie, 'POST', '/api/webhook-receivers', form);
  const path = `/api/webhook-receivers/${added.json().id}/secret`;
  const replaced = await callAs(shop, cookie, 'POST', path);
  made.push(added.json().secret, replaced.json().secret);
}

/** A real one: its secret and its recovery codes are in the two responses that create them, and nowhere else. */
async function seedSecondFactor(): Promise<void> {
  const begun = await callAs(shop, cookie, 'POST', '/api/account/two-factor/begin', {
    password: PASSWORDS.boss,
  });
  const { secret } = begun.json();
  made.push(secret);
  const code = codeOf(shop, secret);
  const confirmed = await callAs(shop, cookie, 'POST', '/api/account/two-factor/confirm', { code });
  made.push(...confirmed.json().recoveryCodes);
  cookie = session(confirmed);
  await send('POST', '/api/account/two-factor/disable', { password: PASSWORDS.boss, code: made.at(-1) }, '');
  await send('POST', '/api/account/two-factor/recovery-codes', { password: `${CANARY} wrong`, code: 'x' });
}

/** Sends everything that can be rejected with a secret in the request. */
async function causeRejections(): Promise<void> {
  const login = (password: string) => ({ username: 'ann@example.com', password, twoFactorToken: '' });
  await send('POST', '/api/login', login(PASSWORDS.ann));
  await send('POST', '/api/login', login(`${CANARY} wrong`));
  await send('POST', '/api/login', { ...login(CANARY), password: [CANARY] });
  await send('POST', '/api/step-up', { password: `${CANARY} wrong` });
  await send('POST', '/api/step-up', { password: { [CANARY]: CANARY } });
  await send('POST', '/api/change-password', { username: 'x', currentPassword: CANARY, newPassword: CANARY });
  await send('POST', '/api/register', aRegistration({ email: `${CANARY}`, password: CANARY }));
  await send('GET', `/api/verify-email?token=${made.at(-1)}`);
  await send('GET', `/api/verify-email?token=${'x'.repeat(43)}&more=${CANARY}`);
  await send('GET', `/api/none/${CANARY}?secret=${CANARY}`);
  const settings = (await shop.get('/api/settings', cookie)).json();
  await send('PUT', '/api/settings', { ...settings, veeqo: { enabled: true, apiKey: CANARY.repeat(900) } });
  await send('PUT', '/api/settings', { ...settings, veeqo: { enabled: CANARY, apiKey: CANARY } });
  await send('PUT', '/api/settings', { ...settings, version: 0, veeqo: { enabled: true, apiKey: CANARY } });
  await send('POST', '/api/connections/ebay/consent/answer', {
    address: `https://x.example/?code=${CANARY}`,
  });
  await send('POST', '/api/connections/ebay/consent/answer', { address: CANARY });
  await send('POST', '/api/veeqo/check');
  await send('POST', '/api/veeqo/sync');
  keep(
    'broken JSON',
    await shop.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: `{"password": "${CANARY}`,
      headers: {
        host: '127.0.0.1:5000',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
    }),
  );
  for (const token of [METRICS, `${CANARY} wrong`]) {
    const headers = { authorization: `Bearer ${token}` };
    keep('metrics', await shop.app.inject({ url: '/metrics', headers, remoteAddress: '203.0.113.5' }));
  }
  await failInTheDatabase(settings);
}

/** Unexpected errors contain the values of their query. */
async function failInTheDatabase(settings: object): Promise<void> {
  await asOwner(
    shop.db,
    `ALTER TABLE users RENAME COLUMN phone_number TO renamed;
    ALTER TABLE app_settings RENAME COLUMN etsy_keystring TO renamed`,
  );
  const broken = [
    await send(
      'POST',
      '/api/register',
      aRegistration({ email: 'late@example.com', password: PASSWORDS.ann }),
    ),
    await send('PUT', '/api/settings', { ...settings, veeqo: { enabled: true, apiKey: `${CANARY}-late` } }),
  ];
  expect(broken.map(({ statusCode }) => statusCode)).toContain(500);
  await asOwner(
    shop.db,
    `ALTER TABLE users RENAME COLUMN renamed TO phone_number;
    ALTER TABLE app_settings RENAME COLUMN renamed TO etsy_keystring`,
  );
}

async function callEveryRead(): Promise<void> {
  const reads = shop.app.declaredRoutes.filter(({ method, path }) => method === 'GET' && path !== ENDLESS);
  for (const { path } of reads) {
    const url = path
      .replaceAll(/:(\w+)/g, (_, part: string) => PARTS[part] ?? '1')
      .replace('*', 'index.html');
    await send('GET', url);
    await send('GET', url, undefined, '');
  }
}

describe('a stored secret', () => {
  test('is where it was stored: the search could find it', async () => {
    const key = await shop.deps.secrets.forWriting();
    const sealed = await readSealed(shop.db);
    // Two users have a second factor.
    expect(sealed).toHaveLength(SEALED_COLUMNS.length + 1);
    const opened = sealed.map(({ column, keys, record }) => openSecret(key, column.placeOf(keys), record));
    expect(opened.filter((text) => found(text).length === 0)).toEqual([]);
    expect(made.length).toBeGreaterThan(12);
    expect(found(`{"password":"${PASSWORDS.ann}"}`)).not.toEqual([]);
  });

  test('is in no response, successful or not, and in no export', () => {
    const statuses = new Set(responses.map(({ what }) => what.split(' ').at(-1)));
    for (const status of ['200', '400', '401', '403', '404', '500']) expect(statuses).toContain(status);
    expect(responses.filter(({ what }) => what.includes('.csv')).length).toBeGreaterThan(3);
    // A request for an unknown address gets that address in the response.
    const theirs = responses.filter(({ what }) => !what.startsWith('GET /api/none/'));
    expect(theirs.filter(({ text }) => found(text).length > 0).map(({ what }) => what)).toEqual([]);
  });

  test('is in no line of the log, at any level', () => {
    expect(shop.log.length).toBeGreaterThan(50);
    expect(shop.log.some((line) => line.includes('failed query'))).toBe(true);
    expect(shop.log.filter((line) => found(line).length > 0)).toEqual([]);
  });

  test('is in no row of any table, including the audit log and queued email', async () => {
    const lines = await everyRow(shop.db);
    expect(lines.filter((line) => line.startsWith('public.audit_log')).length).toBeGreaterThan(5);
    expect(lines.filter((line) => found(line).length > 0)).toEqual([]);
    expect(found(JSON.stringify(shop.queue.sent))).toEqual([]);
  });

  test('the master key is in no row either', async () => {
    const { rows } = await shop.db.execute<{ line: string }>(sql`SELECT k::text AS line FROM data_keys k`);
    expect(rows).toHaveLength(1);
    for (const alphabet of ['hex', 'base64', 'base64url'] as const) {
      expect(rows[0]?.line).not.toContain(MASTER.toString(alphabet).slice(0, 20));
    }
  });
});
