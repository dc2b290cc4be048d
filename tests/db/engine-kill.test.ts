import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { desc, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#db/client.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { readEngineFigures } from '#db/queries/repricing/engine-status.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { BROKEN_LEDGERS, countMoves, seedEngineShop } from '#tests/support/engine-shop.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';

/*
 * The program, killed with SIGKILL in the middle of a run, on the embedded PostgreSQL. `npm run proof:kill` runs more
 * kills, and over more listings, than a test run has time for.
 */
const PROOF_KILLS = Number(process.env.PRICEWRIGHT_KILLS ?? 0);
const KILLS = PROOF_KILLS || asMany(1, 3);
/** A run over more than one batch is seen under way; a smaller one is one transaction, seen only when it is over. */
const LISTINGS = PROOF_KILLS > 0 ? 2_000 : asMany(500, 2_000);
const POLLING = { interval: 10 };

/**
 * What kills take turns at: the engine waits for what the test has locked, so that the kill comes between the statements
 * of a batch however slow the machine is, before or after the first batch is kept; null: any moment of a run.
 */
const MOMENTS = [
  { at: 'its first row of history', lock: 'LOCK TABLE price_history IN SHARE MODE' },
  {
    at: 'the last listing',
    lock: 'SELECT FROM listing_metrics WHERE listing_id = (SELECT max(id) FROM listings) FOR UPDATE',
  },
  null,
] as const;

let dataDir: string;
let server: EmbeddedPostgres;
let open: Database;
let program: ChildProcess | null = null;
beforeAll(async () => {
  dataDir = await newScratchFolder('kill');
  // A member of the database server too, so that the server outlives the killed program.
  server = await joinEmbeddedPostgres({ dataDir });
  await migrate(server.ownerUrl);
  open = openDatabase(server.ownerUrl);
  await seedEngineShop(open.db, LISTINGS);
  // Each round has its own.
  await open.db.execute(sql`DELETE FROM competitor_offers`);
  // Twenty rounds downwards would be a price war.
  await open.db.execute(sql`UPDATE app_settings SET price_war_threshold = 1000`);
});
afterAll(async () => {
  await kill();
  await open.close();
  await server.leave();
  await rm(dataDir, { recursive: true });
});

/** Starts the program, which is the engine once this resolves. */
async function start(): Promise<void> {
  program = spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), 'work'], {
    env: { PATH: process.env.PATH, PRICEWRIGHT_DATA: dataDir, LOG_LEVEL: 'error' },
    stdio: 'inherit',
  });
  await expect.poll(isAtWork, POLLING).toBe(true);
}
const isAtWork = async () => (await readEngineFigures(open.db, instant(Date.now()))).figures.isAtWork;

/** Kills the program without a graceful shutdown. */
async function kill(): Promise<void> {
  if (program === null) return;
  const ended = once(program, 'close');
  program.kill('SIGKILL');
  await ended;
  program = null;
}

/** Nothing is running and nothing is queued. */
async function isDone(): Promise<boolean> {
  const { figures, run } = await readEngineFigures(open.db, instant(Date.now()));
  return run === null && figures.pendingCount === 0;
}
const newestRun = async () =>
  (await open.db.select().from(repricingRuns).orderBy(desc(repricingRuns.id)).limit(1))[0];

/**
 * Moves every competitor to between 50 and 30 cents below the first price, and marks every price file as uploaded: each
 * listing has exactly one change to come.
 */
async function moveCompetitors(round: number): Promise<void> {
  const below = round % 2 === 0 ? 0.5 : 0.3;
  await open.db.transaction(async (tx) => {
    await tx.execute(sql`UPDATE listings SET awaiting_upload_since = NULL`);
    await tx.execute(sql`DELETE FROM competitor_offers`);
    await tx.execute(sql`INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
      SELECT id, 'Corner Store', 'corner store', anchor_price - ${below}::numeric, 'FBM', now() FROM listings`);
  });
}

/** Moves the competitors, and kills the program once the engine waits for what the statement locks. */
async function killWhileItWrites(lock: string, round: number): Promise<void> {
  const client = new Client({ connectionString: server.ownerUrl });
  await client.connect();
  try {
    await client.query(`BEGIN; ${lock}`);
    await moveCompetitors(round);
    await expect
      .poll(async () => {
        const blocked = await client.query(
          'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
        );
        return blocked.rowCount;
      }, POLLING)
      .toBeGreaterThan(0);
    await kill();
  } finally {
    await client.end();
  }
}

/** Moves the competitors, and kills the program at a random moment of the run, or soon after it. */
async function killAtRandom(round: number, duration: number): Promise<void> {
  const before = (await newestRun())?.id ?? 0;
  await moveCompetitors(round);
  await expect.poll(async () => (await newestRun())?.id, POLLING).toBeGreaterThan(before);
  await pause(Math.random() * duration);
  await kill();
}

/** Milliseconds that the last run took. */
async function lastDuration(): Promise<number> {
  const run = await newestRun();
  return (run?.endedAt ?? 0) - (run?.startedAt ?? 0);
}

test(`after each of ${KILLS} kill(s) the run is finished, and every price has moved exactly once`, {
  timeout: 300_000 + KILLS * 20_000,
}, async () => {
  await start();
  await expect.poll(isDone, POLLING).toBe(true);
  await moveCompetitors(0);
  await expect.poll(isDone, POLLING).toBe(true);
  const duration = await lastDuration();
  let rounds = 1;
  expect(await countMoves(open.db)).toMatchObject({ moves: LISTINGS, most: 1 });

  let cut = 0;
  for (let killed = 1; killed <= KILLS; killed++) {
    const moment = MOMENTS[(killed - 1) % MOMENTS.length] ?? null;
    if (moment === null) await killAtRandom(rounds, duration);
    else await killWhileItWrites(moment.lock, rounds);
    rounds++;
    const hit = await newestRun();
    if (moment !== null || hit?.state === 'running') cut++;
    console.log(
      `kill ${killed}, ${moment?.at ?? 'at random'}: newest run ${hit?.id} is ${hit?.state}, ${hit?.evaluated} of ${hit?.planned} decided`,
    );
    await start();
    await expect.poll(isDone, POLLING).toBe(true);
    expect((await open.db.execute(BROKEN_LEDGERS)).rows).toEqual([]);
    expect(await countMoves(open.db)).toEqual({ listings: LISTINGS, moves: LISTINGS * rounds, most: rounds });
    expect(await open.db.$count(repricingRuns, sql`state <> 'done'`)).toBe(0);
  }
  console.log(`${cut} of ${KILLS} kills hit a run under way, which took ${Math.round(duration)} ms`);
});
