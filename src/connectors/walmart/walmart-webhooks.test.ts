import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#connectors/connector.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { createWalmartWebhooks } from './walmart-webhooks.ts';

const ADDRESS = 'https://prices.example.com/api/webhooks/walmart';
const never = new AbortController().signal;

let fake: FakeWalmart;
let stored: Record<string, unknown>[];
beforeEach(async () => {
  fake = await startFakeWalmart();
  stored = [];
  fake.on('GET', /^\/v3\/webhooks\/subscriptions$/, () => ({ body: { events: [{ event: stored }] } }));
  fake.on('POST', /^\/v3\/webhooks\/subscriptions$/, () => ({ body: { events: [] } }));
  fake.on('DELETE', /^\/v3\/webhooks\/subscriptions\//, () => ({ body: { message: 'deleted' } }));
});
afterEach(() => fake.close());

const account = (over: Record<string, string> = {}): Account => ({
  credentials: { ...WALMART_PAIR, ...over },
  tokens: memoryVault(),
});
const hooks = () => createWalmartWebhooks({ baseUrl: fake.url, now: fake.clock.now, wait: fake.clock.wait });
const subscribe = (of = account()) => hooks().subscribe(of, ADDRESS, never);

type Made = {
  eventType: string;
  eventUrl: string;
  authDetails: { clientSecret: string; authMethod: string };
};
const made = (): Made[] =>
  fake.asked.flatMap(({ method, path, json }) =>
    method === 'POST' && path.includes('webhooks') ? (json as { events: Made[] }).events : [],
  );
const ended = () =>
  fake.asked.flatMap(({ method, path }) => (method === 'DELETE' ? [path.split('/').at(-1)] : []));

describe('subscribing', () => {
  test('subscribes to every kind once, signed with a secret that is not the client secret', async () => {
    await subscribe();
    const events = made();
    expect(events.map(({ eventType }) => eventType).toSorted()).toEqual([
      ...['BUY_BOX_CHANGED', 'OFFER_UNPUBLISHED', 'PO_CREATED', 'PO_LINE_AUTOCANCELLED'],
    ]);
    for (const { eventUrl, authDetails } of events) {
      expect(eventUrl).toMatch(/^https:\/\/prices\.example\.com\/api\/webhooks\/walmart\?key=[0-9a-f]{12}$/);
      expect(authDetails).toMatchObject({
        authMethod: 'HMAC',
        clientSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(JSON.stringify(events)).not.toContain(WALMART_PAIR.clientSecret);
    }
  });

  test("keeps correct subscriptions, in either of Walmart's list formats", async () => {
    await subscribe();
    stored = made().map((event, at) => ({ ...event, subscriptionId: `s-${at}`, status: 'ACTIVE' }));
    const before = made().length;
    await subscribe();
    fake.on('GET', /^\/v3\/webhooks\/subscriptions$/, () => ({ body: { events: stored } }));
    await subscribe();
    expect(made()).toHaveLength(before);
    expect(ended()).toEqual([]);
  });

  test('replaces those of an older secret, duplicates and inactive ones', async () => {
    await subscribe();
    const [first] = made();
    const good = { ...first, subscriptionId: 'good', status: 'ACTIVE' };
    stored = [
      good,
      { ...good, subscriptionId: 'double' },
      { ...good, subscriptionId: 'off', eventType: 'PO_LINE_AUTOCANCELLED', status: 'INACTIVE' },
      {
        ...good,
        subscriptionId: 'old',
        eventType: 'BUY_BOX_CHANGED',
        eventUrl: `${ADDRESS}?key=000000000000`,
      },
      { ...good, subscriptionId: 'of-others', eventUrl: 'https://other.example/api/webhooks/walmart' },
    ];
    const before = made().length;
    await subscribe();
    expect(ended()).toEqual(['double', 'off', 'old']);
    expect(
      made()
        .slice(before)
        .map(({ eventType }) => eventType),
    ).not.toContain(first?.eventType);
    expect(made().slice(before)).toHaveLength(3);
  });

  test('another client secret results in another mark and another secret', async () => {
    await subscribe();
    fake.on('POST', /^\/v3\/token$/, () => ({ body: { access_token: 't', expires_in: 900 } }));
    await subscribe(account({ clientSecret: 'secret-2' }));
    const secrets = new Set(made().map(({ authDetails }) => authDetails.clientSecret));
    expect([secrets.size, new Set(made().map(({ eventUrl }) => eventUrl)).size]).toEqual([2, 2]);
  });

  test("reports Walmart's refusal", async () => {
    const errors = [{ code: 'NOT_ALLOWED', description: 'The seller is not on the list.' }];
    fake.on('POST', /^\/v3\/webhooks\/subscriptions$/, () => ({ body: { errors } }));
    await expect(subscribe()).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('The seller is not on the list.'),
    });
  });

  test('creates none when the list cannot be read', async () => {
    fake.on('GET', /^\/v3\/webhooks\/subscriptions$/, () => ({ body: { events: 'none' } }));
    await expect(subscribe()).rejects.toMatchObject({ fault: 'unreadable' });
    expect(made()).toEqual([]);
  });
});

test('ending it ends those of our address, and one that is already deleted is not an error', async () => {
  fake.on('DELETE', /^\/v3\/webhooks\/subscriptions\/deleted/, () => ({ status: 404, body: {} }));
  const one = { eventType: 'PO_CREATED', status: 'ACTIVE' };
  stored = [
    { ...one, subscriptionId: 'deleted', eventUrl: ADDRESS },
    { ...one, subscriptionId: 'ours', eventUrl: `${ADDRESS}?key=000000000000` },
    { ...one, subscriptionId: 'of-others', eventUrl: `${ADDRESS}-2` },
  ];
  await hooks().unsubscribe(account(), ADDRESS, never);
  expect(ended()).toEqual(['deleted', 'ours']);
});

test.each([
  ['https://prices.example.com/api', 'https://marketplace.walmartapis.com', true],
  ['http://prices.example.com/api', 'https://marketplace.walmartapis.com', false],
  ['http://127.0.0.1:5000/api', 'http://127.0.0.1:5050', true],
])('events of a shop go to %s from %s: %s', (address, baseUrl, expected) => {
  const { isPossible } = createWalmartWebhooks({ baseUrl });
  expect(isPossible(account(), address)).toBe(expected);
  expect(isPossible(account({ clientSecret: '' }), address)).toBe(false);
});
