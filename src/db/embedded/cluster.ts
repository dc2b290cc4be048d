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
 * Creates the cluster under a draft name and renames it, so that it is complete or missing even after a crash. Of two
 * processes the first to rename wins and the other uses its cluster; no lock is needed.
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
    // The socket's folder has mode 0700: a user who can reach the socket may also read the files.
    ...['--auth-local', 'trust', '--auth-host', 'reject'],
    ...locale(binaries.major),
    ...(durable ? [] : ['--no-sync']),
  ]);
  if (made.ok) await putInPlace(home, draft);
  else await rm(draft, { recursive: true, force: true });
  // A draft may also fail because a faster process has finished and removed ours.
  if (!(await exists(home.cluster))) throw await explain(home, made.output);
}

/** Text sorts by code point, the same on every machine, so that no index depends on the system's locales. */
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
  // The new name must survive a power failure before anything is stored under it.
  const folder = await open(home.folder);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Removes what crashed or slower processes left. Only once the cluster exists: a draft that is still being written has
 * lost the race then.
 */
export async function sweepDrafts(home: DataLocation): Promise<void> {
  const prefix = `${basename(home.cluster)}.draft-`;
  for (const name of await readdir(home.folder)) {
    if (!name.startsWith(prefix)) continue;
    try {
      await rm(join(home.folder, name), { recursive: true, force: true });
    } catch (error) {
      // Its initdb is still writing; it will fail, find the cluster and remove its draft.
      if (!hasCode(error, 'ENOTEMPTY')) throw error;
    }
  }
}
