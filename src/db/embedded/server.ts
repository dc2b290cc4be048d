import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { under } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Home } from './home.ts';
import { findHolder, hasPidFile } from './lock-files.ts';

/** A server that we asked to start; it outlives us. */
export interface Launch {
  /** What it said before its log files were open, once it has ended; null while it runs. */
  said(): string | null;
  /** Lets go of it: nothing of it keeps this process alive any longer. */
  release(): void;
}

/** Starts the server in a session of its own, so that a Ctrl+C in our terminal cannot reach it. */
export function launch(home: Home, binaries: Binaries, durable: boolean): Launch {
  const args = ['-D', home.cluster, ...settings(home, durable).flatMap((setting) => ['-c', setting])];
  const child = spawn(join(binaries.folder, 'postgres'), args, {
    ...under(home.account),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  let ended = false;
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.once('error', (error) => {
    output += `error: ${error.message}`;
    ended = true;
  });
  child.once('close', () => {
    ended = true;
  });
  return {
    said: () => (ended ? output : null),
    release: () => {
      // From here on the server writes to its log files only.
      child.stderr.destroy();
      child.unref();
    },
  };
}

/** On the command line, so that no file of the cluster has to be edited and an edited one cannot undo them. */
function settings(home: Home, durable: boolean): string[] {
  return [
    'listen_addresses=',
    'port=5432',
    `unix_socket_directories="${home.sockets.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    ...(durable ? ['fsync=on', 'full_page_writes=on'] : ['fsync=off', 'full_page_writes=off']),
    `synchronous_commit=${durable ? 'on' : 'off'}`,
    'timezone=UTC',
    'log_timezone=UTC',
    'lc_messages=C',
    // One file per weekday, overwritten a week later: the logs stay bounded without anybody's care.
    'logging_collector=on',
    `log_directory=${home.logs}`,
    'log_filename=postgres-%a.log',
    'log_truncate_on_rotation=on',
    'log_rotation_age=1d',
    'log_rotation_size=0',
    'log_checkpoints=off',
  ];
}

/**
 * Asks the server for a fast, orderly shutdown and waits for its end.
 * @returns false when it is not to be found, or still busy after `patience` milliseconds
 */
export async function stop(home: Home, patience: number): Promise<boolean> {
  const holder = await findHolder(home);
  // Seen from here there is no such process: it runs in another container. It stays.
  if (holder === null) return false;
  process.kill(holder.pid, 'SIGINT');
  const deadline = Date.now() + patience;
  while ((await hasPidFile(home)) && (await findHolder(home)) !== null) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}
