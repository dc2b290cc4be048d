import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type DataLocation, exists } from './data-location.ts';
import { hasCode } from './embedded-postgres-error.ts';
import { explain } from './explain.ts';
import { run } from './os-user.ts';

/** The one superuser: for the supervisor, never for the application. */
export const SUPERUSER = 'postgres';

/** Major version of the cluster's files; null when there is no cluster yet. */
export async function clusterVersion(home: DataLocation): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(join(home.cluster, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Makes the cluster under a draft name and renames it: it is there whole or not at all, whatever dies when.
 * Of two at once the first to rename wins and the other uses the winner's; no lock is needed.
 * @throws EmbeddedPostgresError `disk_full`, `no_account`, `start_failed`
 */
export async function createCluster(home: DataLocation, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = `${home.cluster}.draft-${randomBytes(6).toString('hex')}`;
  const made = await run(home.account, join(binaries.folder, 'initdb'), [
    ...[
      '--pgdata',
      draft,
      '--username',
      SUPERUSER,
      '--encoding',
      'UTF8',
      '--data-checksums',
      '--no-instructions',
    ],
    // The socket's folder has mode 0700: who reaches the socket may also read the files.
    ...['--auth-local', 'trust', '--auth-host', 'reject'],
    ...locale(binaries.major),
    ...(durable ? [] : ['--no-sync']),
  ]);
  if (made.ok) await putInPlace(home, draft);
  else await rm(draft, { recursive: true, force: true });
  // A draft may also fail because a quicker process has finished and swept ours away.
  if (!(await exists(home.cluster))) throw await explain(home, made.output);
}

/** Text sorts by code point, alike on every machine, so that an index never depends on the system's locales. */
function locale(major: number): string[] {
  if (major >= 17) return ['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'];
  return ['--locale', process.platform === 'darwin' ? 'C' : 'C.UTF-8'];
}

async function putInPlace(home: DataLocation, draft: string): Promise<void> {
  try {
    await rename(draft, home.cluster);
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOTEMPTY', 'ENOENT')) throw error;
    return;
  }
  // The new name must survive a power cut before anything is promised on it.
  const folder = await open(home.folder);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Removes what crashed or slower processes left. Only for when the cluster is there: a draft that somebody
 * still works on has lost the race then.
 */
export async function sweepDrafts(home: DataLocation): Promise<void> {
  const prefix = `${basename(home.cluster)}.draft-`;
  for (const name of await readdir(home.folder)) {
    if (!name.startsWith(prefix)) continue;
    try {
      await rm(join(home.folder, name), { recursive: true, force: true });
    } catch (error) {
      // Its initdb is still writing; it will fail, see the cluster and sweep by itself.
      if (!hasCode(error, 'ENOTEMPTY')) throw error;
    }
  }
}
