import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { Chance } from '#sandbox/world/chance.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { createEmptyDatabase } from '#tests/support/empty-database.ts';
import { BROKEN_LEDGERS_TEXT } from '#tests/support/engine-shop.ts';
import { runProgram } from '#tests/support/run-program.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { endProgram, sendProof } from '#tests/support/send-proof.ts';
import { aRegistration } from '#tests/support/test-app.ts';
import { execute } from '#tests/support/test-cluster.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';
import { makeBackup } from '#usecases/backup/make-backup.ts';

/*
 * Backups of a live store, each taken while a check of all listings and an import are in the middle of their batches and
 * prices are being sent to a simulated Amazon. Each is restored into an empty database, checked and started. Only with
 * `--all`; `npm run proof:restore -- --during 20` takes more than a test run has time for.
 */
const PROOF = process.env.PRICEWRIGHT_RESTORE_DURING;
const IS_WANTED = IS_ALL || PROOF !== undefined;
const { rounds: ROUNDS, seed: SEED }: { readonly rounds: number; readonly seed: string } =
  PROOF === undefined ? { rounds: 1, seed: '1' } : JSON.parse(PROOF);
/** More than a batch of the engine, of which a part has new competitors in each round: that many prices are sent. */
const LISTINGS = 1_200;
const PARTS = 12;
/** Three batches of the import. */
const IMPORTED = 5_000;
const POLLING = { interval: 20 };

const proof = sendProof(LISTINGS, IS_WANTED);
const programs = new Set<ChildProcess>();
const restored: TestDatabase[] = [];
let folder: string;
beforeAll(async () => {
  folder = await newScratchFolder('during');
});
afterEach(async () => {
  await Promise.all([...programs].map(endProgram));
  programs.clear();
  for (const database of restored.splice(0)) await database.drop();
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts all of the program; resolves with its address. */
async function start(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly program: ChildProcess; readonly origin: string }> {
  const program = spawn(process.execPath, [join(inject('testPrograms'), 'main.js')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.add(program);
  let text = '';
  program.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  await expect.poll(() => text, POLLING).toMatch(/is ready: http:\S+/);
  return { program, origin: /is ready: (http:\S+)/.exec(text)?.[1] ?? '' };
}

async function stop(program: ChildProcess): Promise<void> {
  const ended = once(program, 'close');
  program.kill('SIGTERM');
  await ended;
  programs.delete(program);
}

async function one<Value>(url: string, question: string): Promise<Value> {
  return Object.values((await execute(url, question))[0] ?? {})[0] as Value;
}

/** Calls of the administrator. */
async function administrator(origin: string, cookie: string) {
  const send = async (method: string, path: string, type?: string, body?: string) => {
    const headers = { origin, cookie, ...(type !== undefined && { 'content-type': type }) };
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body !== undefined && { body }) });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return answer.json();
  };
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, 'application/json', JSON.stringify(body)),
    upload: (path: string, text: string) => send('POST', path, 'text/csv', text),
  };
}

async function register(origin: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin };
  const body = JSON.stringify(aRegistration());
  const answer = await fetch(`${origin}/api/register`, { method: 'POST', headers, body });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** New SKUs with one of a listing among them, which the test locks. */
function skuFile(round: number, locked: string, place: number): string {
  const rows = Array.from({ length: IMPORTED }, (_, n) => `R${round}-${n + 1},Product ${n + 1}`);
  rows[place] = `${locked},Renamed in round ${round}`;
  return `sku,name\n${rows.join('\n')}\n`;
}

/** One a cent above each price, which is right then. */
const competitorsCome = (): Promise<unknown> =>
  execute(
    proof.ownerUrl,
    `INSERT INTO competitor_offers (listing_id, seller_name, seller_key, price, fulfillment_type, seen_at)
     SELECT id, 'Corner Store', 'corner store', current_price + 0.01, 'FBM', now() FROM listings`,
  );

/**
 * Moves the competitors of a part of the listings.
 * @param role `replica`: nothing is due for it, so that the check of all listings finds it
 */
