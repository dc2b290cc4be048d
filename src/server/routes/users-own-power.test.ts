import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { aReadyUser, aWaitingUser, callAs, idOf } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
});
afterEach(() => shop.close());

const userOf = (email: string) => findUserByEmail(shop.db, email);

test.each([
  ['a withdrawal and a lower role', 'withdraw-approval', 'role'],
  ['two withdrawals', 'withdraw-approval', 'withdraw-approval'],
])('%s of the last two administrators at once leave one', async (_, first, second) => {
  const boss = await idOf(shop, 'boss@example.com');
  const ann = await aReadyUser(shop, 'ann@example.com', true);
  for (let round = 0; round < 5; round += 1) {
    const [bosses, anns] = [await shop.logIn('boss@example.com'), await shop.logIn('ann@example.com')];
    const body = (verb: string) => (verb === 'role' ? { role: 'user' } : undefined);
    const answers = await Promise.all([
      callAs(shop, bosses, 'PUT', `/api/users/${ann}/${first}`, body(first)),
      callAs(shop, anns, 'PUT', `/api/users/${boss}/${second}`, body(second)),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    const left = await shop.db.execute(sql`select from users where role = 'admin' and approved`);
    expect(left.rows).toHaveLength(1);
    await shop.db.execute(sql`update users set role = 'admin', approved = true`);
  }
});

test('no user approves themselves or makes themselves an administrator', async () => {
  const carl = await aWaitingUser(shop, 'carl@example.com');
  const ann = await aReadyUser(shop, 'ann@example.com');
  const anns = await shop.logIn('ann@example.com');
  for (const id of [carl, ann]) {
    for (const cookie of [anns, '']) {
      const answers = [
        await callAs(shop, cookie, 'PUT', `/api/users/${id}/approve`),
        await callAs(shop, cookie, 'PUT', `/api/users/${id}/role`, { role: 'admin' }),
        await callAs(shop, cookie, 'POST', `/api/users/${id}/verification-link`),
      ];
      const status = cookie === '' ? 401 : 403;
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([status, status, status]);
    }
  }
  expect(await userOf('carl@example.com')).toMatchObject({ approved: false, emailVerified: false });
  expect(await userOf('ann@example.com')).toMatchObject({ role: 'user' });
});
