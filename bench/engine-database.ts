import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { openDatabase } from '#db/client.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { openEngineLock } from '#db/engine-lock.ts';
import { migrate } from '#db/migrate.ts';
import { type Instant, instant } from '#domain/units.ts';
import { BATCH_SIZE } from '#usecases/repricing/engine/engine-deps.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';
import { changeOffers, fillEngineShop } from './engine-shop.ts';

/** The PostgreSQL that the product brings, with shops of several sizes in it. */
export interface EngineBench {
  /** A shop of so many listings that the engine has swept once. */
  shop(listings: number): Promise<EngineShop>;
  close(keep: boolean): Promise<void>;
}

export interface EngineShop {
  readonly listings: number;
  readonly url: string;
  /** Changes the lowest offer of about so many listings: others every time. */
  changeOffers(count: number): Promise<void>;
  /** Forgets what is due and lets the hour of the next sweep come. */
  waitForSweep(): Promise<void>;
  /** Lets the engine work until nothing is left to do. */
  work(): Promise<EngineWork>;
  /** A copy of the database for `use`, removed afterwards. */
  withTwin<Result>(use: (url: string) => Promise<Result>): Promise<Result>;
}

/** What the engine did until it was idle. */
export interface EngineWork {
  readonly seconds: number;
  readonly changed: number;
  /** Longest waits of the event loop, in milliseconds. */
  readonly loop: { readonly p99: number; readonly max: number };
  readonly lastRun: number;
}

const SWEEP_INTERVAL = 20 * 60_000;

export async function openEngineBench(): Promise<EngineBench> {
  const dataDir = join(import.meta.dirname, '../.cache/bench/engine');
  const server = await joinEmbeddedPostgres({ dataDir, log: () => undefined });
  const at = (database: string, user?: string): string => {
    const url = new URL(server.ownerUrl);
    url.pathname = `/${database}`;
    if (user !== undefined) url.username = user;
    return url.href;
  };
  const admin = new pg.Client({ connectionString: at('postgres', 'postgres') });
  await admin.connect();
  return {
    shop: (listings) => openShop(admin, at, listings),
    close: async (keep) => {
      await admin.end();
      await server.leave();
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function openShop(
  admin: pg.Client,
  at: (database: string) => string,
  listings: number,
): Promise<EngineShop> {
  const name = `engine_${listings}`;
  const url = at(name);
  const known = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (known.rowCount === 0) await admin.query(`CREATE DATABASE ${name} OWNER pricewright`);
  await migrate(url);
  /** How far the engine's clock is ahead of ours. */
  let ahead = 0;
  let turn = 0;
  const withPool = async <Result>(use: (pool: pg.Pool) => Promise<Result>): Promise<Result> => {
    const { pool, close } = openDatabase(url);
    return use(pool).finally(close);
  };
  const shop: EngineShop = {
    listings,
    url,
    changeOffers: async (count) => {
      await withPool(async (pool) => {
        const every = Math.round(listings / count);
        if ((await changeOffers(pool, every, turn++ % every)) === 0) throw new Error('No offer was changed.');
      });
    },
    waitForSweep: async () => {
      ahead += SWEEP_INTERVAL;
      await withPool((pool) => pool.query('DELETE FROM due_listings'));
    },
    work: () => work(url, () => instant(Date.now() + ahead)),
    withTwin: async (use) => {
      await admin.query(`CREATE DATABASE ${name}_twin TEMPLATE ${name} STRATEGY file_copy OWNER pricewright`);
      try {
        return await use(at(`${name}_twin`));
      } finally {
        await admin.query(`DROP DATABASE ${name}_twin WITH (FORCE)`);
      }
    },
  };
  const filled = await withPool((pool) => pool.query('SELECT FROM listings LIMIT 1'));
  if (filled.rowCount === 0) {
    await withPool((pool) => fillEngineShop(pool, listings));
    await shop.work();
    await withPool((pool) => pool.query('VACUUM ANALYZE'));
  } else {
    // Prices of an earlier run leave as a file of prices does, and the clock goes on behind it.
    await withPool(async (pool) => {
      await pool.query(
        'UPDATE listings SET awaiting_upload_since = NULL WHERE awaiting_upload_since IS NOT NULL',
      );
      await pool.query('UPDATE competitor_offers SET seen_at = now()');
      await pool.query('VACUUM ANALYZE');
      const { rows } = await pool.query<{ at: number; runs: number }>(
        'SELECT (extract(epoch FROM max(started_at)) * 1000)::float8 AS at, count(*)::int AS runs FROM repricing_runs',
      );
      // Other listings than last time: no price is lowered against one competitor forever.
      turn = rows[0]?.runs ?? 0;
      ahead = Math.max(0, (rows[0]?.at ?? 0) - Date.now());
    });
    await shop.waitForSweep();
    await shop.work();
  }
  return shop;
}

async function work(url: string, now: () => Instant): Promise<EngineWork> {
  const lock = await openEngineLock(url);
  const onUnexpectedError = (error: unknown): never => {
    throw error;
  };
  const deps = {
    now,
    db: lock.db,
    batchSize: BATCH_SIZE,
    isStopping: () => false,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    onUnexpectedError,
  };
  if (!(await lock.tryAcquire())) throw new Error('Another process is the engine.');
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const started = performance.now();
  for (let done = false; !done; ) done = (await engineStep(deps)) === 'idle';
  const seconds = (performance.now() - started) / 1_000;
  loop.disable();
  const { rows } = await lock.db.execute<{ id: number; changed: number; state: string; why: string | null }>(
    'SELECT id::float8 AS id, changed, state, stop_reason AS why FROM repricing_runs ORDER BY id DESC LIMIT 1',
  );
  await lock.close();
  const [run] = rows;
  if (run === undefined || run.state !== 'done') throw new Error(`The run was not done: ${run?.why}`);
  const { id, changed } = run;
  return {
    seconds,
    changed,
    lastRun: id,
    loop: { p99: loop.percentile(99) / 1e6, max: loop.max / 1e6 },
  };
}
