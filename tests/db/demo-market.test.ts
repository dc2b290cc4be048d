import { rm } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { setFlag } from '#db/queries/demo/seed.ts';
import { insertUser } from '#db/queries/identity/users.ts';
import { setModes } from '#db/queries/repricing/engine.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { createLogger } from '#server/logger.ts';
import { onItsMarketplaces, startDemoMarket } from '#src/bootstrap/demo-market.ts';
import { type ConfigResult, readConfig } from '#src/config.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { ANN, engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { syncWhatIsDue } from '#tests/support/sync-what-is-due.ts';
import { seedDemo } from '#usecases/demo/seed-demo.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { openConnections } from '#usecases/marketplaces/connections/open-connections.ts';
import type { MarketplaceSender } from '#usecases/marketplaces/sending/sending-deps.ts';
import { createSender, sendTick } from '#usecases/marketplaces/sending/sending-loop.ts';
import { haltEngine } from '#usecases/repricing/engine/halt.ts';

const WEAK = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
const RELEASE = '1.0.0/1';
const LIVE = ['walmart', 'amazon'] as const;
const fixture = engineFixture();
let folder: string;
beforeAll(async () => {
  folder = await newScratchFolder('demo');
});
afterAll(() => rm(folder, { recursive: true }));
const never = new AbortController().signal;

/** The sample store with its simulated marketplaces, and the server's background work. */
async function openShop() {
  const { db, now: startedAt } = fixture;
  const now = () => fixture.now;
  await seedDemo(db, WEAK, startedAt);
  await db.update(repricingState).set({ release: RELEASE });
  const secrets = dataKeysOf(db, configuredKey(Buffer.alloc(32, 7)), now);
  const sandbox = await startDemoMarket(db, secrets, now);
  const options = { now, wait: async (milliseconds: number) => fixture.advance(milliseconds) };
  const connections = openConnections(
    { db, secrets, now },
    {
      walmart: createWalmart({ ...options, baseUrl: sandbox.addresses.walmart }),
      amazon: createAmazon({ ...options, baseUrl: sandbox.addresses.amazon }),
    },
  );
  const senders = LIVE.map((marketplace) => {
    const onUnexpectedError = (error: unknown) => Promise.reject(error);
    return createSender(
      { db, connections, now, owner: 'one', release: RELEASE, onUnexpectedError },
      marketplace,
    );
  });
  /** Prices below the floor at the time they were sent: what marketplaces report of fees moves it. */
  const tooLow: string[] = [];
  /** One check: everything due is synced, decided and sent. */
  const check = async (): Promise<void> => {
    for (const marketplace of LIVE) {
      const state = await connections.stateOf(marketplace);
      if (state.kind !== 'connected') throw new Error(`${marketplace} is ${state.kind}`);
      await syncWhatIsDue({ db, now }, { connection: state.connection, signal: never });
    }
    await fixture.untilIdle();
    const lowest = await floors();
    const before = sandbox.world.receivedPrices().length;
    for (const sender of senders) await sendAll(sender);
    for (const { marketplace, sku, price } of sandbox.world.receivedPrices().slice(before)) {
      const floor = lowest.get(`${marketplace} ${sku}`) ?? Infinity;
      if (price < floor) tooLow.push(`${marketplace} ${sku}: ${price} below ${floor}`);
    }
    fixture.advance(5 * MINUTE);
  };
  return { sandbox, connections, check, tooLow, startedAt };
}

async function sendAll(sender: MarketplaceSender): Promise<void> {
  while ((await sendTick(sender)) === 'worked');
}

