import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { type Database, type Db, openDatabase } from '#db/client.ts';
import { type Cents, cents, hours, type Instant, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { createWorld, type World } from '#sandbox/world/world.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { newScratchFolder } from './scratch-folder.ts';
import { addRule, declareSeller, readEveryPrice, setLive } from './seed.ts';
import { INTENT_STEPS, SentLog } from './sent-log.ts';
import { asOwner, createTestDatabase, type TestDatabase } from './test-database.ts';

/** A price is live after half a second instead of 8 minutes. */
const PACE = 960;
/** A large seller: twenty prices a second. */
const LIMIT_FACTOR = 5;

const now = (): Instant => instant(Date.now());

/** A live store on a simulated Amazon, which continues in this process whatever happens to the senders. */
export interface SendProof {
  readonly db: Db;
  readonly world: World;
  readonly log: SentLog;
  /** Its database for the owner of the tables. */
  readonly ownerUrl: string;
  /** The variables of a program on it. */
  env(): Record<string, string>;
  /** Starts the program itself; it ends with the test file at the latest. */
  start(kind: 'work' | 'serve'): ChildProcess;
  /** Changes every competitor's price: each listing has one change to come. */
  moveCompetitors(): Promise<void>;
  /** How many prices there are in each state. */
  states(): Promise<Record<string, number>>;
  /** Listings where buyers see another price than the ledger ends with, or where that is not the last one asked for. */
  strays(): Promise<Stray[]>;
  /** A process that is stopped keeps its leases for up to a minute more: ends them at once. */
  freeLeases(): Promise<void>;
  /** The process that holds the send lease, by its name; null when none does. */
  sender(): Promise<string | null>;
  /**
   * Waits until every listing has the last decided price, in the ledger and for buyers, without waiting for the minutes
   * between two read-backs.
   */
  finish(): Promise<void>;
  /** Lets so many milliseconds pass for open prices, so that read-backs need not be waited for. */
  passTime(time: number): Promise<void>;
}

/** A listing where something is not as it should be; prices in cents. */
export interface Stray {
  readonly sku: string;
  readonly live: Cents | null;
  readonly inForce: Cents;
  readonly wanted: Cents;
}

/** Registers the hooks of a test file and answers with its proof, or does nothing when that is not wanted. */
export function sendProof(listings: number, isWanted: boolean): SendProof {
  const key = randomBytes(32);
  const programs = new Set<ChildProcess>();
  let round = 0;
  let database: TestDatabase;
  let open: Database;
  let sandbox: Sandbox;
  let folder: string;
  let log: SentLog;

  beforeAll(async () => {
    if (!isWanted) return;
    database = await createTestDatabase();
    open = openDatabase(database.url);
    folder = await newScratchFolder('send');
    sandbox = await openSandbox(listings);
    await seed(open.db, listings, sandbox, key);
    log = new SentLog(open.db, sandbox);
  });
  afterAll(async () => {
    if (!isWanted) return;
    await Promise.all([...programs].map(endProgram));
    await sandbox.close();
    await open.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const proof: SendProof = {
    get db() {
      return open.db;
    },
    get world() {
      return sandbox.world;
    },
    get log() {
      return log;
    },
    get ownerUrl() {
      return database.ownerUrl;
    },
    env: () => ({
      PORT: '0',
      PRICEWRIGHT_DATA: folder,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      PRICEWRIGHT_SECRET_KEY: key.toString('hex'),
      PRICEWRIGHT_AMAZON_URL: sandbox.addresses.amazon,
      LOG_LEVEL: 'fatal',
    }),
    start: (kind) => {
      const program = spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), kind], {
        env: { PATH: process.env.PATH, ...proof.env() },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      programs.add(program);
      return program;
    },
    moveCompetitors: () => moveCompetitors(open.db, ++round),
    states: () => statesOf(open.db),
    strays: () => straysOf(open.db, sandbox.world, round),
    freeLeases: async () => {
      await open.db.execute(sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond'`);
    },
    sender: async () => {
      const { rows } = await open.db.execute<{ owner: string }>(
        sql`SELECT owner FROM leases WHERE name = 'send:amazon' AND expires_at > clock_timestamp()`,
      );
      return rows[0]?.owner ?? null;
    },
    finish: async () => {
      const isQuiet = async () => {
        log.received();
        if (!(await isCaughtUp(open.db))) return false;
        if ((await proof.strays()).length === 0) return true;
        await proof.passTime(hours(1 / 4));
        return false;
      };
      await expect.poll(isQuiet, { timeout: 10 * 60_000, interval: 1_000 }).toBe(true);
    },
    passTime: async (time) => {
      await open.db.execute(sql`UPDATE price_intents
        SET sent_at = sent_at - make_interval(secs => ${time / 1_000}::float8),
          next_read_at = next_read_at - make_interval(secs => ${time / 1_000}::float8)
        WHERE state IN ('sent', 'accepted', 'unknown')`);
    },
  };
  return proof;
}

/** The program has no chance to say goodbye. */
export async function endProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'close');
  program.kill('SIGKILL');
  await ended;
}

async function openSandbox(listings: number): Promise<Sandbox> {
  const world = createWorld({
    seed: 'send',
    startsAt: instant(Date.now() - hours(1)),
    stock: [],
    pace: PACE,
    items: Array.from({ length: listings }, (_, at) => ({
      marketplace: 'amazon' as const,
      sku: `A-${at + 1}`,
      title: `Product ${at + 1}`,
      competitors: [],
      fulfillmentType: 'FBM' as const,
      shippingCharge: cents(0),
      viewsPerDay: 0,
      price: cents(2_001 + at),
    })),
  });
  return startSandbox({ world, port: 0, now, limitFactor: LIMIT_FACTOR });
}

/** A live Amazon, connected; its prices are those of the sandbox. */
async function seed(db: Db, listings: number, sandbox: Sandbox, key: Buffer): Promise<void> {
  const { sellerId, lwaClientId, lwaClientSecret = '', refreshToken = '' } = sandbox.credentials.amazon;
  const data = await dataKeysOf(db, configuredKey(key), now).forWriting();
  const secret = sealSecret(data, 'app_settings/default/amazonLwaClientSecret', lwaClientSecret);
  const token = sealSecret(data, 'connector_credentials/amazon/refreshToken', refreshToken);
  await db.execute(sql`UPDATE app_settings SET amazon_seller_id = ${sellerId}, amazon_enabled = true,
    amazon_lwa_client_id = ${lwaClientId}, amazon_lwa_client_secret = ${secret}, price_war_threshold = 1000`);
  await db.execute(
    sql`INSERT INTO connector_credentials (holder, name, value) VALUES ('amazon', 'refreshToken', ${token})`,
  );
  await addRule(db);
  await declareSeller(db, 'amazon');
  await db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz)
    SELECT 'A-' || n, 'Product ' || n, 10, 8 FROM generate_series(1, ${listings}::int) n`);
  await db.execute(sql`INSERT INTO listings
      (marketplace, sku, title, fulfillment_type, shipping_cost, current_price, anchor_price, created_at)
    SELECT 'amazon', 'A-' || n, 'Product ' || n, 'FBM', 0, 20 + n / 100.0, 20 + n / 100.0, now() - interval '2 hours'
    FROM generate_series(1, ${listings}::int) n ORDER BY n`);
  // Competitors come only from here; the catalog is synced, and compared with our prices.
  await db.execute(sql`INSERT INTO marketplace_syncs (marketplace, kind, started_at, ended_at, succeeded_at)
    SELECT 'amazon', what, now(), now(), now() FROM unnest(ARRAY['offers', 'sales', 'figures', 'fees']) what`);
  await db.execute(sql`UPDATE app_settings SET check_interval = 120`);
  await asOwner(db, INTENT_STEPS);
  await readEveryPrice(db);
  await setLive(db, 'amazon');
}

/** By how many cents competitors are below the first price. */
const belowIn = (round: number): number => 50 + (round % 20);

async function moveCompetitors(db: Db, round: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`DELETE FROM competitor_offers`);
    await tx.execute(sql`INSERT INTO competitor_offers
        (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
      SELECT id, 'Corner Store', 'corner store', anchor_price - ${belowIn(round)}::int / 100.0, 'FBM', now() FROM listings`);
  });
}

async function statesOf(db: Db): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ state: string; count: number }>(
    sql`SELECT state, count(*)::int AS count FROM price_intents GROUP BY state ORDER BY state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Nothing is queued, and every due read-back is done. */
async function isCaughtUp(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`SELECT FROM price_intents
    WHERE state = 'queued' OR (state IN ('accepted', 'unknown') AND next_read_at <= now()) LIMIT 1`);
  return rows.length === 0;
}

async function straysOf(db: Db, world: World, round: number): Promise<Stray[]> {
  const { rows } = await db.execute<{ sku: string; inForce: Cents; wanted: Cents }>(sql`
    SELECT l.sku, (h.new_price * 100)::float8 AS "inForce", (l.anchor_price * 100 - ${belowIn(round)} - 1)::float8 AS wanted
    FROM listings l CROSS JOIN LATERAL (SELECT new_price FROM price_history WHERE listing_id = l.id
      ORDER BY id DESC LIMIT 1) h ORDER BY l.id`);
  const market = world.market('amazon');
  return rows
    .map((row) => ({ ...row, live: market.item(row.sku)?.price ?? null }))
    .filter(({ live, inForce, wanted }) => live !== inForce || inForce !== wanted);
}
