import { open } from 'node:fs/promises';

/** Flushes a directory to disk, so that a file that was created or renamed in it survives a power failure. */
export async function fsyncDirectory(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
