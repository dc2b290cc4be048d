import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import type { Home } from './home.ts';

/** Less than one segment of the write-ahead log: PostgreSQL cannot go on. */
const TOO_LITTLE_SPACE = 16 * 1024 * 1024;

/** Turns what initdb or the server said on its way down into one sentence with the way out. */
export async function explain(home: Home, output: string): Promise<EmbeddedPostgresError> {
  const said = /FATAL|PANIC|error:/.test(output) ? output : `${output}\n${await newestLog(home)}`;
  if (
    /No space left on device|Disk quota exceeded/.test(said) ||
    (await freeSpace(home)) < TOO_LITTLE_SPACE
  ) {
    return new EmbeddedPostgresError(
      'disk_full',
      `The disk that holds ${home.folder} is full: free some space and start again (nothing that was saved is lost), ${OR_DATABASE_URL}.`,
    );
  }
  if (/could not look up effective user ID/.test(said)) {
    return new EmbeddedPostgresError(
      'no_account',
      `The user with number ${home.account.uid} has no line in /etc/passwd, which PostgreSQL needs: add one, ${OR_DATABASE_URL}.`,
    );
  }
  const reason = lastReason(said);
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL could not start in ${home.folder}${reason === null ? '' : ` (${reason})`}: see ${home.logs}, ${OR_DATABASE_URL}.`,
  );
}

function lastReason(said: string): string | null {
  const lines = said.split('\n').filter((line) => /FATAL:|PANIC:|error:/.test(line));
  return lines.at(-1)?.replace(/^.*?(FATAL|PANIC|error):\s*/, '') ?? null;
}

async function freeSpace(home: Home): Promise<number> {
  const { bavail, bsize } = await statfs(home.folder);
  return bavail * bsize;
}

/** The end of the log that was written last, where the server speaks once its log files are open. */
async function newestLog(home: Home): Promise<string> {
  const names = await readdir(home.logs);
  const files = await Promise.all(
    names.map(async (name) => ({ name, written: (await stat(join(home.logs, name))).mtimeMs })),
  );
  const newest = files.sort((a, b) => b.written - a.written)[0];
  return newest === undefined ? '' : (await readFile(join(home.logs, newest.name), 'utf8')).slice(-4000);
}
