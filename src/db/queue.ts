import { type SQL, sql } from 'drizzle-orm';
import PgBoss from 'pg-boss';
import type { Db } from './client.ts';
import { missingRight } from './migration-files.ts';

/** Of the queue's tables in the database. */
export const QUEUE_SCHEMA = 'pgboss';
const POLL_SECONDS = 0.5;
/**
 * Through this queue pg-boss sends what is scheduled. It makes it itself, where it may, and drops without a word what
 * it cannot send: a role that owns nothing would never run a schedule.
 */
const SCHEDULED = '__pgboss__send-it';
/** How often that one is looked into. Left alone it would be five seconds, by which every schedule is late. */
const SCHEDULED_POLL_SECONDS = 1;
/**
 * How often schedules are looked at. A minute that is over for 60 seconds is missed, and every second look may be left
 * out, since it comes a moment too early: at pg-boss's own 30 seconds a minute could be lost.
 */
const SCHEDULE_LOOK_SECONDS = 20;
/** A handler that is still at it after this long is taken for dead, and its job is given to another process. */
const LEASE_MINUTES = 15;
const RETRY = { limit: 5, firstWaitSeconds: 1 };
const CLOSE_TIMEOUT = 30_000;

/** A kind of job: its name and what it carries. Handlers live in src/jobs. */
export interface JobKind<Data extends object> {
  readonly name: string;
  /** Carries the type of the data; never read. */
  readonly data?: Data;
  /** Unless said: five times, the first after a second. Every wait is twice as long as the one before. */
  readonly retry?: { readonly limit: number; readonly firstWaitSeconds: number };
}

/** Jobs in the same database: sent in the caller's transaction, so that neither exists without the other. */
export interface Queue {
  /**
   * Sends a job in the caller's transaction: a rollback takes it back.
   * @throws Error for a kind that the queue was not opened with
   */
  send<Data extends object>(db: Db, kind: JobKind<Data>, data: Data): Promise<void>;
  /**
   * Calls jobs of a kind off in the caller's transaction, those whose data has all of `like`. One that is being worked on
   * goes on, but is not tried again.
   */
  callOff<Data extends object>(db: Db, kind: JobKind<Data>, like: Partial<Data>): Promise<void>;
  /** Runs `handler` for each job of a kind, one at a time. A thrown error is retried with growing waits. */
  work<Data extends object>(kind: JobKind<Data>, handler: (data: Data) => Promise<void>): Promise<void>;
  /** Sends an empty job by the clock. @param cron five fields, UTC */
  schedule(kind: JobKind<Record<string, never>>, cron: string): Promise<void>;
  /** Lets running handlers finish, then closes the queue's connections. */
  close(): Promise<void>;
}

/** pg-boss hands over numbered placeholders; drizzle numbers its own. Every number occurs once in the one statement used. */
function withParams(text: string, values: readonly unknown[]): SQL {
  const chunks = text.split(/\$(\d+)/).map((part, index) => {
    return index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`;
  });
  return sql.join(chunks);
}

function inside(db: Db): PgBoss.Db {
  return {
    executeSql: async (text, values) => {
      const { rows } = await db.execute(withParams(text, values));
      return { rows };
    },
  };
}

/**
 * pg-boss does not wait for the statement that says how a job ended: where the database is away then, nothing but the
 * process would hear of it, and end. The job is tried again when its lease is over.
 */
function hearHowJobsEnd(boss: PgBoss, onError: (error: Error) => void): void {
  const db = boss.getDb();
  const run = db.executeSql.bind(db);
  db.executeSql = async (text, values) => {
    try {
      return await run(text, values);
    } catch (error) {
      // Kind, ids and outcome, in that order, are what only these statements have.
      if (!(values?.length === 3 && Array.isArray(values[1]) && error instanceof Error)) throw error;
      onError(error);
      return { rows: [{ count: 0 }] };
    }
  };
}

/** Makes the queues that are missing, which only the owner can; a role that is none fails then. */
async function makeQueues(boss: PgBoss, kinds: readonly JobKind<object>[]): Promise<void> {
  await boss.createQueue(SCHEDULED);
  for (const { name, retry = RETRY } of kinds) {
    const retries = { retryLimit: retry.limit, retryDelay: retry.firstWaitSeconds, retryBackoff: true };
    await boss.createQueue(name, { name, ...retries, expireInMinutes: LEASE_MINUTES });
  }
}

/**
 * Makes the queue's tables, or upgrades them: what only their owner can. Jobs are neither sent nor taken.
 * @param url address of the owner
 * @param kinds every kind that the queue will be opened with
 */
export async function prepareQueue(url: string, kinds: readonly JobKind<object>[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    application_name: 'pricewright-migrate',
    max: 1,
    supervise: false,
    schedule: false,
  });
  // A connection that breaks fails the statement on it, too.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    await makeQueues(boss, kinds);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * Opens the queue, in a schema of its own. An owner makes and upgrades that here; for another role it is prepared.
 * @param kinds every kind that will be sent or worked on. Their queues are made here and never later: making one waits
 *   for every open transaction that has sent something, and would wait for its own sender.
 * @param onError hears of trouble between the queue and the database; the queue goes on by itself
 * @throws SchemaError when something is missing that this role may not make
 */
export async function openQueue(
  url: string,
  kinds: readonly JobKind<object>[],
  onError: (error: Error) => void,
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    application_name: 'pricewright-queue',
    max: 4,
    cronMonitorIntervalSeconds: SCHEDULE_LOOK_SECONDS,
    cronWorkerIntervalSeconds: SCHEDULED_POLL_SECONDS,
  });
  boss.on('error', onError);
  hearHowJobsEnd(boss, onError);
  try {
    await boss.start();
    await makeQueues(boss, kinds);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw missingRight(error);
  }
  const known = new Set(kinds.map(({ name }) => name));
  return {
    send: async (db, { name }, data) => {
      // pg-boss would drop the job without a word.
      if (!known.has(name)) throw new Error(`The queue was not opened for jobs of kind ${name}.`);
      await boss.insert([{ name, data }], { db: inside(db) });
    },
    callOff: async (db, { name }, like) => {
      // What pg-boss does when it cancels a job by its id.
      await db.execute(sql`
        UPDATE pgboss.job SET state = 'cancelled', completed_on = now()
        WHERE name = ${name} AND state < 'completed' AND data @> ${JSON.stringify(like)}::jsonb`);
    },
    work: async <Data extends object>({ name }: JobKind<Data>, handler: (data: Data) => Promise<void>) => {
      await boss.work<Data>(name, { batchSize: 1, pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
        for (const job of jobs) await handler(job.data);
      });
    },
    schedule: async ({ name }, cron) => boss.schedule(name, cron, {}, { tz: 'UTC' }),
    close: () => boss.stop({ graceful: true, wait: true, timeout: CLOSE_TIMEOUT }),
  };
}
