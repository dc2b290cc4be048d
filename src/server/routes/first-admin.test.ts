import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createSetupToken } from '#usecases/identity/accounts/setup-link.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

const ELSEWHERE: InjectOptions = { headers: { 'x-forwarded-for': '203.0.113.9' } };
const ask = async (over: InjectOptions = {}, of = shop) =>
  of.app.inject({ method: 'GET', url: '/api/first-admin', ...over });

test('without an administrator the machine itself registers, all others need the setup link', async () => {
  expect((await shop.get('/api/first-admin')).json()).toEqual({ way: 'registration' });
  for (const over of [ELSEWHERE, { remoteAddress: '10.0.0.9' }]) {
    expect((await ask(over)).json()).toEqual({ way: 'setup_link' });
  }
});

test('it matches what the registration allows', async () => {
  const open = await createTestApp({ boundToLoopback: false });
  expect((await ask({}, open)).json()).toEqual({ way: 'setup_link' });
  expect((await open.post('/api/register', aRegistration())).json()).toMatchObject({ role: 'user' });
  await open.close();
});

test('an account that waits for approval does not count; an administrator does, for all and permanently', async () => {
  await shop.post('/api/register', aRegistration({ email: 'early@example.com' }), ELSEWHERE);
  expect((await ask()).json()).toEqual({ way: 'registration' });
  await shop.admin();
  for (const over of [{}, ELSEWHERE]) expect((await ask(over)).json()).toEqual({ way: 'taken' });
});

test('it returns nothing else: neither the link nor whether one was printed', async () => {
  const before = await ask(ELSEWHERE);
  const token = await createSetupToken(shop.db, shop.deps.now());
  const after = await ask(ELSEWHERE);
  expect(after.body).toBe(before.body);
  expect(after.body).not.toContain(token);
  expect(after.headers['cache-control']).toBe('no-store');
});
