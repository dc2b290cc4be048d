import { existsSync, readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { usersCommand } from '#cli/users.ts';
import type { LiveEvent } from '#contract/events.ts';
import { type Database, openDatabase } from '#db/client.ts';
import { EmbeddedPostgresError } from '#db/embedded/embedded-postgres-error.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { listen as listenForSignals, type Signal } from '#db/listen.ts';
import { migrate } from '#db/migrate.ts';
import { migrationsFolder, readMigrations } from '#db/migration-files.ts';
import { readSchemaVersion } from '#db/queries/health.ts';
import { listUsers } from '#db/queries/users.ts';
import { openQueue } from '#db/queue.ts';
import { type Instant, instant } from '#domain/units.ts';
import { PURGE, startPurge } from '#jobs/purge.ts';
import { buildApp } from '#server/app.ts';
import { createLiveStreams } from '#server/live-streams.ts';
import { createLogger } from '#server/logger.ts';
import { approveUser } from '#usecases/approve-user.ts';
import { createPasswordHasher } from '#usecases/password-hasher.ts';
import { createSetupToken } from '#usecases/setup-link.ts';
import { type Config, readConfig } from './config.ts';

const USAGE = `Usage: main.js [serve | work | users ...]

serve  answers browsers
work   runs what happens by itself
users  lists and approves accounts
Without a word: serve and work in one process.`;

// Left for whatever has not ended by itself; whoever sent SIGTERM usually kills after ten seconds.
const SHUTDOWN_LIMIT = 9_000;

const now = (): Instant => instant(Date.now());

/** Something that must be ended, the latest first. */
type Closer = () => Promise<void> | void;
type Running = { readonly config: Config; readonly log: FastifyBaseLogger; readonly closers: Closer[] };

/** A mistake of whoever starts us: the message is all they need. */
class StartError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

async function openDatabaseOf({
  config,
  log,
  closers,
}: Running): Promise<{ database: Database; url: string }> {
  let url = config.databaseUrl;
  if (url === null) {
    const embedded = await joinEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) });
    closers.push(() => embedded.leave());
    url = embedded.url;
  }
  try {
    await migrate(url);
  } catch (error) {
    if (config.databaseUrl === null || !isConnectionError(error)) throw error;
    throw new StartError(`The database of DATABASE_URL cannot be used: ${messageOf(error)}.`);
  }
  const database = openDatabase(url);
  closers.push(() => database.close());
  return { database, url };
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|28|3D000|57P03)/.test(String(error.code));
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

async function serve(
  running: Running,
  database: Database,
  url: string,
  isAccepting: () => boolean,
): Promise<void> {
  const { config, log, closers } = running;
  const root = packageFolder();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const webRoot = join(root, 'dist', 'web');
  const hasPages = existsSync(join(webRoot, 'index.html'));
  if (!hasPages) log.warn(`no pages in ${webRoot}: run "npm run build"; the API works without them`);
  const schemaVersion = (await readMigrations(migrationsFolder())).length;
  const { db } = database;
  const liveStreams = createLiveStreams(log);
  const signals = await listenForSignals(url, (signal) => {
    const event = liveEventOf(signal);
    if (event !== null) liveStreams.publish(event);
  });
  closers.push(() => signals.close());
  const { publicUrl, boundToLoopback, trustedProxies, metricsToken } = config;
  const app = await buildApp({
    ...{ db, now, log, version, isAccepting, publicUrl, boundToLoopback, trustedProxies, metricsToken },
    passwords: createPasswordHasher(),
    liveStreams,
    isSchemaCurrent: async () => (await readSchemaVersion(db)) === schemaVersion,
    webRoot: hasPages ? webRoot : null,
  });
  closers.push(() => app.close());
  const address = await listen(app, config);
  await greet(config, database, version, address);
}

/** What browsers hear of a signal between processes; null when it is no news for them. */
function liveEventOf(signal: Signal): LiveEvent | null {
  if (signal.kind === 'resync') return signal;
  const topic = (
    { pricewright_listings: 'listings', pricewright_engine: 'engine', pricewright_due: null } as const
  )[signal.channel];
  return topic === null ? null : { kind: 'changed', topic, ids: signal.ids.map(String) };
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} of ${host} is taken by another program. Stop that, or choose another port, such as PORT=${port + 1}.`,
      );
    }
    if (code === 'EACCES') throw new StartError(`Port ${port} needs more rights: choose one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`HOST=${host} is no address of this machine.`);
    }
    throw error;
  }
}

