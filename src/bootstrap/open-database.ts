import { DrizzleQueryError } from 'drizzle-orm/errors';
import { type Database, openDatabase } from '#db/client.ts';
import { grantDailyUse, identityOf } from '#db/daily-role.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { migrate } from '#db/migrate.ts';
import { migrationsFolder } from '#db/migration-files.ts';
import { prepareQueue } from '#db/queue.ts';
import { FileError } from '#files/file-error.ts';
import { makeUpgradeBackup } from '#usecases/backup/upgrade-backup.ts';
import { QUEUES } from './queues.ts';
import { readRelease } from './release.ts';
import type { Running } from './running-program.ts';
import { StartError } from './start-error.ts';

export interface Addresses {
  /** For all that the program does. */
  readonly url: string;
  /** For the owner of the tables, who brings them to today's schema; may be the same. */
  readonly ownerUrl: string;
}

/**
 * Opens the database of `DATABASE_URL` or the embedded one, migrated to the current schema.
 * @throws StartError or EmbeddedPostgresError, each one sentence with the fix
 */
export async function openDatabaseOf(running: Running): Promise<{ database: Database; url: string }> {
  const addresses = await addressesOf(running);
  await inOneSentence(running, () => prepare(addresses, () => backUpBeforeUpgrade(running, addresses)));
  const { url } = addresses;
  const database = openDatabase(url, undefined, running.tracing?.aroundTransaction);
  running.closers.push(() => database.close());
  return { database, url };
}

/**
 * Turns a failure to connect to the database of `DATABASE_URL` into one sentence.
 * @throws StartError for that, and whatever else `work` throws
 */
export async function inOneSentence<Result>(
  { config }: Running,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (config.databaseUrl === null || !isConnectionError(error)) throw error;
    const names = config.databaseOwnerUrl === null ? 'DATABASE_URL' : 'DATABASE_URL or DATABASE_OWNER_URL';
    throw new StartError(`The database of ${names} cannot be used: ${messageOf(error)}.`);
  }
}

/** The database of `DATABASE_URL`, or the embedded one, which is started if needed; with the schema that it has. */
export async function addressesOf({ config, log, lastClosers }: Running): Promise<Addresses> {
  const { databaseUrl: url, databaseOwnerUrl } = config;
  if (url !== null) return { url, ownerUrl: databaseOwnerUrl ?? url };
  const embedded = await joinEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) });
  lastClosers.push(() => embedded.leave());
  return embedded;
}

/**
 * A backup of the data folder, before another release changes its database. A database elsewhere is its operator's, and the
 * sample store holds nothing to lose.
 * @throws StartError when there is none, unless the operator accepts that
 */
async function backUpBeforeUpgrade({ config, log }: Running, { ownerUrl }: Addresses): Promise<void> {
  if (config.databaseUrl !== null || config.isDemo || !config.backsUpBeforeUpgrade) return;
  try {
    const { version } = await readRelease();
    const { file } = await makeUpgradeBackup({
      url: ownerUrl,
      program: version,
      passphrase: config.backupPassphrase,
      dataDir: config.dataDir,
    });
    log.info({ file }, 'backup made before the upgrade');
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new StartError(
      `${error.message} The upgrade begins with a backup, so nothing was changed. To upgrade without one, set PRICEWRIGHT_UPGRADE_BACKUP=0.`,
    );
  }
}

/** Migrates the schema, and grants the role of daily use its rights, where it is another role. */
export async function prepare(
  { url, ownerUrl }: Addresses,
  beforeUpgrade: () => Promise<void>,
): Promise<void> {
  if (url === ownerUrl) return migrate(url, migrationsFolder(), beforeUpgrade);
  const [daily, owner] = [await identityOf(url), await identityOf(ownerUrl)];
  if (daily.database !== owner.database) {
    throw new StartError(
      'DATABASE_URL and DATABASE_OWNER_URL name two databases. Let both name the same one, for two roles of it.',
    );
  }
  await migrate(ownerUrl, migrationsFolder(), beforeUpgrade);
  if (daily.role === owner.role) return;
  await prepareQueue(ownerUrl, QUEUES);
  await grantDailyUse(ownerUrl, daily.role);
}

function isConnectionError(error: unknown): boolean {
  return /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|28|3D000|57P03)/.test(databaseErrorCode(error) ?? '');
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  // drizzle's own message is the statement.
  return error instanceof DrizzleQueryError && error.cause !== undefined
    ? messageOf(error.cause)
    : error.message;
}
