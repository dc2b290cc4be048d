import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#connectors/connector.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createShopifyWebhooks } from '#connectors/shopify/shopify-webhooks.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { createWalmartWebhooks } from '#connectors/walmart/walmart-webhooks.ts';
import { listEventSubscriptions } from '#db/queries/marketplaces/connections/event-subscriptions.ts';
import { setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { openSandboxShop } from '#tests/support/sandbox-shop.ts';
import { type RunningLoop, startLoops } from '#usecases/background/supervised-loop.ts';
import type { ConnectionState } from '#usecases/marketplaces/connections/connections.ts';
import { type SubscriptionLoop, subscriptionLoops } from './maintain-subscriptions.ts';

const HERE = 'http://127.0.0.1:9';
const NAMES = ['shopify', 'walmart'] as const;
const never = new AbortController().signal;
type Name = (typeof NAMES)[number];

const fixture = engineFixture();
let sandbox: Sandbox;
let states: Record<Name, ConnectionState>;
let running: RunningLoop[];
let errors: unknown[];
beforeEach(async () => {
  sandbox = await openSandboxShop();
  states = { shopify: connected('shopify'), walmart: connected('walmart') };
  running = [];
  errors = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await sandbox.close();
});

function accountOf(name: Name, over: Readonly<Record<string, string>> = {}): Account {
  return { credentials: { ...sandbox.credentials[name], ...over }, tokens: memoryVault() };
}

function connected(name: Name, over: Readonly<Record<string, string>> = {}): ConnectionState {
  const options = { baseUrl: sandbox.addresses[name] };
  const connector = name === 'shopify' ? createShopify(options) : createWalmart(options);
  const account = accountOf(name, over);
  return { kind: 'connected', connection: { marketplace: name, connector, account, generation: 0 } };
}

/** By the clock of the machine: what a marketplace allows in a second has to come back. */
function hooks() {
  return {
    shopify: createShopifyWebhooks({ baseUrl: sandbox.addresses.shopify }),
    walmart: createWalmartWebhooks({ baseUrl: sandbox.addresses.walmart }),
  };
}

function loops(publicUrl: string | null = HERE, owner = 'us'): SubscriptionLoop[] {
  const deps = {
    db: fixture.db,
    now: () => sandbox.world.now(),
    owner,
    publicUrl,
    connections: { stateOf: async (name: string) => states[name as Name] },
    onError: (error: unknown) => errors.push(error),
  };
  return subscriptionLoops(deps, hooks());
}

function start(publicUrl: string | null = HERE, owner = 'us'): RunningLoop {
  const subscribing = startLoops(loops(publicUrl, owner), 50);
  running.push(subscribing);
  return subscribing;
}

const subscription = async (name: Name) => (await listEventSubscriptions(fixture.db)).get(name);
const flows = (name: Name) =>
  expect.poll(async () => (await subscription(name))?.since ?? null).not.toBeNull();
/** Changes of subscriptions that were requested there, by the names of the calls. */
const changes = (name: Name): string[] =>
  sandbox.exchanges
    .list()
    .filter(({ service, status }) => service === name && status === 200)
    .flatMap(({ operation }) =>
      /(create|delete).*Subscription|Subscription(Create|Delete)/.test(operation ?? '')
        ? [operation ?? '']
        : [],
    );
/** Where events of a marketplace go now. */
async function addresses(name: Name): Promise<string[]> {
  const before = sandbox.exchanges.list().length;
  // Asked in the words of the connector itself: an address of its own finds nothing to end.
  await hooks()[name].unsubscribe(accountOf(name), `${HERE}/nowhere`, never);
  const [answer] = sandbox.exchanges
    .list()
    .slice(before)
    // The loop of the other marketplace may ask in between.
    .filter(({ service, operation }) => service === name && /ubscriptions$/.test(operation ?? ''));
  return [...(answer?.responseBody ?? '').matchAll(/"(?:uri|eventUrl)":"([^"]+)"/g)].map(
    ([, url]) => url ?? '',
  );
}

const COUNTS = { shopify: 5, walmart: 4 };

