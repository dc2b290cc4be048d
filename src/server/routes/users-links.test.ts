import { afterEach, beforeEach, expect, test } from 'vitest';
import { aWaitingUser, callAs, deliver, tokenIn } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const HOUR = 60 * 60_000;

let shop: TestApp;
let admin: string;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
});
afterEach(() => shop.close());

test('without a mail server an administrator passes on a new link', async () => {
  const id = await aWaitingUser(shop, 'ann@example.com');
  const [email] = await deliver(shop);
  const answer = await callAs(shop, admin, 'POST', `/api/users/${id}/verification-link`);
  const { url, expiresAt } = answer.json();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:5000\/verify-email\?token=[\w-]{43}$/);
  expect(expiresAt).toBe(new Date(shop.deps.now() + 24 * HOUR).toISOString());
  expect((await shop.get(`/api/verify-email/${tokenIn(email?.text)}`)).statusCode).toBe(404);
  expect((await shop.get(`/api/verify-email/${tokenIn(url)}`)).statusCode).toBe(200);
  const again = await callAs(shop, admin, 'POST', `/api/users/${id}/verification-link`);
  expect(again.json()).toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/already verified/),
  });
  expect(shop.log.join('')).not.toContain(tokenIn(url));
});

test('where email is sent no link is returned', async () => {
  const sending = await createTestApp({ db: shop.db, sendsEmail: true });
  const id = await aWaitingUser(shop, 'ann@example.com');
  const answer = await callAs(sending, admin, 'POST', `/api/users/${id}/verification-link`);
  expect(answer.statusCode).toBe(409);
  expect((await sending.get('/api/users', admin)).json()).toContainEqual(
    expect.objectContaining({ id, verifiesBy: 'email' }),
  );
  await sending.close();
});

test('an unknown id is a 404 for each call about a user, however it is written', async () => {
  for (const [method, verb] of [
    ['PUT', 'approve'],
    ['PUT', 'withdraw-approval'],
    ['PUT', 'disable-2fa'],
    ['POST', 'verification-email'],
    ['POST', 'verification-link'],
  ] as const) {
    for (const id of ['0', 'not-a-uuid', '00000000-0000-4000-8000-000000000000', 'a'.repeat(99)]) {
      const answer = await callAs(shop, admin, method, `/api/users/${id}/${verb}`);
      expect(answer.json(), `${verb} ${id}`).toMatchObject({ code: 'not_found' });
    }
  }
});
