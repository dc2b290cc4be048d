import { setFlagsFromString } from 'node:v8';
import { keysCommand } from '#cli/keys.ts';
import { usersCommand } from '#cli/users.ts';
import { readFeePlans } from '#db/queries/catalog/fee-terms.ts';
import { listUsers } from '#db/queries/identity/users.ts';
import { readCategoryMap } from '#files/read-category-map.ts';
import { readShippedFees, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { createLogger } from '#server/logger.ts';
import { loadCategoryMap } from '#usecases/catalog/fees/load-category-map.ts';
import { loadShippedFees } from '#usecases/catalog/fees/load-shipped-fees.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';
import { unlockUser } from '#usecases/identity/accounts/unlock-user.ts';
import { rotateKeys } from '#usecases/identity/encryption/rotate-keys.ts';
import { turnProviderOff } from '#usecases/identity/provider/save-provider.ts';
import { unlinkByEmail } from '#usecases/identity/provider/unlink-user.ts';
import { disableTwoFactorByEmail } from '#usecases/identity/two-factor/clear-two-factor.ts';
import { findLostSecrets, forgetLostSecrets } from '#usecases/identity/users/lost-secrets.ts';
import { backup, restore } from './bootstrap/backup.ts';
import { openServices } from './bootstrap/connectors.ts';
import { openFolderProblem } from './bootstrap/data-folder.ts';
import { onItsMarketplaces } from './bootstrap/demo-market.ts';
import { doctor } from './bootstrap/doctor.ts';
import { heartbeatOf } from './bootstrap/heartbeat.ts';
import { masterKeysOf, requireReadableSecrets } from './bootstrap/master-keys.ts';
import { openDatabaseOf } from './bootstrap/open-database.ts';
import { openQueueOf } from './bootstrap/queues.ts';
import { readRelease } from './bootstrap/release.ts';
import { closeAll, now, type Running } from './bootstrap/running-program.ts';
import { sandbox } from './bootstrap/sandbox.ts';
import { serve } from './bootstrap/serve.ts';
import { StartError, sentenceOf } from './bootstrap/start-error.ts';
import { work } from './bootstrap/start-workers.ts';
import { type StopRequest, stopRequest } from './bootstrap/stop-request.ts';
import { openTracing } from './bootstrap/tracing.ts';
import { readConfig } from './config.ts';

// V8 lets garbage grow in proportion to the machine's memory; a server next to a database should not. Collecting once
// the heap has grown by a third adds a few percent to the time of an import and halves its memory.
setFlagsFromString('--heap-growing-percent=30');

const USAGE = `Usage: main.js [serve | work | users ... | keys ... | backup ... | restore ... | doctor | sandbox ...] [--demo]

serve    serves the web app and the API
work     runs repricing, syncs and other background work
users    lists, approves and unlocks accounts, turns two-factor authentication
         or the identity provider off
keys     replaces the key that encrypts stored secrets
backup   writes all data into one file, also while Pricewright runs
restore  fills an empty database from such a file
doctor   checks this installation and says how to fix what is wrong
sandbox  simulates the marketplaces on this machine
Without a command: serve and work in one process.
--demo   the same with a sample store, in a data folder of its own`;

/** `users ...`: opens the database only once the arguments make sense. */
async function users(running: Running, argv: readonly string[]): Promise<number> {
  const open = async () => ({ db: (await openDatabaseOf(running)).database.db, now });
  return usersCommand(
    argv,
    { out: console.log, err: console.error },
    {
      approve: async (email, asAdmin) => approveUser(await open(), email, asAdmin),
      disableTwoFactor: async (email) => disableTwoFactorByEmail(await open(), email),
      unlock: async (email) => unlockUser(await open(), email),
      unlink: async (email) => unlinkByEmail(await open(), email),
      turnProviderOff: async () => turnProviderOff((await open()).db, now()),
      list: async () => listUsers((await open()).db),
    },
  );
}

/** `keys ...`: the same. */
async function keys(running: Running, argv: readonly string[]): Promise<number> {
  const master = masterKeysOf(running.config);
  const open = async () => (await openDatabaseOf(running)).database.db;
  return keysCommand(
    argv,
    { out: console.log, err: console.error },
    {
      rotate: async () => rotateKeys({ db: await open(), master, now }),
      findLost: async () => findLostSecrets(await open(), master),
      forgetLost: async () => forgetLostSecrets(await open(), master, now()),
    },
  );
}

const COMMANDS: Readonly<Record<string, (running: Running, argv: readonly string[]) => Promise<number>>> = {
  users,
  keys,
  backup,
  restore,
  doctor,
};

/** Runs until a signal asks to stop. */
async function runServices(started: Running, kind: string | undefined, stop: StopRequest): Promise<number> {
  const { log, config } = started;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'unexpected error: the process ends');
      stop.fail();
    });
  }
  const { database, url } = await openDatabaseOf(started);
  await requireReadableSecrets(database.db, config);
  const folderProblem = await openFolderProblem(config.dataDir);
  if (folderProblem !== null) log.warn(`${folderProblem.problem}: run "${folderProblem.command}"`);
  const { db } = database;
  await loadShippedFees({ db, now }, schedulesOfPlans(await readShippedFees(), await readFeePlans(db)));
  await loadCategoryMap(db, await readCategoryMap());
  const heartbeat = heartbeatOf(started);
  await heartbeat.check(database.db);
  const running = await onItsMarketplaces(started, database.db);
  const queue = await openQueueOf(running, url);
  const services = openServices(running, database.db);
  if (kind !== 'serve') await work(running, database, url, queue, services, heartbeat);
  if (kind !== 'work') await serve(running, database, url, queue, services, () => !stop.isRequested());
  await stop.promise;
  return 0;
}

async function run(words: readonly string[]): Promise<number> {
  const isDemo = words.includes('--demo');
  const [kind, ...rest] = words.filter((word) => word !== '--demo');
  if (kind === 'sandbox') return sandbox(rest);
  const isService = kind === undefined || kind === 'serve' || kind === 'work';
  const command = kind === undefined ? null : (COMMANDS[kind] ?? null);
  if (isService ? rest.length > 0 : command === null) throw new StartError(USAGE, 2);
  const parsed = readConfig(process.env, isDemo);
  if (!parsed.ok) throw new StartError(parsed.problems.join('\n'), 2);
  const { config } = parsed;
  const tracing =
    isService && config.traces !== null
      ? await openTracing(config.traces, (await readRelease()).version)
      : undefined;
  const log = createLogger(isService ? config.logLevel : 'warn', undefined, tracing?.logFields);
  tracing?.reportTo(log);
  const running: Running = {
    config,
    log,
    ...(tracing === undefined ? {} : { tracing }),
    // The last of them, with the spans of all others.
    closers: tracing === undefined ? [] : [tracing.close],
    lastClosers: [],
  };
  let hurried: Promise<void> | undefined;
  let code = 1;
  let clean = false;
  try {
    if (command === null) {
      const stop = stopRequest(log);
      hurried = stop.hurried;
      // Whatever the start is waiting for may never come then.
      code = await Promise.race([runServices(running, kind, stop), stop.failed]);
    } else code = await command(running, rest);
  } finally {
    clean = await closeAll(running, hurried);
  }
  return clean ? code : 1;
}

try {
  process.exit(await run(process.argv.slice(2)));
} catch (error) {
  console.error(sentenceOf(error) ?? error);
  process.exit(error instanceof StartError ? error.exitCode : 1);
}