const competitorsMove = (part: number, role: 'origin' | 'replica'): Promise<unknown> =>
  execute(
    proof.ownerUrl,
    `SET session_replication_role = ${role};
     UPDATE competitor_offers SET price = price + CASE WHEN listing_id % 2 = 0 THEN 0.07 ELSE -0.05 END, seen_at = now()
     WHERE listing_id % ${PARTS} = ${part % PARTS}`,
  );

interface Taken {
  readonly file: string;
  /** What the marketplace had received before. */
  readonly received: readonly { readonly sku: string; readonly price: number }[];
}

/**
 * Takes a backup while the engine and the import wait for rows that the test has locked, each after or in its first batch,
 * and lets them go on once the backup has its snapshot.
 */
async function backUpUnderWay(
  admin: Awaited<ReturnType<typeof administrator>>,
  round: number,
): Promise<Taken> {
  const chance = new Chance(`${SEED}/${round}`);
  // Decided in the first batch of the engine, or in the last.
  const part = round % PARTS;
  const listing = chance.pick([part + PARTS, LISTINGS - PARTS + part]);
  const sku = `A-${chance.whole(1, LISTINGS)}`;
  const file = await admin.upload(
    `/api/imports?kind=skus&name=round-${round}.csv`,
    skuFile(round, sku, chance.pick([1_000, 2_500, 4_500])),
  );
  const path = `/api/imports/${file.id}`;
  await expect.poll(async () => (await admin.get(path)).state, POLLING).toBe('checked');
  const { checkId } = await admin.get(path);
  // These are being sent from now on.
  const before = proof.world.receivedPrices().length;
  await competitorsMove(round + PARTS / 2, 'origin');
  await expect.poll(() => proof.world.receivedPrices().length, POLLING).toBeGreaterThan(before);

  const holder = new Client({ connectionString: proof.ownerUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM listing_metrics WHERE listing_id = $1 FOR UPDATE', [listing]);
    await holder.query('SELECT FROM skus WHERE sku = $1 FOR UPDATE', [sku]);
    await competitorsMove(round, 'replica');
    await admin.post('/api/runs', {});
    await admin.post(`${path}/run`, { checkId, allOrNothing: false });
    const waiting = 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
    await expect.poll(async () => (await holder.query(waiting)).rowCount, POLLING).toBe(2);
    const received = proof.world.receivedPrices().map((price) => ({ sku: price.sku, price: price.price }));
    let isOver = false;
    const backup = makeBackup({
      url: proof.ownerUrl,
      program: '1.3.0',
      to: join(folder, `${round}.tar`),
      defaultFolder: folder,
      passphrase: null,
    }).finally(() => {
      isOver = true;
    });
    const begun = `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE a.application_name = 'pricewright-backup' AND l.relation = 'price_history'::regclass AND l.granted`;
    await expect.poll(async () => isOver || (await holder.query(begun)).rowCount, POLLING).toBeTruthy();
    await holder.query('ROLLBACK');
    return { file: (await backup).file, received };
  } finally {
    await holder.end();
  }
}

/** Everything that was under way is over. */
const isDone = (url: string): Promise<boolean> =>
  one(
    url,
    `SELECT NOT EXISTS (SELECT FROM repricing_runs WHERE state IN ('queued', 'running'))
      AND NOT EXISTS (SELECT FROM imports WHERE state NOT IN ('checked', 'done', 'failed'))
      AND NOT EXISTS (SELECT FROM due_listings)`,
  );

const IN_PROGRESS = `SELECT count(*)::int FROM price_intents WHERE state IN ('sent', 'accepted', 'unknown')`;

/** What is in the tables right after the restore, before the program works on them. */
async function expectConsistent(url: string, { received }: Taken, round: number): Promise<void> {
  expect(await execute(url, BROKEN_LEDGERS_TEXT)).toEqual([]);
  expect(await execute(url, 'SELECT conname FROM pg_constraint WHERE NOT convalidated')).toEqual([]);
  // A batch of a run, or of an import, with what it counted.
  expect(
    await execute(
      url,
      `SELECT r.id, r.changed, count(i.run_id) FROM repricing_runs r
       LEFT JOIN run_items i ON i.run_id = r.id AND i.outcome = 'change' GROUP BY r.id HAVING r.changed <> count(i.run_id)`,
    ),
  ).toEqual([]);
  const [file] = await execute(
    url,
    `SELECT state, coalesce((findings->'counts'->>'create')::int, 0) AS counted,
       (SELECT count(*)::int FROM skus WHERE sku LIKE 'R${round}-%') AS made
     FROM imports ORDER BY id DESC LIMIT 1`,
  );
  expect(file?.state).toBe('importing');
  expect(file?.made).toBe(file?.counted);
  expect(file?.made).toBeLessThan(IMPORTED - 1);
  expect(
    await one(url, `SELECT state FROM repricing_runs WHERE trigger = 'manual' ORDER BY id DESC LIMIT 1`),
  ).toBe('running');
  // Whatever the marketplace had received is known as sent; what was queued is not sent from here.
  const sent = await execute(
    url,
    `SELECT l.sku, (i.price * 100)::int AS price FROM price_intents i JOIN listings l ON l.id = i.listing_id
     WHERE i.sent_at IS NOT NULL AND i.state <> 'queued'`,
  );
  const known = new Set(sent.map(({ sku, price }) => `${sku} ${price}`));
  expect(received.filter(({ sku, price }) => !known.has(`${sku} ${price}`))).toEqual([]);
  expect(await one(url, `SELECT count(*)::int FROM price_intents WHERE state = 'queued'`)).toBe(0);
  expect(await one(url, IN_PROGRESS)).toBeGreaterThan(0);
  expect(await one(url, `SELECT count(*)::int FROM marketplace_modes WHERE mode = 'live'`)).toBe(0);
}

test.runIf(IS_WANTED)(
  `each of ${ROUNDS} backup(s) taken during a sweep, an import and sending is restored to a consistent state`,
  { timeout: 300_000 + ROUNDS * 120_000 },
  async () => {
    await competitorsCome();
    let cookie = '';
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { program, origin } = await start(proof.env());
      if (cookie === '') cookie = await register(origin);
      await expect.poll(() => isDone(proof.ownerUrl), POLLING).toBe(true);
      const taken = await backUpUnderWay(await administrator(origin, cookie), round);
      await expect.poll(() => isDone(proof.ownerUrl), POLLING).toBe(true);
      await stop(program);
      const receivedAll = proof.world.receivedPrices().length;

      const target = await createEmptyDatabase();
      restored.push(target);
      const data = join(folder, `data-${round}`);
      await mkdir(data);
      const env = {
        ...proof.env(),
        PRICEWRIGHT_DATA: data,
        DATABASE_URL: target.url,
        DATABASE_OWNER_URL: target.ownerUrl,
      };
      const result = await runProgram(['restore', taken.file], env);
      expect(result, result.text).toMatchObject({ code: 0 });
      await expectConsistent(target.ownerUrl, taken, round);
      const inProgress = await one(target.ownerUrl, IN_PROGRESS);
      const examined = await runProgram(['doctor', '--json'], env);
      expect(examined, examined.text).toMatchObject({ code: 0 });

      const second = await start(env);
      await expect.poll(() => isDone(target.ownerUrl), POLLING).toBe(true);
      expect(await one(target.ownerUrl, `SELECT count(*)::int FROM skus WHERE sku LIKE 'R${round}-%'`)).toBe(
        IMPORTED - 1,
      );
      expect(
        await one(target.ownerUrl, `SELECT count(*)::int FROM marketplace_modes WHERE mode = 'live'`),
      ).toBe(0);
      await stop(second.program);
      expect(proof.world.receivedPrices()).toHaveLength(receivedAll);
      expect(await execute(target.ownerUrl, BROKEN_LEDGERS_TEXT)).toEqual([]);
      console.log(
        `backup ${round}: ${taken.received.length} prices received before it, ${inProgress} in progress; restored, examined and started`,
      );
      await restored.pop()?.drop();
      await rm(data, { recursive: true });
      await rm(taken.file);
    }
  },
);
