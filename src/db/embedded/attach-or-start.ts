import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { clusterVersion, createCluster, sweepDrafts } from './cluster.ts';
import { BEFORE_RESTORE, type DataLocation } from './data-location.ts';
import { EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import { explain } from './explain.ts';
import { type Ended, type Launch, launch, type Writing } from './launch-server.ts';
import { clearStaleLocks, findHolder, findUnnamedServer } from './lock-files.ts';
import type { Machine } from './machine.ts';
import { register } from './supervision.ts';

/** How long a server may fail to answer before we give up. A healthy start takes a tenth of a second. */
const SILENCE_MS = 30_000;
/** How long a server may recover or shut down: minutes, after a crash in the middle of a large import. */
const BUSY_MS = 15 * 60_000;

const POLL_MS = 20;

export interface JoinContext extends Writing {
  readonly machine: Machine;
  readonly home: DataLocation;
  readonly log: (line: string) => void;
}

/**
 * Connects until a server accepts, and starts one if there is none. Needs no lock of its own: a cluster appears by a
 * rename, PostgreSQL lets one server into it, and a process that loses the race connects to the winner's server.
 * @param signal cancels the attempt, except while a server that this call started is still starting
 * @throws EmbeddedPostgresError with every code
 */
export async function attachOrStart(context: JoinContext, signal: AbortSignal): Promise<Client> {
  const { home, durable, fills } = context;
  const startedAt = Date.now();
  let answeredAt = startedAt;
  let binaries: Binaries | null = null;
  let started: Launch | null = null;
  try {
    for (;;) {
      // A server that we started is awaited, so that a canceled process can still stop it as the last one.
      if (started === null) signal.throwIfAborted();
      const answer = await register(home, durable);
      if (typeof answer === 'object') return answer;
      if (answer === 'busy') {
        if (answeredAt === startedAt)
          context.log('PostgreSQL is starting, recovering or stopping. Waiting for it.');
        answeredAt = Date.now();
      } else if (binaries === null) {
        binaries = await prepare(context);
        // Creating a cluster may take long on a slow disk and does not count as no answer.
        answeredAt = Date.now();
      } else if (started === null) {
        started = launch(home, binaries, { durable, fills });
      } else {
        const ended = started.ended();
        if (ended !== null) await checkExit(home, ended);
        if (ended !== null) started = null;
      }
      if (Date.now() - answeredAt > SILENCE_MS || Date.now() - startedAt > BUSY_MS) throw tooLong(home);
      await pause(POLL_MS);
    }
  } finally {
    started?.release();
  }
}

/** Prepares a start: programs that fit the cluster, and the cluster. */
async function prepare({ machine, home, durable, log }: JoinContext): Promise<Binaries> {
  const version = await clusterVersion(home);
  const binaries = await findBinaries(machine, home, version);
  if (!binaries.fromPackage) log(`Using this machine's PostgreSQL ${binaries.major} in ${binaries.folder}.`);
  if (version === null) {
    await refuseHalfRestored(home);
    log(`Creating the database in ${home.folder}.`);
    await createCluster(home, binaries, durable);
  }
  await sweepDrafts(home);
  return binaries;
}

/**
 * A restore that is killed between keeping the former database aside and putting the restored one into its place leaves none:
 * an empty one must not be made without a word.
 * @throws EmbeddedPostgresError `data_missing`
 */
async function refuseHalfRestored({ dataDir }: DataLocation): Promise<void> {
  const former = (await readdir(dataDir))
    .filter((name) => name.startsWith(BEFORE_RESTORE))
    .sort()
    .at(-1);
  if (former === undefined) return;
  const kept = join(dataDir, former);
  throw new EmbeddedPostgresError(
    'data_missing',
    `The data folder ${dataDir} has no database, since a restore was interrupted: restore again, or move what is in ${kept} back to ${dataDir}. To start with an empty database, move ${kept} to another place.`,
  );
}

/** Our server ended. That is expected if another one has the cluster or it was stopped; else throws its reason. */
async function checkExit(home: DataLocation, { code, said }: Ended): Promise<void> {
  const lost = /lock file "[^"]*"( already exists| is empty|: ")|pre-existing shared memory block/.test(said);
  if (!lost && (code === 0 || code === null)) return;
  if (!lost) throw await explain(home, said);
  const holder = await findHolder(home);
  if (holder === null) {
    const unnamed = await findUnnamedServer(home);
    if (unnamed !== null) {
      throw new EmbeddedPostgresError(
        'conflict',
        `The lock file in ${home.cluster} is damaged, and another PostgreSQL (process ${unnamed}) uses this database: stop it with "kill -INT ${unnamed}" and start again, ${OR_DATABASE_URL}.`,
      );
    }
    await clearStaleLocks(home);
  } else if (holder.sockets !== null && holder.sockets !== home.sockets) {
    throw new EmbeddedPostgresError(
      'conflict',
      `Another PostgreSQL server (process ${holder.pid}) uses the database in ${home.cluster} and listens on another socket: stop it, ${OR_DATABASE_URL}.`,
    );
  }
}

function tooLong(home: DataLocation): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `The database server of ${home.folder} did not respond in time: see the logs in ${home.logs} and start again, ${OR_DATABASE_URL}.`,
  );
}
