import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { freemem } from 'node:os';

const GB = 1024 ** 3;

/**
 * A new folder for clusters of tests. Not below TMPDIR: a socket's path must stay short. Everybody may pass
 * through, because the server has a user of its own under root.
 */
export async function newScratchFolder(name: string): Promise<string> {
  const folder = await mkdtemp(`${fitsInMemory() ? '/dev/shm' : '/tmp'}/pricewright-${name}-`);
  await chmod(folder, 0o711);
  return folder;
}

/** A cluster is a thousand files, which a disk takes longer to make than PostgreSQL. A container's small or locked /dev/shm will not do. */
function fitsInMemory(): boolean {
  if (!existsSync('/proc/mounts') || freemem() < 4 * GB) return false;
  const mounts = readFileSync('/proc/mounts', 'utf8');
  if (!/^\S+ \/dev\/shm tmpfs (?!\S*\bnoexec\b)/m.test(mounts)) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > 2 * GB;
}
