import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findUserByUsername } from '#db/queries/identity/users.ts';
import { aReadyUser, callAs, idOf } from '#tests/support/people.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { unlockUser } from '#usecases/identity/accounts/unlock-user.ts';

const login = (username: string, password = PASSWORD) => ({ username, password, twoFactorToken: '' });

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

describe('an attacker with unlimited attempts', () => {
  const ANN = 'ann@example.com';
  const STRANGER = '203.0.113.7';
  /** The mark of the browser that Ann logged in with before. */
  let mark: string;
  beforeEach(async () => {
    await shop.admin();
    await aReadyUser(shop, ANN);
    const { cookies } = await shop.post('/api/login', login(ANN));
    const cookie = cookies.find(({ name }) => name === 'pricewright_browser');
    mark = `${cookie?.name}=${cookie?.value}`;
  });

  const tryAs = async (remoteAddress: string, password = 'wrong one', cookie = ''): Promise<number> =>
    (await shop.post('/api/login', login(ANN, password), { remoteAddress, headers: { cookie } })).statusCode;

  test('locks out only callers of the same network, and never a browser that logged in before', async () => {
    for (let n = 0; n < 5; n += 1) expect(await tryAs(STRANGER)).toBe(401);
    // Even one who uses every attempt.
    for (let n = 0; n < 6; n += 1) {
      shop.advance(15 * 60_000);
      expect(await tryAs(STRANGER)).toBe(401);
    }
    expect(await tryAs(STRANGER, PASSWORD)).toBe(429);
    expect(await tryAs(STRANGER, PASSWORD, mark)).toBe(200);
    expect(await tryAs('198.51.100.9', PASSWORD)).toBe(200);
  });

  test('has a thousand attempts a day together with all others, from however many networks', async () => {
    await shop.db.execute(sql`insert into login_attempts (kind, subject, count, window_started_at)
      select 'login', 'account:' || encode(sha256(convert_to(${ANN}, 'UTF8')), 'hex'), 999, ${new Date(shop.deps.now()).toISOString()}::timestamptz
      on conflict (kind, subject) do update set count = 999`);
    expect(await tryAs('203.0.113.8')).toBe(401);
    expect(await tryAs('203.0.113.9', PASSWORD)).toBe(429);
    expect(await tryAs('203.0.113.9', PASSWORD, mark)).toBe(200);
  });

  test('gains nothing by the mark of another account, and a browser has five attempts too', async () => {
    const { cookies } = await shop.post('/api/login', login('boss@example.com'));
    const others = `pricewright_browser=${cookies.find(({ name }) => name === 'pricewright_browser')?.value}`;
    for (let n = 0; n < 5; n += 1) expect(await tryAs(STRANGER, 'wrong one', others)).toBe(401);
    expect(await tryAs(STRANGER)).toBe(429);
    for (let n = 0; n < 5; n += 1) expect(await tryAs(STRANGER, 'wrong one', mark)).toBe(401);
    expect(await tryAs('198.51.100.9', PASSWORD, mark)).toBe(429);
  });

  test('no longer delays logins once the account is unlocked from the command line', async () => {
    for (let n = 0; n < 6; n += 1) await tryAs(STRANGER);
    expect(await tryAs(STRANGER, PASSWORD)).toBe(429);
    await unlockUser(shop.deps, 'Ann@Example.com');
    expect(await tryAs(STRANGER, PASSWORD)).toBe(200);
    const { rows } = await shop.db.execute(sql`select actor, target_id from audit_log
      where action = 'user.unlocked'`);
    const ann = await findUserByUsername(shop.db, ANN);
    expect(rows).toEqual([{ actor: 'command line', target_id: ann?.id }]);
    await expect(unlockUser(shop.deps, 'unknown@example.com')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('cannot use an earlier mark after the password was reset', async () => {
    const admin = await shop.logIn('boss@example.com');
    const url = `/api/users/${await idOf(shop, ANN)}/reset-password`;
    await callAs(shop, admin, 'PUT', url, { newPassword: 'temporary words of boss' });
    for (let n = 0; n < 5; n += 1) await tryAs(STRANGER);
    expect(await tryAs(STRANGER, 'wrong one', mark)).toBe(429);
  });
});
