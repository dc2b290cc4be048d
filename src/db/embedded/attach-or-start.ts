import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { clusterVersion, createCluster, sweepDrafts } from './cluster.ts';
import type { DataLocation } from './data-location.ts';
import { EmbeddedPostgresError, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import { explain } from './explain.ts';
import { clearStaleLocks, findHolder, findUnnamedServer } from './lock-files.ts';
import type { Machine } from './machine.ts';
import { type Ended, type Launch, launch } from './server.ts';
import { register } from './supervision.ts';

/** How long nothing may answer before we give up. A healthy start takes a tenth of a second. */
const SILENCE_MS = 30_000;
/** How long a server may recover or shut down: minutes, after a crash in the middle of a large import. */
const BUSY_MS = 15 * 60_000;

const POLL_MS = 20;

export interface Wish {
  readonly machine: Machine;
  readonly home: DataLocation;
  readonly durable: boolean;
  readonly log: (line: string) => void;
}

/**
 * Knocks until a server lets us in, and starts one whenever none is there. Needs no lock of its own: a cluster
 * appears by a rename, PostgreSQL lets one server into it, and whoever loses a race knocks at the winner's door.
 * @param signal gives up, though not while a server that this call started is coming up
 * @throws EmbeddedPostgresError with every code
 */
export async function attachOrStart(wish: Wish, signal: AbortSignal): Promise<Client> {
  const { home, durable } = wish;
  const begun = Date.now();
  let heard = begun;
  let binaries: Binaries | null = null;
  let started: Launch | null = null;
  try {
    for (;;) {
      // A server that we started is seen through, so that whoever gave up can still stop it as the last one.
      if (started === null) signal.throwIfAborted();
      const answer = await register(home, durable);
      if (typeof answer === 'object') return answer;
      if (answer === 'busy') {
        if (heard === begun) wish.log('PostgreSQL is starting, recovering or stopping; waiting for it.');
        heard = Date.now();
      } else if (binaries === null) {
        binaries = await prepare(wish);
        // Making a cluster may take long on a slow disk and is no silence.
        heard = Date.now();
      } else if (started === null) {
        started = launch(home, binaries, durable);
      } else {
        const ended = started.ended();
        if (ended !== null) await learnFrom(home, ended);
        if (ended !== null) started = null;
      }
      if (Date.now() - heard > SILENCE_MS || Date.now() - begun > BUSY_MS) throw tooLong(home);
      await pause(POLL_MS);
    }
  } finally {
    started?.release();
  }
}

/** All that a start needs: programs that fit the cluster, and the cluster. */
async function prepare({ machine, home, durable, log }: Wish): Promise<Binaries> {
  const version = await clusterVersion(home);
  const binaries = await findBinaries(machine, home, version);
  if (!binaries.fromPackage) log(`Using this machine's PostgreSQL ${binaries.major} in ${binaries.folder}.`);
  if (version === null) {
    log(`Creating the database in ${home.folder}.`);
    await createCluster(home, binaries, durable);
  }
  await sweepDrafts(home);
  return binaries;
}

/** Our server ended. Fine if another one has the cluster, or somebody stopped it; else it says why. */
async function learnFrom(home: DataLocation, { code, said }: Ended): Promise<void> {
  const lost = /lock file "[^"]*"( already exists| is empty|: ")|pre-existing shared memory block/.test(said);
  if (!lost && (code === 0 || code === null)) return;
  if (!lost) throw await explain(home, said);
  const holder = await findHolder(home);
  if (holder === null) {
    const unnamed = await findUnnamedServer(home);
    if (unnamed !== null) {
      throw new EmbeddedPostgresError(
        'conflict',
        `The lock file in ${home.cluster} is damaged, and another PostgreSQL (process ${unnamed}) has the database: stop it with "kill -INT ${unnamed}" and start again, ${OR_DATABASE_URL}.`,
      );
    }
    await clearStaleLocks(home);
  } else if (holder.sockets !== null && holder.sockets !== home.sockets) {
    throw new EmbeddedPostgresError(
      'conflict',
      `Another PostgreSQL (process ${holder.pid}) has the database in ${home.cluster} and listens elsewhere: stop it, ${OR_DATABASE_URL}.`,
    );
  }
}

function tooLong(home: DataLocation): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'start_failed',
    `The database server of ${home.folder} did not answer in time: see ${home.logs} and start again, ${OR_DATABASE_URL}.`,
  );
}
