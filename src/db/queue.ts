import { type SQL, sql } from 'drizzle-orm';
import PgBoss from 'pg-boss';
import type { Db } from './client.ts';
import { missingRight } from './migration-files.ts';

/** PostgreSQL schema of the queue's tables. */
export const QUEUE_SCHEMA = 'pgboss';
const POLL_SECONDS = 0.5;
/**
 * The queue through which pg-boss sends scheduled jobs. pg-boss creates it where its role may and silently drops what
 * it cannot send: under a role that owns nothing no schedule would ever run.
 */
const SCHEDULED = '__pgboss__send-it';
/** How often that queue is polled. The default is five seconds, and every schedule would be that late. */
const SCHEDULED_POLL_SECONDS = 1;
/**
 * How often schedules are checked. A minute that ended 60 seconds ago is missed, and every second check may be skipped
 * because it comes a moment too early: with pg-boss's own 30 seconds a minute could be lost.
 */
const SCHEDULE_CHECK_SECONDS = 20;
/** A handler that runs longer is considered dead, and its job is given to another process. */
const LEASE_MINUTES = 15;
const RETRY = { limit: 5, firstWaitSeconds: 1 };
const CLOSE_TIMEOUT = 30_000;

/** A kind of job: its name and data. Handlers are in src/jobs. */
export interface JobKind<Data extends object> {
  readonly name: string;
  /** Carries the type of the data; never set. */
  readonly data?: Data;
  /** By default five retries, the first after a second. Every wait is twice as long as the one before. */
  readonly retry?: { readonly limit: number; readonly firstWaitSeconds: number };
}

/** Jobs in the same database: sent in the caller's transaction, so that they commit or roll back with it. */
export interface Queue {
  /**
   * Sends a job in the caller's transaction.
   * @throws Error for a kind that the queue was not opened with
   */
  send<Data extends object>(db: Db, kind: JobKind<Data>, data: Data): Promise<void>;
  /**
   * Cancels jobs of a kind whose data contains `like`, in the caller's transaction. One that is running continues but
   * is not retried.
   */
  cancel<Data extends object>(db: Db, kind: JobKind<Data>, like: Partial<Data>): Promise<void>;
  /** Runs `handler` for each job of a kind, one at a time. A thrown error is retried with growing waits. */
  work<Data extends object>(kind: JobKind<Data>, handler: (data: Data) => Promise<void>): Promise<void>;
  /** Sends an empty job on a schedule. @param cron five fields, UTC */
  schedule(kind: JobKind<Record<string, never>>, cron: string): Promise<void>;
  /** Lets running handlers finish, then closes the queue's connections. */
  close(): Promise<void>;
}

/**
 * pg-boss passes numbered placeholders; drizzle numbers its own. Every number occurs once in the one statement used.
 */
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
 * pg-boss does not await the statement that records how a job ended: if the database is unreachable then, the error
 * would be an unhandled rejection and end the process. The job is retried when its lease expires.
 */
function reportCompletionErrors(boss: PgBoss, onError: (error: Error) => void): void {
  const db = boss.getDb();
  const run = db.executeSql.bind(db);
  db.executeSql = async (text, values) => {
    try {
      return await run(text, values);
    } catch (error) {
      // Only these statements have kind, ids and outcome, in that order.
      if (!(values?.length === 3 && Array.isArray(values[1]) && error instanceof Error)) throw error;
      onError(error);
      return { rows: [{ count: 0 }] };
    }
  };
}

/**
 * What a clock of the database that was ahead has left: pg-boss checks no schedule and starts no job before the stored time,
 * however far ahead that is. A retry waits no longer than `longestWait` seconds.
 */
async function limitTimes(boss: PgBoss, longestWait: number): Promise<void> {
  const db = boss.getDb();
  await db.executeSql(
    `UPDATE ${QUEUE_SCHEMA}.version SET cron_on = least(cron_on, now()), maintained_on = least(maintained_on, now()),
      monitored_on = least(monitored_on, now()) WHERE greatest(cron_on, maintained_on, monitored_on) > now()`,
    [],
  );
  await db.executeSql(
    `UPDATE ${QUEUE_SCHEMA}.job SET start_after = now()
      WHERE state < 'active' AND start_after > now() + make_interval(secs => $1)`,
    [longestWait],
  );
  // One whose process has died is given to another when its time is over.
  await db.executeSql(
    `UPDATE ${QUEUE_SCHEMA}.job SET started_on = now() WHERE state = 'active' AND started_on > now()`,
    [],
  );
}

/** Creates missing queues, which needs the owner; any other role fails then. */
async function createQueues(boss: PgBoss, kinds: readonly JobKind<object>[]): Promise<void> {
  await boss.createQueue(SCHEDULED);
  for (const { name, retry = RETRY } of kinds) {
    const retries = { retryLimit: retry.limit, retryDelay: retry.firstWaitSeconds, retryBackoff: true };
    await boss.createQueue(name, { name, ...retries, expireInMinutes: LEASE_MINUTES });
  }
}

/**
 * Creates or upgrades the queue's tables, which only their owner can. No job is sent or run.
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
  // A connection that breaks also fails the statement on it.
  boss.on('error', () => undefined);
  try {
    await boss.start();
    await createQueues(boss, kinds);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * Opens the queue, in a schema of its own. An owner creates and upgrades it here; for another role it is prepared.
 * @param kinds every kind that will be sent or worked on. Their queues are created here and never later: creating one
 *   waits for every open transaction that has sent a job, and would wait for its own sender.
 * @param onError receives errors between the queue and the database; the queue recovers automatically
 * @throws SchemaError when something is missing that this role may not create
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
    cronMonitorIntervalSeconds: SCHEDULE_CHECK_SECONDS,
    cronWorkerIntervalSeconds: SCHEDULED_POLL_SECONDS,
  });
  // pg-boss doubles the wait before each retry, and varies it.
  const longestWait =
    2 * Math.max(...kinds.map(({ retry = RETRY }) => retry.firstWaitSeconds * 2 ** retry.limit));
  let isClosed = false;
  // The pool ends without waiting for the server: a connection that the server closes afterwards is no error.
  boss.on('error', (error) => {
    if (!isClosed) onError(error);
  });
  reportCompletionErrors(boss, onError);
  try {
    await boss.start();
    await createQueues(boss, kinds);
    await limitTimes(boss, longestWait);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw missingRight(error);
  }
  const limiting = setInterval(() => {
    limitTimes(boss, longestWait).catch((error: unknown) => {
      if (!isClosed && error instanceof Error) onError(error);
    });
  }, SCHEDULE_CHECK_SECONDS * 1_000).unref();
  const known = new Set(kinds.map(({ name }) => name));
  return {
    send: async (db, { name }, data) => {
      // pg-boss would silently drop the job.
      if (!known.has(name)) throw new Error(`The queue was not opened for jobs of kind ${name}.`);
      await boss.insert([{ name, data }], { db: inside(db) });
    },
    cancel: async (db, { name }, like) => {
      // The same statement that pg-boss uses to cancel a job by its id.
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
    close: async () => {
      clearInterval(limiting);
      await boss.stop({ graceful: true, wait: true, timeout: CLOSE_TIMEOUT });
      isClosed = true;
    },
  };
}
