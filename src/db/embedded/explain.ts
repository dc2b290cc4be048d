import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataLocation } from './data-location.ts';
import { diskFull, EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';

/** Less than one segment of the write-ahead log: PostgreSQL cannot go on. */
const TOO_LITTLE_SPACE = 16 * 1024 * 1024;

const COMPLAINT = /(FATAL|PANIC|error|postgres):/;
/** The server's answer to whoever knocks too early. We knock all the time, so that it may well come last. */
const KNOCK = /FATAL:\s+the database system is /;

/** Turns what initdb or the server said on its way down into one sentence with the way out. */
export async function explain(home: DataLocation, output: string): Promise<EmbeddedPostgresError> {
  const said = COMPLAINT.test(output) ? output : `${output}\n${await newestLog(home)}`;
  if (
    /No space left on device|Disk quota exceeded/.test(said) ||
    (await freeSpace(home)) < TOO_LITTLE_SPACE
  ) {
    return diskFull(home.folder);
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
  const lines = said.split('\n').filter((line) => COMPLAINT.test(line) && !KNOCK.test(line));
  return lines.at(-1)?.replace(/^.*?(FATAL|PANIC|error|postgres):\s*/, '') ?? null;
}

async function freeSpace(home: DataLocation): Promise<number> {
  const { bavail, bsize } = await statfs(home.folder);
  return bavail * bsize;
}

/** What the last start left in the log files, where the server speaks once they are open. */
async function newestLog(home: DataLocation): Promise<string> {
  const names = await readdir(home.logs);
  const files = await Promise.all(
    names.map(async (name) => ({ name, written: (await stat(join(home.logs, name))).mtimeMs })),
  );
  const newest = files.sort((a, b) => b.written - a.written)[0];
  if (newest === undefined) return '';
  const text = await readFile(join(home.logs, newest.name), 'utf8');
  return text.slice(text.lastIndexOf('starting PostgreSQL')).slice(-4000);
}
