import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const FORM = {
  name: 'Warehouse',
  address: 'https://hooks.example.com/in?key=abc#top',
  events: ['import.finished', 'price.changed', 'price.changed'],
};
const PATH = '/api/webhook-receivers';

let shop: TestApp;
let boss: string;
beforeEach(async () => {
  shop = await createTestApp();
  boss = await shop.admin();
});
afterEach(() => shop.close());

const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  shop.post(`${PATH}${path}`, payload, {
    method,
    headers: { cookie: boss },
  });
const list = async () => (await shop.get(PATH, boss)).json();

test('a receiver is added, changed, tested and deleted; its secret is shown once', async () => {
  const added = await send('POST', '', FORM);
  expect(added.statusCode).toBe(201);
  const { id, secret } = added.json();
  expect(secret).toMatch(/^whsec_/);
  const createdAt = new Date(shop.deps.now()).toISOString();
  expect(await list()).toEqual([
    {
      id,
      name: 'Warehouse',
      address: 'https://hooks.example.com/in?key=abc',
      events: ['price.changed', 'import.finished'],
      isOn: true,
      offReason: null,
      hasSecret: true,
      formerSecretUntil: null,
      failingSince: null,
      waitingCount: 0,
      failedCount: 0,
      createdAt,
      createdBy: 'boss@example.com',
    },
  ]);
  const { deliveryId } = (await send('POST', `/${id}/test`)).json();
  const log = (await shop.get(`${PATH}/${id}/deliveries`, boss)).json();
  expect(log).toEqual({
    total: 1,
    rows: [
      {
        id: deliveryId,
        type: 'test',
        timestamp: createdAt,
        state: 'waiting',
        nextAttemptAt: createdAt,
        attempts: [],
        data: {},
      },
    ],
  });
  expect((await shop.get(`${PATH}/${id}/deliveries?state=failed`, boss)).json().total).toBe(0);
  const replaced = (await send('POST', `/${id}/secret`)).json();
  expect(replaced.secret).not.toBe(secret);
  await send('PUT', `/${id}`, { ...FORM, name: 'Robot', isOn: false });
  expect(await list()).toMatchObject([{ name: 'Robot', isOn: false, waitingCount: 1 }]);
  expect((await send('POST', `/${id}/test`)).statusCode).toBe(409);
  expect((await send('DELETE', `/${id}`)).statusCode).toBe(200);
  expect(await list()).toEqual([]);
});

test.each([['http://hooks.example.com/'], ['https://10.0.0.1/'], ['https://user:pass@hooks.example.com/']])(
  'the address %s is refused at its field',
  async (address) => {
    const answer = await send('POST', '', { ...FORM, address });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields).toHaveProperty('address');
  },
);

test('a name is used once, also after a change, and there are at most ten receivers', async () => {
  for (let number = 0; number < 10; number += 1)
    await send('POST', '', { ...FORM, name: `Number ${number}` });
  expect((await send('POST', '', { ...FORM, name: 'One more' })).statusCode).toBe(409);
  const [{ id }] = await list();
  await send('DELETE', `/${id}`);
  expect((await send('POST', '', { ...FORM, name: 'NUMBER 1' })).json().fields).toHaveProperty('name');
  const [other] = await list();
  const renamed = await send('PUT', `/${other.id}`, { ...FORM, name: 'number 2', isOn: true });
  expect(renamed.statusCode).toBe(409);
  const both = (await list())
    .slice(-2)
    .map(({ id: each }: { id: string }) => send('PUT', `/${each}`, { ...FORM, name: 'Twin', isOn: true }));
  expect((await Promise.all(both)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('a delivery is not found at another receiver', async () => {
  const [one, two] = [
    (await send('POST', '', FORM)).json(),
    (await send('POST', '', { ...FORM, name: 'Robot' })).json(),
  ];
  const { deliveryId } = (await send('POST', `/${one.id}/test`)).json();
  expect((await send('POST', `/${two.id}/deliveries/${deliveryId}/redeliver`)).statusCode).toBe(404);
  expect((await send('POST', `/${one.id}/deliveries/${deliveryId}/redeliver`)).json()).toEqual({
    deliveryId,
  });
  expect((await shop.get(`${PATH}/${two.id}/deliveries`, boss)).json().total).toBe(0);
});
