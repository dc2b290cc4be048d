import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { cents, hours, type Instant, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { addRule, arm, declareSeller } from '#tests/support/seed.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { dataKeysOf } from '#usecases/secrets/data-keys.ts';
import { sealSecret } from '#usecases/secrets/secret-box.ts';
import { configuredKey } from '#usecases/secrets/secret-keys.ts';

/*
 * The program itself, killed with SIGKILL at random moments while it sends prices to the Amazon of the sandbox, which
 * lives on in this process. Minutes long, by the rates of Amazon: `npm run proof:send` alone runs it.
 */
const KILLS = Number(process.env.PRICEWRIGHT_SEND_KILLS ?? 0);
const LISTINGS = 500;
/** The time of the sandbox passes faster, so that a price is live after 16 seconds instead of 8 minutes. */
const SPEED = 30;
const BEGAN = instant(Date.now());
const real = (): Instant => instant(Date.now());
const LIFE = hours(1 / 6);
const PATIENCE = { timeout: 30 * 60_000, interval: 500 };

const key = randomBytes(32);
let database: TestDatabase;
let open: Database;
let sandbox: Sandbox;
let folder: string;
let program: ChildProcess | null = null;
beforeAll(async () => {
  if (KILLS === 0) return;
  database = await createTestDatabase();
  open = openDatabase(database.url);
  folder = await newScratchFolder('send-kill');
  const world = createWorld({
    ...{ seed: 'send', startsAt: instant(BEGAN - hours(1)), stock: [] },
    items: Array.from({ length: LISTINGS }, (_, at) => ({
      ...{ marketplace: 'amazon' as const, sku: `A-${at + 1}`, title: `Product ${at + 1}` },
      ...{ fulfillmentType: 'FBM' as const, shippingCharge: cents(0), viewsPerDay: 0 },
      price: cents(2_001 + at),
      rivals: [
        { name: 'Rival', habit: 'stubborn' as const, price: cents(1_951 + at), shippingCharge: cents(0) },
      ],
    })),
  });
  const now = (): Instant => instant(BEGAN + Math.round((Date.now() - BEGAN) * SPEED));
  sandbox = await startSandbox({ world, port: 0, now });
  await seed();
});
afterAll(async () => {
  if (KILLS === 0) return;
  await kill();
  await sandbox.close();
  await open.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** An armed Amazon, connected, where every price has one change to come. */
async function seed(): Promise<void> {
  const { db } = open;
  const { sellerId, lwaClientId, lwaClientSecret = '', refreshToken = '' } = sandbox.credentials.amazon;
  const data = await dataKeysOf(db, configuredKey(key), real).forWriting();
  const secret = sealSecret(data, 'app_settings/default/amazonLwaClientSecret', lwaClientSecret);
  const token = sealSecret(data, 'connector_credentials/amazon/refreshToken', refreshToken);
  await db.execute(sql`UPDATE app_settings SET amazon_seller_id = ${sellerId}, amazon_enabled = true,
    amazon_lwa_client_id = ${lwaClientId}, amazon_lwa_client_secret = ${secret}, war_limit = 1000`);
  await db.execute(
    sql`INSERT INTO connector_credentials (holder, name, value) VALUES ('amazon', 'refreshToken', ${token})`,
  );
  await addRule(db);
  await declareSeller(db, 'amazon');
  await db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz)
    SELECT 'A-' || n, 'Product ' || n, 10, 8 FROM generate_series(1, ${LISTINGS}::int) n`);
  await db.execute(sql`INSERT INTO listings
      (marketplace, sku, title, fulfillment_type, shipping_cost, current_price, anchor_price, created_at)
    SELECT 'amazon', 'A-' || n, 'Product ' || n, 'FBM', 0, 20 + n / 100.0, 20 + n / 100.0, now() - interval '2 hours'
    FROM generate_series(1, ${LISTINGS}::int) n ORDER BY n`);
  await db.execute(sql`INSERT INTO competitor_offers
      (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
    SELECT id, 'Rival', 'rival', current_price - 0.5, 'FBM', now() FROM listings`);
  await arm(db, 'amazon');
}

function start(): void {
  program = spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), 'work'], {
    env: {
      ...{ PATH: process.env.PATH, DATABASE_URL: database.url, PRICEWRIGHT_DATA: folder, LOG_LEVEL: 'error' },
      ...{ PRICEWRIGHT_SECRET_KEY: key.toString('hex'), PRICEWRIGHT_AMAZON_URL: sandbox.addresses.amazon },
    },
    stdio: 'inherit',
  });
}

async function kill(): Promise<void> {
  if (program === null) return;
  const ended = once(program, 'close');
  program.kill('SIGKILL');
  await ended;
  program = null;
}

/** How many intents there are in each state. */
async function states(): Promise<Record<string, number>> {
  const { rows } = await open.db.execute<{ state: string; count: number }>(
    sql`SELECT state, count(*)::int AS count FROM price_intents GROUP BY state ORDER BY state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function moved(): Promise<number> {
  const { rows } = await open.db.execute(
    sql`SELECT DISTINCT listing_id FROM price_history WHERE source = 'rule'`,
  );
  return rows.length;
}

async function isDone(): Promise<boolean> {
  const { queued = 0, sent = 0, accepted = 0, unknown = 0 } = await states();
  return queued + sent + accepted + unknown === 0 && (await moved()) === LISTINGS;
}

/** The process that died holds its lease for three minutes more: not waited for here. */
async function freeLeases(): Promise<void> {
  await open.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond'`);
}

test.runIf(KILLS > 0)(
  `after ${KILLS} kills every price is live, as the ledger has it, and was heard once`,
  { timeout: 40 * 60_000 },
  async () => {
    for (let killed = 1; killed <= KILLS; killed++) {
      start();
      const before = sandbox.world.heardPrices().length;
      // The next one is killed while it sends: from its first price on, some seconds later at most.
      const isSending = async () => sandbox.world.heardPrices().length > before || (await isDone());
      await expect.poll(isSending, { timeout: 120_000, interval: 20 }).toBe(true);
      await pause(Math.random() * 4_000);
      await kill();
      const heard = sandbox.world.heardPrices().length;
      console.log(`kill ${killed}: ${heard} prices heard, intents ${JSON.stringify(await states())}`);
      await freeLeases();
    }
    start();
    await expect.poll(isDone, PATIENCE).toBe(true);
    await kill();

    const { rows } = await open.db.execute<{ sku: string; price: string }>(
      sql`SELECT sku, current_price::text AS price FROM listings ORDER BY id`,
    );
    const live = sandbox.world.market('amazon');
    const ledger = rows.map(({ sku, price }) => [sku, Math.round(Number(price) * 100)]);
    expect(ledger).toEqual(rows.map(({ sku }) => [sku, live.item(sku)?.price]));
    await expectHeardWell();
    const heard = sandbox.world.heardPrices().length;
    console.log(`${heard} prices heard for ${LISTINGS} listings, intents ${JSON.stringify(await states())}`);
  },
);

/** None twice without a look at the listing in between, none after the life of its intent. */
async function expectHeardWell(): Promise<void> {
  const { rows } = await open.db.execute<{ sku: string; price: string; until: string }>(sql`
    SELECT l.sku, i.price::text AS price, (extract(epoch FROM max(i.created_at)) * 1000)::float8::text AS until
    FROM price_intents i JOIN listings l ON l.id = i.listing_id GROUP BY l.sku, i.price`);
  const made = new Map(rows.map(({ sku, price, until }) => [`${sku} ${price}`, Number(until)]));
  const before = new Map<string, number>();
  for (const { sku, price, at } of sandbox.world.heardPrices()) {
    const heardAt = BEGAN + (at - BEGAN) / SPEED;
    const createdAt = made.get(`${sku} ${(price / 100).toFixed(2)}`) ?? 0;
    expect(heardAt - createdAt).toBeLessThan(LIFE);
    const last = before.get(sku);
    if (last !== undefined) expect(looks(sku, last, at)).toBeGreaterThan(0);
    before.set(sku, at);
  }
}

/** Read-backs ask for the issues of a listing; what is read before sending does not. */
function looks(sku: string, from: number, to: number): number {
  return sandbox.exchanges.list().filter(({ at, operation, path }) => {
    const time = Date.parse(at);
    const isLook = operation === 'getListingsItem' && path.includes(`/${sku}?`) && path.includes('issues');
    return isLook && time >= from && time <= to;
  }).length;
}
