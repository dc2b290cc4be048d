import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeclaredRoute } from '#server/access.ts';
import recorded from '#server/api-docs/examples.json' with { type: 'json' };
import { exampleOf } from '#server/api-docs/examples.ts';
import { aReadyUser, aSessionOf, aWaitingUser } from '#tests/support/people.ts';
import { createPricedShop } from '#tests/support/priced-shop.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import type { TestApp } from '#tests/support/test-app.ts';

const CANARY = 'canary-5up3r-s3cr3t';

interface Received {
  readonly call: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

let shop: TestApp;
/** Every route as an administrator, as a user, and without a session. */
const answers: Received[] = [];
/** What no response may contain: hashes, tokens and encrypted secrets, as stored in the database. */
let secrets: string[];

beforeAll(async () => {
  const priced = await createPricedShop();
  shop = priced.app;
  await priced.engineRuns();
  const ann = await aReadyUser(shop, 'ann@example.com');
  const carl = await aWaitingUser(shop, 'carl@example.com');
  const settings = settingsPage(shop, priced.cookie);
  await settings.save(
    await settings.withMarkets({ michaels: { apiKey: CANARY }, etsy: { keystring: CANARY } }),
  );
  await shop.db.execute(sql`update users set two_factor_secret = 'locked-totp-of-' || username,
    email_verification_token = 'link-of-' || username`);
  await shop.db.execute(
    sql`insert into recovery_codes (user_id, handle, code_hash) values (${ann}, 'AAAAA', 'recovery-of-ann')`,
  );
  await shop.post('/api/login', { username: 'ann@example.com', password: 'a wrong one', twoFactorToken: '' });
  secrets = [CANARY, ...(await storedSecrets())];
  for (const route of inGentleOrder(shop.app.declaredRoutes)) {
    for (const who of ['anonymous', 'ann@example.com', 'boss@example.com']) await record(route, who, carl);
  }
});
afterAll(() => shop.close());

async function storedSecrets(): Promise<string[]> {
  const { rows } = await shop.db.execute<{ secret: string | null }>(sql`
    select password as secret from users union all select two_factor_secret from users
    union all select email_verification_token from users union all select code_hash from recovery_codes
    union all select token_hash from sessions union all select token_hash from one_time_tokens
    union all select split_part(subject, ':', 2) from login_attempts where subject like 'account:%'
    union all select michaels_api_key from app_settings union all select etsy_keystring from app_settings`);
  return rows.flatMap(({ secret }) => secret ?? []);
}

/** Deletions come last. */
function inGentleOrder(routes: readonly DeclaredRoute[]): DeclaredRoute[] {
  const order = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  return routes.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
}

async function record({ method, path }: DeclaredRoute, who: string, other: string): Promise<void> {
  const call = `${method} ${path}`;
  const { url = '', body } = exampleOf(call) ?? {};
  const id = path.startsWith('/api/users/') ? other : '1';
  const cookie = who === 'anonymous' ? null : await aSessionOf(shop, who);
  const answer = await shop.app.inject({
    method: method as 'GET',
    url:
      path
        .replace(':marketplace', 'walmart')
        .replace(':file', 'skus.csv')
        .replaceAll(/:\w+/g, id)
        .replace('*', 'x') + (/\?.*$/.exec(url)?.[0] ?? ''),
    headers: {
      host: '127.0.0.1:5000',
      'sec-fetch-site': 'same-origin',
      ...(cookie === null ? {} : { cookie }),
    },
    ...(body == null ? {} : { payload: body }),
    payloadAsStream: true,
  });
  const { statusCode: status, headers } = answer;
  let text = '';
  // An event stream has no end; its first messages are enough.
  if (String(headers['content-type']).startsWith('text/event-stream')) answer.stream().destroy();
  else for await (const part of answer.stream()) text += String(part);
  answers.push({ call: `${call} as ${who}`, status, headers, body: text });
}

test('most routes returned real responses', () => {
  const good = new Set(answers.filter(({ status }) => status < 300).map(({ call }) => call.split(' as ')[0]));
  expect(good.size).toBeGreaterThan(70);
  expect(answers.filter(({ status }) => status >= 500).map(({ call }) => call)).toEqual([]);
  expect(secrets.length).toBeGreaterThan(10);
});

test('no response has a hash, a token or a stored secret', () => {
  const telling = answers.filter(
    ({ body, headers }) =>
      secrets.some((secret) => body.includes(secret) || JSON.stringify(headers).includes(secret)) ||
      /\$argon2/.test(body),
  );
  expect(telling.map(({ call }) => call)).toEqual([]);
});

/** Fields with these names that contain no secret, with the reason. */
const HARMLESS = new Set([
  // Whether a password must be replaced, and why secrets cannot be decrypted: no part of either.
  'mustChangePassword',
  'secretProblem',
  // Identifies a reviewed preview of a rule, a plan or a change of prices.
  'token',
  // How many there are, whether there is one, and until when the one before counts.
  'recoveryCodesLeft',
  'hasSecret',
  'formerSecretUntil',
  // Days.
  'credentialExpiresAt',
  'refreshTokenExpiresAt',
  // For administrators to copy to eBay: with it a server proves itself there, and nothing is opened here.
  'verificationToken',
]);

/** What a call exists to show, only once, to its owner. */
const SHOWN_ONCE = new Set([
  'POST /api/account/two-factor/begin .secret',
  'POST /api/account/two-factor/confirm .recoveryCodes',
  'POST /api/account/two-factor/recovery-codes .recoveryCodes',
  // To the administrator who enters it in the program that checks signatures.
  'POST /api/webhook-receivers .secret',
  'POST /api/webhook-receivers/:id/secret .secret',
]);

/** Fields that are named like a secret and contain more than whether there is one. */
function telltales(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = `${path}.${name}`;
    const isSuspect = /password|secret|token|hash|credential|apikey|keystring|recovery|certid/i.test(name);
    const isMasked = part === '' || part === '********';
    // An error names the invalid field, and what is wrong with it.
    const isComplaint =
      path === '.fields' && typeof part === 'string' && part.includes(' ') && part.endsWith('.');
    const isReported = isSuspect && !HARMLESS.has(name) && !isMasked && !isComplaint;
    return [...(isReported ? [at] : []), ...telltales(part, at)];
  });
}

