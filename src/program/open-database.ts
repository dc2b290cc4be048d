import { type Database, openDatabase } from '#db/client.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { type Running, StartError } from './running.ts';

/**
 * Opens the database of `DATABASE_URL` or the one we bring, brought to today's schema.
 * @throws StartError or EmbeddedPostgresError, each one sentence with the way out
 */
export async function openDatabaseOf({
  config,
  log,
  closers,
  lastClosers,
}: Running): Promise<{ database: Database; url: string }> {
  let url = config.databaseUrl;
  if (url === null) {
    const embedded = await joinEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) });
    lastClosers.push(() => embedded.leave());
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
