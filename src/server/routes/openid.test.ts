import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aReadyUser, aWaitingUser, callAs, idOf } from '#tests/support/people.ts';
import {
  browse,
  comeBack,
  createProviderShop,
  leave,
  logInAs,
  type ProviderShop,
} from '#tests/support/provider-shop.ts';
import type { StubFaults, StubPerson } from '#tests/support/stub-provider.ts';
import { PASSWORD } from '#tests/support/test-app.ts';
import { enrolAs } from '#tests/support/two-factor.ts';
import { turnProviderOff } from '#usecases/identity/provider/save-provider.ts';
import { unlinkByEmail } from '#usecases/identity/provider/unlink-user.ts';

const EMAIL = 'ann@example.com';
const ANN: StubPerson = {
  sub: 'ann-1',
  email: EMAIL,
  email_verified: true,
  name: 'Ann Arbor',
  groups: ['sellers'],
};
const NEW_USERS = { createsAccounts: true, userGroups: ['sellers'], adminGroups: ['owners'] };

let shop: ProviderShop;
beforeEach(async () => {
  shop = await createProviderShop();
  await shop.configure();
});
afterEach(() => shop.close());

const asUser = (cookie: string) => shop.get('/api/user', cookie);
const rolesOf = async () =>
  Object.fromEntries(
    (
      await shop.db.execute<{ email: string; role: string }>(sql`SELECT email, role FROM users ORDER BY 1`)
    ).rows.map(({ email, role }) => [email, role]),
  );
/** A new API token of a user. @returns a call with it, which answers with the status */
async function aTokenOf(cookie: string): Promise<() => Promise<number>> {
  const wanted = { name: 'erp', scopes: ['read'], expiresAt: '2026-02-01T00:00:00Z' };
  const { token } = (await callAs(shop, cookie, 'POST', '/api/tokens', wanted)).json();
  const headers = { authorization: `Bearer ${token}` };
  return async () => (await shop.app.inject({ url: '/api/own-sellers', headers })).statusCode;
}
/** Action and reason of the newest rows of the audit log. */
async function audited(count: number): Promise<unknown[]> {
  const { rows } = await shop.db.execute<{ action: string; reason: string | null }>(
    sql`SELECT action, after ->> 'reason' AS reason FROM audit_log ORDER BY id DESC LIMIT ${count}`,
  );
  return rows.map(({ action, reason }) => (reason === null ? action : `${action}: ${reason}`)).reverse();
}

