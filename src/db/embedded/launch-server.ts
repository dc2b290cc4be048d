import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { DataLocation } from './data-location.ts';
import { under } from './os-user.ts';

/** How a server ended while we still waited for it. */
export interface Ended {
  /** 0 after an orderly shutdown, null after a signal. */
  readonly code: number | null;
  /** Its output before its log files were open. */
  readonly said: string;
}

/** A server that we started; it outlives this process. */
export interface Launch {
  /** Null while it runs. */
  ended(): Ended | null;
  /** Detaches from it, so that it no longer keeps this process alive. */
  release(): void;
}

/** How a server treats what is written; see `JoinOptions`. */
export interface Writing {
  readonly durable: boolean;
  readonly fills: boolean;
}

/** Starts the server in a session of its own, so that a Ctrl+C in our terminal cannot reach it. */
export function launch(home: DataLocation, binaries: Binaries, writing: Writing): Launch {
  const args = ['-D', home.cluster, ...settings(home, writing).flatMap((setting) => ['-c', setting])];
  const child = spawn(join(binaries.folder, 'postgres'), args, {
    ...under(home.account),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  let ended: Ended | null = null;
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.once('error', (error) => {
    ended = { code: 1, said: `error: ${error.message}` };
  });
  child.once('close', (code) => {
    ended ??= { code, said };
  });
  return {
    ended: () => ended,
    release: () => {
      // From here on the server writes to its log files only.
      child.stderr.destroy();
      child.unref();
    },
  };
}

/** On the command line, so that no file of the cluster has to be edited and an edited one cannot override them. */
function settings(home: DataLocation, { durable, fills }: Writing): string[] {
  return [
    'listen_addresses=',
    'port=5432',
    `unix_socket_directories="${home.sockets.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    ...(durable ? ['fsync=on', 'full_page_writes=on'] : ['fsync=off', 'full_page_writes=off']),
    'synchronous_commit=on',
    ...(fills ? ['wal_level=minimal', 'max_wal_senders=0'] : []),
    'timezone=UTC',
    'log_timezone=UTC',
    'lc_messages=C',
    // One file per weekday, overwritten a week later: the logs stay bounded without maintenance.
    'logging_collector=on',
    `log_directory=${home.logs}`,
    'log_filename=postgres-%a.log',
    'log_truncate_on_rotation=on',
    'log_rotation_age=1d',
    'log_rotation_size=0',
    'log_checkpoints=off',
  ];
}