test('no response has a field that is named like a secret', () => {
  const found = answers.flatMap(({ call, headers, body }) =>
    String(headers['content-type']).startsWith('application/json') && !call.includes('/api/docs')
      ? telltales(JSON.parse(body || 'null')).map((at) => `${call.split(' as ')[0]} ${at}`)
      : [],
  );
  expect(found.filter((one) => !SHOWN_ONCE.has(one))).toEqual([]);
});

test('nor has an example in the API description', () => {
  const found = Object.entries(recorded).flatMap(([call, { answer }]) =>
    telltales(answer).map((at) => `${call} ${at}`),
  );
  expect(found.filter((one) => !SHOWN_ONCE.has(one))).toEqual([]);
  expect(JSON.stringify(recorded)).not.toMatch(/\$argon2/);
});

test('no response may be cached, errors included', () => {
  const kept = answers.filter(({ headers }) => headers['cache-control'] !== 'no-store');
  // The page of the API description consists of files.
  expect(kept.filter(({ call }) => !call.includes('/api/docs/static/')).map(({ call }) => call)).toEqual([]);
});

test('no cookie is set but those of session, browser and login under way, all HttpOnly', () => {
  const set = answers.flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat().map(String));
  expect(set.length).toBeGreaterThan(0);
  for (const cookie of set) {
    expect(cookie).toMatch(/^pricewright(_browser|_login)?=[\w-]*; .*Path=\/; .*HttpOnly; SameSite=Lax/);
    expect(cookie).not.toMatch(/domain/i);
  }
});

test('no response allows other origins', () => {
  const names = answers.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
});