describe.each(NAMES)('the subscriptions of %s', (name) => {
  test('lead to our public address, and are made once', async () => {
    const first = start();
    await flows(name);
    const path = `${HERE}/api/webhooks/${name}`;
    const led = await addresses(name);
    expect(led).toHaveLength(COUNTS[name]);
    for (const url of led) expect(url.split('?')[0]).toBe(path);
    expect(await subscription(name)).toMatchObject({ address: path, problem: null });
    await first.stop();
    const made = changes(name).length;
    await fixture.db.execute(sql`UPDATE event_subscriptions SET since = NULL`);
    start();
    await flows(name);
    expect(changes(name)).toHaveLength(made);
  });

  test('are neither made nor ended by a restored database, until an administrator confirms it', async () => {
    const theirs = `${HERE}/of-the-original`;
    await hooks()[name].subscribe(accountOf(name), theirs, never);
    await fixture.db.execute(sql`INSERT INTO event_subscriptions (marketplace, since, address)
      VALUES (${name}, now(), ${theirs})`);
    const made = changes(name).length;
    await setUnconfirmedRestore(fixture.db, fixture.now);
    const restored = loops();
    const host = { stopping: never, wait: async () => undefined, rest: async () => undefined };
    const turn = () => Promise.all(restored.map((loop) => loop.turn(host)));
    await turn();
    expect([changes(name).length, (await subscription(name))?.address]).toEqual([made, theirs]);
    await setUnconfirmedRestore(fixture.db, null);
    await turn();
    expect((await subscription(name))?.address).toBe(`${HERE}/api/webhooks/${name}`);
    await Promise.all(restored.map((loop) => loop.release()));
  });

  test('that an earlier release made with its own path are renewed with the path of today', async () => {
    const former = `${HERE}/api/incoming/${name}`;
    await hooks()[name].subscribe(accountOf(name), former, never);
    await fixture.db.execute(sql`INSERT INTO event_subscriptions (marketplace, since, address)
      VALUES (${name}, now(), ${former})`);
    const path = `${HERE}/api/webhooks/${name}`;
    start();
    await expect.poll(async () => (await subscription(name))?.address).toBe(path);
    const led = await addresses(name);
    expect(led).toHaveLength(COUNTS[name]);
    expect(new Set(led.map((url) => url.split('?')[0]))).toEqual(new Set([path]));
  });

  test('end when the marketplace is disabled or its credentials are removed', async () => {
    start();
    await flows(name);
    states[name] = { kind: 'paused', why: 'Switched off.' };
    await expect.poll(() => subscription(name)).toBeUndefined();
    expect(await addresses(name)).toEqual([]);
  });

  test('end after a start without a public address, and follow another one', async () => {
    await start().stop();
    start();
    await flows(name);
    await Promise.all(running.map((each) => each.stop()));
    start('http://localhost:9');
    await expect
      .poll(async () => new Set((await addresses(name)).map((url) => new URL(url).host)))
      .toEqual(new Set(['localhost:9']));
    await expect
      .poll(async () => (await subscription(name))?.address)
      .toBe(`http://localhost:9/api/webhooks/${name}`);
    await Promise.all(running.map((each) => each.stop()));
    start(null);
    await expect.poll(() => subscription(name)).toBeUndefined();
    expect(await addresses(name)).toEqual([]);
  });

  test('are not requested without a public address or a connection', async () => {
    states[name] = { kind: 'file' };
    await start().stop();
    states[name] = connected(name);
    await start(null).stop();
    expect(changes(name)).toEqual([]);
    expect(await subscription(name)).toBeUndefined();
  });

  test('are kept by one process at a time', async () => {
    start(HERE, 'one');
    await flows(name);
    const requested = changes(name).length;
    start(HERE, 'two');
    await running[1]?.stop();
    expect(changes(name)).toHaveLength(requested);
  });
});

test('Shopify without a client secret has nothing to sign with, and is left as it is', async () => {
  states.shopify = connected('shopify', { clientSecret: '' });
  start();
  await flows('walmart');
  expect(await subscription('shopify')).toBeUndefined();
  expect(changes('shopify')).toEqual([]);
});

test("a rejection is shown with the marketplace's message, and retried with other credentials", async () => {
  states.shopify = connected('shopify', { apiKey: 'shpat_made_up' });
  start('http://example.com');
  await expect.poll(async () => (await subscription('shopify'))?.problem).toMatch(/Shopify/);
  states.shopify = connected('shopify');
  await expect
    .poll(async () => (await subscription('shopify'))?.problem)
    .toBe('Shopify does not send events to this address. It says: Address is not allowed');
  expect(errors).toEqual([]);
});
