import pg from 'pg';
import { type Db, openDatabase } from '#db/client.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { openEngineLock } from '#db/engine-lock.ts';
import { migrate } from '#db/migrate.ts';
import type { Instant } from '#domain/units.ts';
import { BATCH_SIZE } from '#usecases/repricing/engine/engine-deps.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';

interface FeeDatabase {
  readonly db: Db;
  /** Lets the engine work until nothing is due. */
  decideAll(now: () => Instant): Promise<void>;
  close(): Promise<void>;
}

/** An empty database of the current version in the PostgreSQL that the product brings. */
export async function openFeeDatabase(dataDir: string): Promise<FeeDatabase> {
  const server = await joinEmbeddedPostgres({ dataDir, log: () => undefined });
  const urlOf = (database: string, user?: string): string => {
    const url = new URL(server.ownerUrl);
    url.pathname = `/${database}`;
    if (user !== undefined) url.username = user;
    return url.href;
  };
  const admin = new pg.Client({ connectionString: urlOf('postgres', 'postgres') });
  await admin.connect();
  await admin.query('DROP DATABASE IF EXISTS fees WITH (FORCE)');
  await admin.query('CREATE DATABASE fees OWNER pricewright');
  await admin.end();
  await migrate(urlOf('fees'));
  const { db, close } = openDatabase(urlOf('fees'));
  return {
    db,
    decideAll: (now) => decideAll(urlOf('fees'), now),
    close: async () => {
      await close();
      await server.leave();
    },
  };
}

async function decideAll(url: string, now: () => Instant): Promise<void> {
  const lock = await openEngineLock(url);
  if (!(await lock.tryAcquire())) throw new Error('Another process is the engine.');
  const deps = {
    now,
    db: lock.db,
    batchSize: BATCH_SIZE,
    isStopping: () => false,
    skippedUntil: new Map(),
    planned: new PlannedPages(),
    onUnexpectedError: (error: unknown): never => {
      throw error;
    },
  };
  for (let done = false; !done; ) done = (await engineStep(deps)) === 'idle';
  await lock.close();
}
