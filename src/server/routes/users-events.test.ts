import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen, type Signal } from '#db/listen.ts';
import { aWaitingUser, callAs, deliver, tokenIn } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp();
});
afterEach(() => shop.close());

test('every process is notified of a registration, verification or approval, without a name', async () => {
  const admin = await shop.admin();
  const received: Signal[] = [];
  const listener = await listen(shop.url, (signal) => received.push(signal));
  const userSignals = (): Signal[] =>
    received.filter((signal) => signal.kind === 'changed' && signal.channel === 'pricewright_users');
  const signaled = (times: number) => expect.poll(() => userSignals().length).toBe(times);
  const id = await aWaitingUser(shop, 'ann@example.com');
  await signaled(1);
  const [email] = await deliver(shop);
  await shop.get(`/api/verify-email/${tokenIn(email?.text)}`);
  await signaled(2);
  await callAs(shop, admin, 'PUT', `/api/users/${id}/approve`);
  await signaled(3);
  expect(userSignals()).toEqual(
    Array.from({ length: 3 }, () => ({ kind: 'changed', channel: 'pricewright_users', ids: [] })),
  );
  await listener.close();
});