async function rows(query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> {
  return (await fixture.db.execute<Record<string, unknown>>(query)).rows;
}

async function count(from: ReturnType<typeof sql>): Promise<number> {
  return Number((await rows(sql`SELECT count(*) AS count FROM ${from}`))[0]?.count);
}

/** The lowest allowed price of each listing now. */
async function floors(): Promise<ReadonlyMap<string, number>> {
  const found = await rows(sql`SELECT l.marketplace || ' ' || l.sku AS name, m.margin_floor * 100 AS floor
    FROM listings l JOIN listing_metrics m ON m.listing_id = l.id WHERE m.margin_floor IS NOT NULL`);
  return new Map(found.map(({ name, floor }) => [String(name), Math.round(Number(floor))]));
}

/** Listings without a price in progress whose price differs from the one that buyers see. */
async function strays({ world }: Sandbox): Promise<string[]> {
  const settled = await rows(sql`SELECT marketplace, sku, current_price AS price FROM listings l
    WHERE marketplace IN ('walmart', 'amazon') AND NOT EXISTS (SELECT FROM price_intents i
      WHERE i.listing_id = l.id AND i.state NOT IN ('confirmed', 'rejected', 'expired'))`);
  return settled.flatMap(({ marketplace, sku, price }) => {
    const item = world.market(marketplace === 'amazon' ? 'amazon' : 'walmart').item(String(sku));
    const isSame = item === null || decimalFromCents(item.price) === String(price);
    return isSame ? [] : [`${marketplace} ${sku}: ${price}`];
  });
}

test.runIf(IS_ALL)(
  'prices of the sample store follow its competitors, are confirmed on its marketplaces, and sell',
  async () => {
    const { sandbox, connections, check, tooLow, startedAt } = await openShop();
    try {
      await check();
      expect(
        await rows(sql`SELECT kind AS what, problem FROM marketplace_syncs WHERE problem IS NOT NULL`),
      ).toEqual([]);
      expect(await strays(sandbox)).toEqual([]);
      expect(sandbox.world.receivedPrices()).toEqual([]);

      await setModes(fixture.db, LIVE, 'live', ANN.name, fixture.now);
      await check();
      const first = sandbox.world.receivedPrices().length;
      for (let checks = 0; checks < 8; checks++) await check();
      const received = sandbox.world.receivedPrices();
      expect(received.length).toBeGreaterThan(first);
      expect(tooLow).toEqual([]);
      for (const marketplace of LIVE) {
        expect(
          await count(sql`price_intents WHERE marketplace = ${marketplace} AND state = 'confirmed'`),
        ).toBeGreaterThan(10);
        expect(
          received.filter((one) => one.marketplace === marketplace && one.outcome === 'applied').length,
        ).toBeGreaterThan(10);
      }
      const since = sql`> ${new Date(startedAt).toISOString()}::timestamptz`;
      expect(await count(sql`price_history WHERE source = 'rule' AND timestamp ${since}`)).toBeGreaterThan(
        20,
      );
      expect(await count(sql`sales_history WHERE sale_date ${since}`)).toBeGreaterThan(0);
      expect(await strays(sandbox)).toEqual([]);

      await haltEngine({ db: fixture.db, now: () => fixture.now }, 'enough', ANN);
      const until = sandbox.world.receivedPrices().length;
      for (let checks = 0; checks < 3; checks++) await check();
      expect(sandbox.world.receivedPrices()).toHaveLength(until);
      expect(await connections.stateOf('etsy')).toMatchObject({ kind: 'paused' });
    } finally {
      await sandbox.close();
    }
  },
);

/** A program that was just started with this configuration. */
function started(result: ConfigResult): Parameters<typeof onItsMarketplaces>[0] {
  if (!result.ok) throw new Error(result.problems.join());
  return { config: result.config, log: createLogger('silent'), closers: [], lastClosers: [] };
}

test('a real store never connects to simulated marketplaces', async () => {
  const own = { username: 'a@example.com', email: 'a@example.com', fullName: 'Ann', password: 'x' };
  await insertUser(
    fixture.db,
    { ...own, phoneNumber: '1', role: 'admin', approved: true, emailVerified: true },
    fixture.now,
  );
  const demo = started(readConfig({}, true));
  await expect(onItsMarketplaces(demo, fixture.db)).rejects.toThrow(/real data.+without --demo/);
  expect(demo.closers).toEqual([]);
  const real = started(readConfig({}));
  expect(await onItsMarketplaces(real, fixture.db)).toBe(real);
});

test('the sample store never connects to real marketplaces', async () => {
  await setFlag(fixture.db, 'demo', fixture.now);
  const real = started(readConfig({}));
  await expect(onItsMarketplaces(real, fixture.db)).rejects.toThrow(/holds the demo store.+--demo/);
  const demo = started(
    readConfig({ PRICEWRIGHT_DATA: folder, PRICEWRIGHT_AMAZON_URL: 'https://elsewhere.example' }, true),
  );
  const { config, closers } = await onItsMarketplaces(demo, fixture.db);
  const hosts = new Set(Object.values(config.addresses).map((address) => new URL(address).hostname));
  expect([...hosts]).toEqual(['127.0.0.1']);
  for (const close of closers) await close();
});
