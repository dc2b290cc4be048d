import { afterEach, beforeEach, expect, test } from 'vitest';
import { endAlerts, insertAlerts, listAlerts } from '#db/queries/repricing/alerts.ts';
import { hours } from '#domain/units.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { updateAlerts } from '#usecases/repricing/alerts/update-alerts.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const HALTED = { kind: 'halted', subject: 'engine', message: 'Repricing was halted.', link: '/' } as const;
const FAILING = { kind: 'connection', subject: 'ebay', message: 'eBay is away.', link: '/settings' } as const;
const read = async (as = cookie) => (await shop.get('/api/alerts', as)).json();

test('active alerts come before ended ones, which are removed after a day', async () => {
  await insertAlerts(shop.db, [HALTED], shop.deps.now());
  shop.advance(60_000);
  await insertAlerts(shop.db, [FAILING], shop.deps.now());
  const [first] = await listAlerts(shop.db, shop.deps.now(), 1);
  await endAlerts(shop.db, [first?.id ?? 0], shop.deps.now());
  expect(await read()).toMatchObject({
    unseen: 1,
    alerts: [
      { kind: 'halted', endedAt: null },
      { kind: 'connection', endedAt: new Date(shop.deps.now()).toISOString() },
    ],
  });
  shop.advance(hours(24) + 1);
  cookie = await shop.logIn('boss@example.com');
  expect((await read()).alerts).toHaveLength(1);
});

test('each user has their own seen marks', async () => {
  await shop.post('/api/register', aRegistration());
  await approveUser(shop.deps, 'ann@example.com', false);
  const ann = await shop.logIn('ann@example.com');
  await insertAlerts(shop.db, [HALTED], shop.deps.now());
  const seen = await shop.post('/api/alerts/seen', {}, { headers: { cookie: ann } });
  expect(seen.json()).toMatchObject({ unseen: 0, alerts: [{ kind: 'halted' }] });
  expect(await read()).toMatchObject({ unseen: 1 });
  shop.advance(1);
  await insertAlerts(shop.db, [FAILING], shop.deps.now());
  expect(await read(ann)).toMatchObject({ unseen: 1 });
});

test('a proxy without a forwarded client address is an alert for administrators until a day after it', async () => {
  const behind = await createTestApp({
    publicUrl: 'https://prices.example.com',
    trustedProxies: ['127.0.0.1'],
  });
  const reported = async (): Promise<string[]> => {
    await updateAlerts({ ...behind.deps, queue: behind.queue });
    const open = await listAlerts(behind.db, behind.deps.now(), 50);
    return open.filter(({ endedAt }) => endedAt === null).map(({ kind }) => kind);
  };
  const call = (headers: Record<string, string>) =>
    behind.app.inject({ url: '/api/first-admin', headers: { host: 'prices.example.com', ...headers } });
  await call({ 'x-forwarded-for': '203.0.113.9' });
  expect(await reported()).toEqual([]);
  await call({});
  expect(await reported()).toEqual(['hidden_clients']);
  expect(await listAlerts(behind.db, behind.deps.now(), 50, 'user')).toEqual([]);
  behind.advance(hours(20));
  await call({});
  behind.advance(hours(20));
  expect(await reported()).toEqual(['hidden_clients']);
  behind.advance(hours(5));
  expect(await reported()).toEqual([]);
  await behind.close();
});

test('so is one that rewrites Host, when a browser opens a page, and no program that calls directly', async () => {
  const behind = await createTestApp({
    publicUrl: 'https://prices.example.com',
    trustedProxies: ['10.0.0.0/24'],
  });
  const warningsAfter = async (remoteAddress: string, headers: Record<string, string>): Promise<number> => {
    const { statusCode } = await behind.app.inject({
      url: '/api/first-admin',
      remoteAddress,
      headers: { host: '10.0.0.9:5000', ...headers },
    });
    expect(statusCode).toBe(200);
    return behind.log.filter((line) => line.includes('hides client addresses')).length;
  };
  const browser = { 'sec-fetch-mode': 'navigate' };
  expect(await warningsAfter('10.0.0.5', { ...browser, 'x-forwarded-for': '203.0.113.9' })).toBe(0);
  expect(await warningsAfter('10.0.0.5', {})).toBe(0);
  expect(await warningsAfter('10.0.1.5', browser)).toBe(0);
  expect(await warningsAfter('10.0.0.5', browser)).toBe(1);
  await behind.close();
});