describe('the first login', () => {
  test('is linked to the account with the verified address, and later ones go by issuer and subject', async () => {
    const id = await aReadyUser(shop, EMAIL);
    const { answer, cookie } = await logInAs(shop, ANN);
    expect(answer.json()).toMatchObject({ user: { id, isProviderOnly: false, role: 'user' }, returnTo: '/' });
    expect((await asUser(cookie)).json().id).toBe(id);
    expect(await audited(2)).toEqual(['account.linked', 'login.succeeded']);
    expect(shop.queue.sent.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ mail: 'account_linked', userId: id }),
    );
    const renamed = await logInAs(shop, { ...ANN, email: 'boss@example.com' });
    expect(renamed.answer.json().user.id).toBe(id);
    // With the password as before.
    expect((await asUser(await shop.logIn(EMAIL))).json().id).toBe(id);
  });

  test.each<[string, StubPerson, string]>([
    ['an address that is not verified', { ...ANN, email_verified: false }, 'email_not_verified'],
    ['no address', { sub: 'ann-1' }, 'email_missing'],
    ['an address of no account', { ...ANN, email: 'new@example.com' }, 'no_account'],
  ])('with %s is refused', async (_name, person, reason) => {
    await aReadyUser(shop, EMAIL);
    const { answer, jar } = await logInAs(shop, person);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_allowed']);
    expect(jar.has('pricewright')).toBe(false);
    expect(await audited(1)).toEqual([`provider_login.refused: ${reason}`]);
  });

  test('opens no account that an administrator has not allowed to be linked', async () => {
    await shop.configure({ linksAccounts: false });
    expect((await logInAs(shop, { ...ANN, email: 'boss@example.com' })).answer.json().code).toBe(
      'not_allowed',
    );
    expect(await audited(1)).toEqual(['provider_login.refused: linking_off']);
  });

  test('opens no account that a stranger registered with the address', async () => {
    await shop.configure(NEW_USERS);
    await aWaitingUser(shop, EMAIL);
    expect((await logInAs(shop, ANN)).answer.json().code).toBe('not_approved');
    expect(await audited(1)).toEqual(['provider_login.refused: account_waits']);
  });

  test('never gives an account a second person', async () => {
    await aReadyUser(shop, EMAIL);
    const first = await logInAs(shop, ANN);
    expect((await logInAs(shop, { ...ANN, sub: 'ann-2' })).answer.statusCode).toBe(403);
    expect(await audited(1)).toEqual(['provider_login.refused: linked_to_another']);
    // Until the operator ends the link.
    await unlinkByEmail(shop.deps, EMAIL);
    expect((await asUser(first.cookie)).statusCode).toBe(401);
    expect((await logInAs(shop, { ...ANN, sub: 'ann-2' })).answer.statusCode).toBe(200);
    await expect(unlinkByEmail(shop.deps, 'none@example.com')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('groups', () => {
  beforeEach(() => shop.configure(NEW_USERS));

  test('create accounts with the role of the group, which have no password', async () => {
    const { answer } = await logInAs(shop, ANN);
    expect(answer.json().user).toMatchObject({
      email: EMAIL,
      role: 'user',
      approved: true,
      isProviderOnly: true,
    });
    await logInAs(shop, {
      sub: 'olga-1',
      email: 'olga@example.com',
      email_verified: true,
      groups: ['owners'],
    });
    expect(await rolesOf()).toEqual({
      'boss@example.com': 'admin',
      [EMAIL]: 'user',
      'olga@example.com': 'admin',
    });
    // No password opens them, and none is sent by email.
    for (const password of [PASSWORD, ' '])
      expect(
        (await shop.post('/api/login', { username: EMAIL, password, twoFactorToken: '' })).json().code,
      ).toBe('invalid_credentials');
    await shop.post('/api/forgot-password', { username: EMAIL });
    expect(
      shop.queue.sent.filter(
        ({ kind, data }) => kind === 'mail' && JSON.stringify(data).includes(answer.json().user.id),
      ),
    ).toEqual([]);
  });

  test('of administrators alone give no one else an account', async () => {
    await shop.configure({ createsAccounts: true, adminGroups: ['owners'] });
    expect((await logInAs(shop, ANN)).answer.json().code).toBe('not_allowed');
    expect(await audited(1)).toEqual(['provider_login.refused: no_account']);
    await aReadyUser(shop, EMAIL);
    expect((await logInAs(shop, ANN)).answer.json().user.role).toBe('user');
  });

  test.each<[string, Partial<StubPerson>, string]>([
    ['of which the provider tells nothing', { groups: undefined }, 'groups_missing'],
    ['that are not let in', { groups: ['guests'] }, 'not_in_group'],
    ['that are none', { groups: [] }, 'not_in_group'],
  ])('%s let no one in, not even a linked user', async (_name, over, reason) => {
    await logInAs(shop, ANN);
    const { answer } = await logInAs(shop, { ...ANN, ...over });
    expect(answer.json().code).toBe('not_allowed');
    expect(await audited(1)).toEqual([`provider_login.refused: ${reason}`]);
  });

  test('end what a person had by the provider, once it says that they have left', async () => {
    const first = await logInAs(shop, ANN);
    const call = await aTokenOf(first.cookie);
    await logInAs(shop, { ...ANN, groups: undefined });
    // It is not known that they have left.
    expect([(await asUser(first.cookie)).statusCode, await call()]).toEqual([200, 200]);
    await logInAs(shop, { ...ANN, groups: ['guests'] });
    expect([(await asUser(first.cookie)).statusCode, await call()]).toEqual([401, 401]);
  });

  test('change the role at the next login, which ends the other sessions', async () => {
    const first = await logInAs(shop, ANN);
    expect((await logInAs(shop, { ...ANN, groups: ['owners'] })).answer.json().user.role).toBe('admin');
    expect((await asUser(first.cookie)).statusCode).toBe(401);
    expect((await logInAs(shop, ANN)).answer.json().user.role).toBe('user');
    expect(await audited(2)).toEqual(['user.role_changed', 'login.succeeded']);
  });

  test('do not give a role again that was withdrawn here', async () => {
    await logInAs(shop, { ...ANN, groups: ['owners'] });
    await callAs(shop, shop.boss, 'PUT', `/api/users/${await idOf(shop, EMAIL)}/role`, { role: 'user' });
    expect((await logInAs(shop, { ...ANN, groups: ['owners'] })).answer.json().user.role).toBe('user');
    await callAs(shop, shop.boss, 'PUT', `/api/users/${await idOf(shop, EMAIL)}/role`, { role: 'admin' });
    expect((await logInAs(shop, { ...ANN, groups: ['owners'] })).answer.json().user.role).toBe('admin');
  });

  test('do not bring back an account that was removed, or lost its approval, here', async () => {
    await logInAs(shop, ANN);
    const id = await idOf(shop, EMAIL);
    await callAs(shop, shop.boss, 'PUT', `/api/users/${id}/withdraw-approval`);
    expect((await logInAs(shop, ANN)).answer.json().code).toBe('not_approved');
    await callAs(shop, shop.boss, 'DELETE', `/api/users/${id}`);
    expect((await logInAs(shop, ANN)).answer.json().code).toBe('not_allowed');
    expect(await audited(1)).toEqual(['provider_login.refused: removed']);
    // The way back: registration and approval.
    await aReadyUser(shop, EMAIL);
    expect((await logInAs(shop, ANN)).answer.statusCode).toBe(200);
  });

  test('leave the last administrator with a password in the role', async () => {
    await logInAs(shop, {
      sub: 'olga-1',
      email: 'olga@example.com',
      email_verified: true,
      groups: ['owners'],
    });
    const boss = { sub: 'boss-1', email: 'boss@example.com', email_verified: true, groups: ['sellers'] };
    expect((await logInAs(shop, boss)).answer.json().user.role).toBe('admin');
    const id = await idOf(shop, 'boss@example.com');
    expect((await callAs(shop, shop.boss, 'PUT', `/api/users/${id}/role`, { role: 'user' })).statusCode).toBe(
      409,
    );
  });
});

describe('what a browser brings back', () => {
  beforeEach(() => aReadyUser(shop, EMAIL));

  test.each<[string, (page: string) => Promise<{ statusCode: number; json(): { code: string } }>]>([
    ['in another browser', (page) => comeBack(shop, new Map(), shop.stub.logIn(page, ANN))],
    [
      'of another state',
      async (page) => {
        const jar = new Map();
        await leave(shop, jar);
        return comeBack(shop, jar, shop.stub.logIn(page, ANN));
      },
    ],
  ])('%s is refused', async (_name, act) => {
    const answer = await act(await leave(shop, new Map()));
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict']);
  });

  test('works once, within ten minutes, under the settings of the start', async () => {
    const jar = new Map<string, string>();
    const again = async (between: () => unknown) => {
      const query = shop.stub.logIn(await leave(shop, jar), ANN);
      const kept = new Map(jar);
      await between();
      return [(await comeBack(shop, jar, query)).statusCode, (await comeBack(shop, kept, query)).statusCode];
    };
    expect(await again(() => undefined)).toEqual([200, 409]);
    expect(await again(() => shop.advance(600_000))).toEqual([409, 409]);
    expect(await again(() => shop.configure({ clientSecret: '********' }))).toEqual([409, 409]);
  });

  test('that is an error of the provider shows none of its text', async () => {
    const jar = new Map<string, string>();
    const page = await leave(shop, jar);
    shop.stub.faults = { response: { code: null, error: 'access_denied', error_description: 'raw words' } };
    const answer = await comeBack(shop, jar, shop.stub.logIn(page, ANN));
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_allowed']);
    expect(answer.body).not.toContain('raw words');
    expect(await audited(1)).toEqual(['provider_login.failed: declined']);
  });

  test.each([
    ['/listings?brand=Mug#top', '/listings?brand=Mug#top'],
    ['//evil.example/x', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['https://evil.example', '/'],
    ['/auth', '/'],
    ['/api/logout', '/'],
    ['javascript:alert(1)', '/'],
  ])('leads from %s to our own page %s', async (wanted, path) => {
    const jar = new Map<string, string>();
    const page = await leave(shop, jar, wanted);
    expect((await comeBack(shop, jar, shop.stub.logIn(page, ANN))).json().returnTo).toBe(path);
  });

  test('leads to the first page where the path is too long once it is encoded', async () => {
    const jar = new Map<string, string>();
    const page = await leave(shop, jar, `/${'é'.repeat(1_900)}`);
    expect((await comeBack(shop, jar, shop.stub.logIn(page, ANN))).json().returnTo).toBe('/');
  });

  test('replaces the session of the browser', async () => {
    const { jar, cookie } = await logInAs(shop, ANN);
    await logInAs(shop, ANN, jar);
    expect((await asUser(cookie)).statusCode).toBe(401);
    expect(await audited(1)).toEqual(['session.replaced']);
  });
});

test('a login goes to the provider with the public address, and leaves no secret in the database', async () => {
  const jar = new Map<string, string>();
  const requested = shop.stub.asked(await leave(shop, jar));
  expect(requested.get('redirect_uri')).toBe('http://127.0.0.1:5000/auth/return');
  const { rows } = await shop.db.execute(sql`SELECT * FROM provider_logins`);
  const stored = JSON.stringify([
    ...rows,
    (await shop.db.execute(sql`SELECT * FROM identity_provider`)).rows,
  ]);
  const secrets = [
    jar.get('pricewright_login'),
    requested.get('state'),
    requested.get('nonce'),
    shop.stub.clientSecret,
  ];
  for (const secret of secrets) expect(stored).not.toContain(secret);
});

test('starts are limited by network until a login succeeds', async () => {
  await aReadyUser(shop, EMAIL);
  for (let start = 0; start < 50; start += 1) await leave(shop, new Map());
  const answer = await browse(shop, new Map(), '/api/openid/login', { returnTo: '/' });
  expect([answer.statusCode, answer.json().code]).toEqual([429, 'too_many_requests']);
  const elsewhere = await browse(shop, new Map(), '/api/openid/login', { returnTo: '/' }, '203.0.113.9');
  expect(elsewhere.statusCode).toBe(200);
});

test('made-up answers are limited by network, so that they do not fill the audit log', async () => {
  const answer = async () => (await comeBack(shop, new Map(), 'code=a&state=b')).statusCode;
  const rows = async () => (await shop.db.execute(sql`SELECT 1 FROM audit_log`)).rows.length;
  const before = await rows();
  for (let times = 0; times < 50; times += 1) expect(await answer()).toBe(409);
  const after = await rows();
  expect(await answer()).toBe(429);
  // One for each, and one for the wait.
  expect([after - before, await rows()]).toEqual([51, after]);
  await turnProviderOff(shop.db, shop.deps.now());
  const off = await rows();
  expect([await answer(), await rows()]).toEqual([404, off]);
});

describe('a second factor', () => {
  beforeEach(async () => {
    await shop.close();
    shop = await createProviderShop({ requiresTwoFactor: true });
  });

  /** An administrator's change that needs a second factor here. */
  const change = (cookie: string) =>
    callAs(shop, cookie, 'POST', '/api/openid/test', { issuer: 'https://x.example' });

  test('is the provider’s matter where an administrator has said so', async () => {
    const { cookie: boss } = await enrolAs(shop, shop.boss);
    await callAs(shop, boss, 'PUT', '/api/openid/settings', settings({ secondFactor: 'provider' }));
    const { cookie } = await logInAs(shop, OLGA);
    expect((await change(cookie)).statusCode).toBe(200);
  });

  test('else counts only where the provider reports it', async () => {
    const { cookie: boss } = await enrolAs(shop, shop.boss);
    const edit = settings({ secondFactor: 'reported', factorAcrs: ['gold'] });
    await callAs(shop, boss, 'PUT', '/api/openid/settings', edit);
    expect((await change((await logInAs(shop, OLGA)).cookie)).json().code).toBe('two_factor_missing');
    for (const reported of [{ amr: ['pwd', 'mfa'] }, { acr: 'gold' }])
      expect((await change((await logInAs(shop, { ...OLGA, ...reported })).cookie)).statusCode).toBe(200);
    for (const reported of [{ amr: ['pwd'] }, { acr: 'silver' }, { amr: 'mfa' }])
      expect((await change((await logInAs(shop, { ...OLGA, ...reported })).cookie)).statusCode).toBe(403);
    // An account with a second factor of its own is not opened without one.
    const owner = { sub: 'boss-1', email: 'boss@example.com', email_verified: true, groups: ['owners'] };
    expect((await logInAs(shop, owner)).answer.json().code).toBe('not_allowed');
    // Nor linked, which would keep its owner out.
    const other = { ...owner, sub: 'boss-2', acr: 'gold' };
    expect((await logInAs(shop, other)).answer.statusCode).toBe(200);
    expect((await logInAs(shop, { ...other, acr: 'silver' })).answer.json().code).toBe('not_allowed');
  });

  const OLGA = { sub: 'olga-1', email: 'olga@example.com', email_verified: true, groups: ['owners'] };
  const settings = (over: object) => ({
    isOn: true,
    issuer: shop.stub.issuer,
    clientId: shop.stub.clientId,
    clientSecret: shop.stub.clientSecret,
    label: 'Shop login',
    scopes: [],
    groupsClaim: 'groups',
    linksAccounts: true,
    factorAcrs: [],
    directLogin: 'all',
    version: null,
    ...NEW_USERS,
    ...over,
  });
});

describe('a step-up at the provider', () => {
  const protectedCall = (cookie: string) =>
    callAs(shop, cookie, 'POST', '/api/tokens', {
      name: `t${shop.deps.now()}`,
      scopes: ['read'],
      expiresAt: '2026-02-01T00:00:00Z',
    });

  /** A user without a password, whose login is an hour old less a minute. */
  async function oldLogin() {
    await shop.configure(NEW_USERS);
    const { jar, cookie } = await logInAs(shop, ANN);
    shop.advance(11 * 60_000);
    expect((await protectedCall(cookie)).json().code).toBe('step_up_required');
    return { jar, cookie };
  }
  const again = (jar: Map<string, string>) =>
    browse(shop, jar, '/api/openid/step-up', { returnTo: '/account' });

  test('confirms the session of the same person by a fresh login', async () => {
    const { jar, cookie } = await oldLogin();
    const page = (await again(jar)).json().address;
    expect(shop.stub.asked(page).get('prompt')).toBe('login');
    const answer = await comeBack(shop, jar, shop.stub.logIn(page, ANN));
    expect(answer.json()).toEqual({ user: null, returnTo: '/account' });
    expect((await protectedCall(cookie)).statusCode).toBe(201);
    expect(await audited(2)).toEqual(['provider_step_up.succeeded', 'api_token.created']);
    shop.advance(11 * 60_000);
    expect((await protectedCall(cookie)).json().code).toBe('step_up_required');
  });

  test.each<[string, StubPerson, number, string]>([
    ['a login that the provider remembered', ANN, 120, 'not_fresh'],
    ['another person', { ...ANN, sub: 'mallory-2' }, 0, 'another_person'],
  ])('is not done by %s', async (_name, person, secondsAgo, reason) => {
    const { jar, cookie } = await oldLogin();
    const page = (await again(jar)).json().address;
    const answer = await comeBack(shop, jar, shop.stub.logIn(page, person, secondsAgo));
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_allowed']);
    expect((await protectedCall(cookie)).json().code).toBe('step_up_required');
    expect(await audited(1)).toEqual([`provider_step_up.failed: ${reason}`]);
  });

  test.each<[string, NonNullable<StubFaults['claims']>]>([
    ['does not tell', ({ auth_time: _time, ...rest }) => rest],
    ['tells in milliseconds', (claims) => ({ ...claims, auth_time: Number(claims.auth_time) * 1_000 })],
  ])('is not done where the provider %s when the person logged in', async (_name, claims) => {
    const { jar, cookie } = await oldLogin();
    const page = (await again(jar)).json().address;
    shop.stub.faults = { claims };
    expect((await comeBack(shop, jar, shop.stub.logIn(page, ANN))).json().code).toBe('not_allowed');
    expect((await protectedCall(cookie)).json().code).toBe('step_up_required');
  });

  test('is not done from another session, nor after a logout', async () => {
    const { jar } = await oldLogin();
    const page = (await again(jar)).json().address;
    const query = shop.stub.logIn(page, ANN);
    const login = jar.get('pricewright_login') ?? '';
    const bob = (await shop.logIn('boss@example.com')).split('=')[1] ?? '';
    expect(
      (
        await comeBack(
          shop,
          new Map([
            ['pricewright', bob],
            ['pricewright_login', login],
          ]),
          query,
        )
      ).json().code,
    ).toBe('not_signed_in');
    const next = shop.stub.logIn((await again(jar)).json().address, ANN);
    await browse(shop, jar, '/api/logout', {});
    expect((await comeBack(shop, jar, next)).statusCode).toBe(409);
  });

  test.each<[string, StubPerson, string, number]>([
    ['has left the groups', { ...ANN, groups: ['guests'] }, 'not_allowed', 401],
    ['has another role now', { ...ANN, groups: ['owners'] }, 'not_signed_in', 401],
    ['has no groups that are told', { ...ANN, groups: undefined }, 'not_allowed', 200],
  ])('is not done by a person who %s', async (_name, person, code, status) => {
    const { jar, cookie } = await oldLogin();
    const page = (await again(jar)).json().address;
    expect((await comeBack(shop, jar, shop.stub.logIn(page, person))).json().code).toBe(code);
    expect((await asUser(cookie)).statusCode).toBe(status);
  });

  test('is refused where the session ends while the provider is asked', async () => {
    const { jar, cookie } = await oldLogin();
    const query = shop.stub.logIn((await again(jar)).json().address, ANN);
    const { identityProvider } = shop.deps;
    const exchange = identityProvider.exchange.bind(identityProvider);
    identityProvider.exchange = async (...given) => {
      await shop.post('/api/logout', {}, { headers: { cookie } });
      return exchange(...given);
    };
    expect((await comeBack(shop, jar, query)).json().code).toBe('not_signed_in');
    expect(await audited(1)).toEqual(['logout']);
  });

  test('finds the link of an issuer that names itself with a slash', async () => {
    const iss = `${shop.stub.issuer}/`;
    shop.stub.faults = {
      document: (document) => ({ ...document, issuer: iss }),
      claims: (claims) => ({ ...claims, iss }),
      response: { iss },
    };
    const { jar } = await oldLogin();
    expect((await again(jar)).statusCode).toBe(200);
  });

  test('is refused to a user who is not linked', async () => {
    await aReadyUser(shop, 'bob@example.com');
    const cookie = await shop.logIn('bob@example.com');
    const answer = await callAs(shop, cookie, 'POST', '/api/openid/step-up', { returnTo: '/' });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict']);
  });
});

describe('the settings', () => {
  test('show no secret, and keep it while the issuer stays', async () => {
    const shown = (await shop.get('/api/openid/settings', shop.boss)).json();
    expect(shown).toMatchObject({
      values: { clientSecret: '********', issuer: shop.stub.issuer },
      version: 1,
    });
    expect((await shop.configure({ clientSecret: '********', label: 'Keys' })).json().version).toBe(2);
    expect((await shop.get('/api/openid')).json()).toEqual({ provider: 'Keys', directLogin: 'all' });
    await aReadyUser(shop, EMAIL);
    expect((await logInAs(shop, ANN)).answer.statusCode).toBe(200);
    const moved = await shop.configure({ clientSecret: '********', issuer: 'https://evil.example' });
    expect(moved.json().fields).toHaveProperty('clientSecret');
  });

  test.each([
    [{ issuer: 'http://login.example.com' }, 'issuer'],
    [{ issuer: 'https://login.example.com/?a=1' }, 'issuer'],
    [{ createsAccounts: true }, 'userGroups'],
    [{ isOn: false, directLogin: 'administrators' as const }, 'directLogin'],
    [{ label: ' ' }, 'label'],
    [{ scopes: ['two words'] }, 'scopes.0'],
  ])('refuse %j', async (change, field) => {
    const answer = await shop.configure(change);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json().fields)).toEqual([field]);
  });

  test('refuse what was changed since they were read', async () => {
    expect((await shop.configure({ version: 7 })).json().code).toBe('conflict');
  });

  test('end the sessions that came by the provider when they decide about them anew', async () => {
    await aReadyUser(shop, EMAIL);
    const { cookie } = await logInAs(shop, ANN);
    const byPassword = await shop.logIn(EMAIL);
    await shop.configure({ label: 'Keys' });
    expect((await asUser(cookie)).statusCode).toBe(200);
    await shop.configure({ label: 'Keys', userGroups: ['sellers'] });
    expect([(await asUser(cookie)).statusCode, (await asUser(byPassword)).statusCode]).toEqual([401, 200]);
  });

  test('leave passwords to administrators, who are never locked out', async () => {
    await aReadyUser(shop, EMAIL);
    const before = await shop.logIn(EMAIL);
    await shop.configure({ directLogin: 'administrators' });
    expect([(await asUser(before)).statusCode, (await asUser(shop.boss)).statusCode]).toEqual([401, 200]);
    const login = (username: string, password = PASSWORD) =>
      shop.post('/api/login', { username, password, twoFactorToken: '' });
    expect((await login(EMAIL)).json().code).toBe('not_allowed');
    // Whether an account exists is for its owner alone.
    expect((await login(EMAIL, 'wrong words here')).json().code).toBe('invalid_credentials');
    const change = { username: EMAIL, password: PASSWORD, newPassword: 'eleven quiet owls listen' };
    expect((await shop.post('/api/change-password', change)).json().code).toBe('not_allowed');
    expect((await login('boss@example.com')).statusCode).toBe(200);
    expect((await logInAs(shop, ANN)).answer.statusCode).toBe(200);
    expect(await turnProviderOff(shop.db, shop.deps.now())).toBe(true);
    expect((await login(EMAIL)).statusCode).toBe(200);
    expect((await browse(shop, new Map(), '/api/openid/login', { returnTo: '/' })).statusCode).toBe(404);
  });

  test('end the API tokens of users who cannot log in without the provider', async () => {
    await shop.configure(NEW_USERS);
    await aReadyUser(shop, 'bob@example.com');
    const calls = [
      await aTokenOf((await logInAs(shop, ANN)).cookie),
      await aTokenOf(await shop.logIn('bob@example.com')),
    ];
    const answers = async () => [await calls[0]?.(), await calls[1]?.()];
    await shop.configure({ ...NEW_USERS, userGroups: ['sellers', 'packers'] });
    expect(await answers()).toEqual([200, 200]);
    await shop.configure({ ...NEW_USERS, isOn: false });
    expect(await answers()).toEqual([401, 200]);
  });

  test('a test says what is wrong', async () => {
    const ask = async (issuer: string) =>
      (await callAs(shop, shop.boss, 'POST', '/api/openid/test', { issuer })).json();
    expect(await ask(shop.stub.issuer)).toMatchObject({ isUsable: true });
    expect(await ask('http://127.0.0.1:9')).toMatchObject({
      isUsable: false,
      findings: [{ isProblem: true }],
    });
    expect(await ask('http://login.example.com')).toMatchObject({ isUsable: false });
  });
});
