import { open } from 'node:fs/promises';

/** Brings the names in a folder to the disk: a file that was made or renamed there stays so when the power fails. */
export async function fsyncDirectory(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
