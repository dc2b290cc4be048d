import { setTimeout as pause } from 'node:timers/promises';
import type { DataLocation } from './data-location.ts';
import { findHolder } from './lock-files.ts';

/**
 * Requests a fast, orderly shutdown and waits for the server's end.
 * @returns false when it was not found, or is still running after `timeoutMs`
 */
export async function stopServer(home: DataLocation, timeoutMs: number): Promise<boolean> {
  const holder = await findHolder(home);
  // Not visible from here: it runs in another container and is left running.
  if (holder === null) return false;
  process.kill(holder.pid, 'SIGINT');
  const deadline = Date.now() + timeoutMs;
  while ((await findHolder(home)) !== null) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}
