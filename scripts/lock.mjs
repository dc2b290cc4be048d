import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PlainError, say } from './project.mjs';

// Longer than any install or build on a slow machine; after that a lock is more likely forgotten than in use.
const PATIENCE_MS = 15 * 60_000;

/**
 * Runs `body` while no other process holds the lock file. A lock left behind by a process that is gone is
 * taken over; one that is held for 15 minutes ends in an error that names the file.
 */
export async function withLock(file, body) {
  mkdirSync(path.dirname(file), { recursive: true });
  await take(file);
  try {
    return await body();
  } finally {
    rmSync(file, { force: true });
  }
}

async function take(file) {
  const deadline = Date.now() + PATIENCE_MS;
  for (let told = false; !tryTake(file); told = true) {
    const holder = holderOf(file);
    if (holder === null) rmSync(file, { force: true });
    else if (Date.now() > deadline) {
      throw new PlainError(`Process ${holder} holds ${file} for too long: stop it, or remove the file.`);
    } else if (!told) say(`Waiting for process ${holder}, which is at the same work.`);
    await wait(100);
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The living process that holds the lock, or null when there is none. */
function holderOf(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Between creating the file and writing the number it is empty: somebody is just taking it.
    if (pid === 0) return 'unknown';
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return error.code === 'EPERM' ? 'of another user' : null;
  }
}
