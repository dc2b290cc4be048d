import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataLocation } from './data-location.ts';
import { diskFull, EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';

/** Less than one segment of the write-ahead log: PostgreSQL cannot continue. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;

/** initdb starts its programs through a shell, whose own errors begin with "sh: 1:". */
const ERROR_LINE = /(FATAL|PANIC|error|postgres|sh: \d+):/;
/** The server's answer to a connection during its start. We connect all the time, so it may well be the last line. */
const EARLY_CONNECTION = /FATAL:\s+the database system is /;

/** Turns the output of initdb or of a stopped server into one sentence that says how to fix it. */
export async function explain(home: DataLocation, output: string): Promise<EmbeddedPostgresError> {
  const said = ERROR_LINE.test(output) ? output : `${output}\n${await newestLog(home)}`;
  if (/No space left on device|Disk quota exceeded/.test(said) || (await freeSpace(home)) < MIN_FREE_BYTES) {
    return diskFull(home.folder);
  }
  if (/could not look up effective user ID/.test(said)) {
    return new EmbeddedPostgresError(
      'no_account',
      `User ID ${home.account.uid} has no entry in /etc/passwd, which PostgreSQL needs: add one, ${OR_DATABASE_URL}.`,
    );
  }
  const reason = lastReason(said);
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL could not start in ${home.folder}${reason === null ? '' : ` (${reason})`}: see the logs in ${home.logs}, ${OR_DATABASE_URL}.`,
  );
}

function lastReason(said: string): string | null {
  const lines = said.split('\n').filter((line) => ERROR_LINE.test(line) && !EARLY_CONNECTION.test(line));
  return lines.at(-1)?.replace(/^.*?(FATAL|PANIC|error|postgres|sh: \d+):\s*/, '') ?? null;
}

async function freeSpace(home: DataLocation): Promise<number> {
  const { bavail, bsize } = await statfs(home.folder);
  return bavail * bsize;
}

/** The end of the newest log file, where the server writes once its log files are open. */
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
