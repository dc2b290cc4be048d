import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createOfferNotifications } from '#connectors/amazon/offer-notifications.ts';
import { listEventSubscriptions } from '#db/queries/marketplaces/connections/event-subscriptions.ts';
import { setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { cents } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';
import { addListing } from '#tests/support/seed.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { type RunningLoop, startLoop } from '#usecases/background/supervised-loop.ts';
import type { ConnectionState } from '#usecases/marketplaces/connections/connections.ts';
import { NOTIFICATIONS_FAILED } from '#usecases/sync-errors.ts';
import { OfferListening } from './listen-for-offers.ts';

const MINUTE = 60_000;
const SKU = 'PW-001-1';

const fixture = engineFixture();
let sandbox: Sandbox;
let state: ConnectionState;
let running: RunningLoop[];
let errors: unknown[];
let listingId: number;

beforeEach(async () => {
  sandbox = await openSandboxShop();
  vi.spyOn(sandbox.world.queue, 'remove');
  state = connected();
  running = [];
  errors = [];
  const itemId = sandbox.world.market('amazon').item(SKU)?.itemId ?? '';
  listingId = await addListing(fixture.db, SKU, { marketplace: 'amazon', marketplaceItemId: itemId });
  await fixture.db.execute(sql`INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at)
    VALUES (${listingId}, '{}', true, now())`);
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await sandbox.close();
});

function connected(over: Readonly<Record<string, string>> = {}): ConnectionState {
  const connector = createAmazon({ baseUrl: sandbox.addresses.amazon });
  const credentials = { ...sandbox.credentials.amazon, ...over };
  const account = { credentials, tokens: memoryVault() };
  return { kind: 'connected', connection: { marketplace: 'amazon', connector, account, generation: 0 } };
}

function start(owner = 'us'): RunningLoop {
  const now = () => sandbox.world.now();
  const deps = {
    db: fixture.db,
    now,
    owner,
    connections: { stateOf: async () => state },
    notifications: createOfferNotifications({ baseUrl: sandbox.addresses.amazon, now }),
    onError: (error: unknown) => errors.push(error),
  };
  const listening = startLoop(new OfferListening(deps), 50);
  running.push(listening);
  return listening;
}

const subscription = async () => (await listEventSubscriptions(fixture.db)).get('amazon');
const flows = () => expect.poll(async () => (await subscription())?.since ?? null).not.toBeNull();
const kept = async () =>
  (
    await fixture.db.execute(
      sql`SELECT price::text, is_ours AS ours FROM competitor_offers WHERE listing_id = ${listingId} ORDER BY id`,
    )
  ).rows;
const ourPrice = async () => (await kept()).find(({ ours }) => ours)?.price;
/** Our own offer changes there, and the message about it is put into the queue. */
function change(price: number): void {
  sandbox.world.market('amazon').edit(SKU, { price: cents(price) });
  pass(sandbox, 30 * MINUTE);
}
/** How many messages were removed from the queue. */
const removed = () => vi.mocked(sandbox.world.queue.remove).mock.results.filter(({ value }) => value).length;

describe('messages about changed offers', () => {
  test('are stored like a sync, wake the engine for their listings, and are removed after that', async () => {
    start();
    await flows();
    const since = (await subscription())?.since;
    await fixture.db.execute(sql`DELETE FROM due_listings`);
    change(1_490);
    await expect.poll(ourPrice).toBe('14.90');
    expect((await kept()).length).toBeGreaterThan(1);
    expect(await fixture.due()).toContain(listingId);
    await expect.poll(removed).toBeGreaterThan(0);
    expect(await subscription()).toMatchObject({
      marketplace: 'amazon',
      since,
      lastAt: expect.any(Number),
      problem: null,
    });
  });

  test('older than the stored offers change nothing, and are removed', async () => {
    const later = new Date(sandbox.world.now() + 4 * MINUTE).toISOString();
    await fixture.db.execute(sql`INSERT INTO competition_readings (listing_id, read_at, coverage, source)
      SELECT id, ${later}, 'all', 'sync' FROM listings`);
    start();
    await flows();
    change(1_490);
    await expect.poll(removed).toBeGreaterThan(0);
    expect(await kept()).toEqual([]);
    change(1_480);
    await expect.poll(ourPrice).toBe('14.80');
  });

  test('of another condition are not for this listing', async () => {
    await fixture.db.execute(sql`UPDATE marketplace_listings SET keys = '{"condition": "Used"}'`);
    start();
    await flows();
    change(1_490);
    await expect.poll(removed).toBeGreaterThan(0);
    expect(await kept()).toEqual([]);
  });

  test('that cannot be stored are delivered again, and the problem is shown until they are', async () => {
    start();
    await flows();
    await asOwner(fixture.db, 'ALTER TABLE offer_sets ADD CONSTRAINT full_disk CHECK (false) NOT VALID');
    try {
      change(1_490);
      await expect.poll(async () => (await subscription())?.problem).toBe(NOTIFICATIONS_FAILED);
      expect(errors).toHaveLength(1);
      expect(await kept()).toEqual([]);
    } finally {
      await asOwner(fixture.db, 'ALTER TABLE offer_sets DROP CONSTRAINT full_disk');
    }
    pass(sandbox, 3 * MINUTE);
    await expect.poll(ourPrice).toBe('14.90');
    expect(await subscription()).toMatchObject({ problem: null, since: expect.any(Number) });
  });
});

describe('the listening', () => {
  test.each<[string, () => ConnectionState]>([
    ['by file', () => ({ kind: 'file' })],
    ['that is paused', () => ({ kind: 'paused', why: 'Switched off.' })],
    ['without a queue', () => connected({ sqsQueueUrl: '' })],
  ])('asks nothing of an Amazon %s', async (_, given) => {
    state = given();
    await start().stop();
    expect(await subscription()).toBeUndefined();
    expect(sandbox.exchanges.list()).toEqual([]);
  });

  test('takes no message of a restored database, until an administrator confirms it', async () => {
    await setUnconfirmedRestore(fixture.db, fixture.now);
    await start().stop();
    expect(sandbox.exchanges.list()).toEqual([]);
    await setUnconfirmedRestore(fixture.db, null);
    start();
    await flows();
    await setUnconfirmedRestore(fixture.db, fixture.now);
    await expect.poll(subscription).toBeUndefined();
  });

  test('shows which credential is rejected, and continues once another is stored', async () => {
    state = connected({ awsAccessKeyId: 'AKIAOTHER' });
    start();
    await expect
      .poll(async () => (await subscription())?.problem)
      .toBe('The queue does not accept the AWS key, or does not let it read.');
    expect(errors).toEqual([]);
    state = connected();
    await expect.poll(async () => (await subscription())?.problem).toBeNull();
    change(1_490);
    await expect.poll(ourPrice).toBe('14.90');
  });

  test('ends when the queue is removed from the settings', async () => {
    start();
    await flows();
    state = connected({ sqsQueueUrl: '' });
    await expect.poll(subscription).toBeUndefined();
    change(1_490);
    expect(sandbox.world.queue.receive(10, 1).length).toBeGreaterThan(0);
    expect(await kept()).toEqual([]);
  });

  test('is done by one process at a time; the next goes on when it ends', async () => {
    const first = start('one');
    await flows();
    const requested = sandbox.exchanges.list().length;
    const owners = async () => (await fixture.db.execute(sql`SELECT owner FROM leases`)).rows;
    start('two');
    expect(await owners()).toEqual([{ owner: 'one' }]);
    await first.stop();
    await expect.poll(owners).toEqual([{ owner: 'two' }]);
    change(1_490);
    await expect.poll(ourPrice).toBe('14.90');
    expect(sandbox.exchanges.list().length).toBeGreaterThan(requested);
  });
});