/** "0.0.0.0" is every address of this machine; a link needs one that others can use. */
function addressForOthers({ host }: Config, address: string): string {
  if (host !== '0.0.0.0' && host !== '::') return address;
  const mine = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outward = mine.find(({ internal, family }) => !internal && family === 'IPv4');
  return `http://${outward?.address ?? hostname()}:${new URL(address).port}`;
}

/** For a person at a terminal; the set-up token goes nowhere else. */
async function greet(config: Config, { db }: Database, version: string, address: string): Promise<void> {
  const home = config.publicUrl ?? (config.boundToLoopback ? address : addressForOthers(config, address));
  console.log(`Pricewright ${version} is ready: ${home}`);
  if (config.insecureHttp) {
    console.log(
      'WARNING: PRICEWRIGHT_INSECURE_HTTP=1. Passwords and sessions can be read by everybody on the way.',
    );
  }
  const token = await createSetupToken(db, now());
  if (token !== null) {
    if (config.boundToLoopback) {
      console.log('First start: open it on this machine and register. You become the administrator.');
    }
    const where = config.boundToLoopback
      ? 'Through a proxy instead'
      : 'First start: to become the administrator';
    console.log(`${where}, register with this link. It works once and for 24 hours:`);
    console.log(`  ${home}/auth?setup=${token}`);
  }
  console.log('Stop with Ctrl+C.');
}

/** Runs the jobs of src/jobs by their schedules. */
async function work({ log, closers }: Running, { db }: Database, url: string): Promise<void> {
  const queue = await openQueue(url, [PURGE], (error) =>
    log.warn({ err: error }, 'trouble with the job queue'),
  );
  closers.push(() => queue.close());
  await startPurge(queue, { db, now });
}

/** Resolves with the first signal that asks to stop; the second ends the process at once. */
function stopRequest(log: FastifyBaseLogger): { promise: Promise<void>; isRequested: () => boolean } {
  let requested = false;
  const promise = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (requested) process.exit(1);
        requested = true;
        log.info({ signal }, 'stopping');
        resolve();
      });
    }
  });
  return { promise, isRequested: () => requested };
}

async function closeAll({ log, closers }: Running): Promise<boolean> {
  let clean = true;
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      clean = false;
      log.error({ err: error }, 'could not stop cleanly');
    }
  }
  return clean;
}

/** `users ...`: opens the database only once the arguments make sense. */
async function users(running: Running, argv: readonly string[]): Promise<number> {
  const open = async () => ({ db: (await openDatabaseOf(running)).database.db, now });
  return usersCommand(
    argv,
    { out: console.log, err: console.error },
    {
      approve: async (email, asAdmin) => approveUser(await open(), email, asAdmin),
      list: async () => listUsers((await open()).db),
    },
  );
}

/** Runs until a signal asks to stop. */
async function runServices(running: Running, kind: string | undefined): Promise<number> {
  const { log } = running;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'unexpected error: the process ends');
      process.exit(1);
    });
  }
  const stop = stopRequest(log);
  const { database, url } = await openDatabaseOf(running);
  if (kind !== 'serve') await work(running, database, url);
  if (kind !== 'work') await serve(running, database, url, () => !stop.isRequested());
  await stop.promise;
  setTimeout(() => process.exit(1), SHUTDOWN_LIMIT).unref();
  return 0;
}

async function run(argv: readonly string[]): Promise<number> {
  const [kind, ...rest] = argv;
  const isService = kind === undefined || kind === 'serve' || kind === 'work';
  if (isService ? rest.length > 0 : kind !== 'users') throw new StartError(USAGE, 2);
  const parsed = readConfig(process.env);
  if (!parsed.ok) throw new StartError(parsed.problems.join('\n'), 2);
  const { config } = parsed;
  const running: Running = { config, log: createLogger(isService ? config.logLevel : 'warn'), closers: [] };
  let code = 1;
  let clean = false;
  try {
    code = await (isService ? runServices(running, kind) : users(running, rest));
  } finally {
    clean = await closeAll(running);
  }
  return clean ? code : 1;
}

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  const isPlain = error instanceof StartError || error instanceof EmbeddedPostgresError;
  console.error(isPlain ? error.message : error);
  process.exit(error instanceof StartError ? error.exitCode : 1);
}
