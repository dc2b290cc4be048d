import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { attachOrStart, type JoinContext } from './attach-or-start.ts';
import { type DataLocation, findDataLocation } from './data-location.ts';
import { diskFull, EmbeddedPostgresError, hasCode, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import { type Machine, thisMachine } from './machine.ts';
import { stopServer } from './stop-server.ts';
import { addressesOf, unregister } from './supervision.ts';

/** Membership of this process in the server of a data folder. */
export interface EmbeddedPostgres {
  /** For `pg`: database "pricewright" on a private Unix socket, and a role that owns nothing in it. */
  readonly url: string;
  /** The same database as its owner, for migrations and grants. */
  readonly ownerUrl: string;
  /** Ends the membership; the last member of a data folder stops its server. Close pools first. */
  leave(): Promise<void>;
}

export interface JoinOptions {
  readonly dataDir: string;
  /** False only for throw-away test clusters: commits are then not flushed to the disk. */
  readonly durable?: boolean;
  /**
   * True while a new database is filled by one transaction: rows of tables that it makes are then written to their files
   * alone, which are flushed at its end, and not to the log as well. Of several members the one that starts the server decides.
   */
  readonly fills?: boolean;
  readonly log?: (line: string) => void;
}

/** How long the last member waits for the server's final checkpoint. */
const STOP_MS = 60_000;

/**
 * Joins the PostgreSQL server of a data folder, and creates and starts it as needed. All processes of the folder share
 * one server, which outlives any of them and stops with the last.
 * @param machine this computer; another one only in tests
 * @throws EmbeddedPostgresError one sentence that says how to fix it
 */
export async function joinEmbeddedPostgres(
  options: JoinOptions,
  machine: Machine = thisMachine(),
): Promise<EmbeddedPostgres> {
  if (machine.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      'Pricewright has no bundled PostgreSQL for Windows: run it inside WSL, or set DATABASE_URL to a PostgreSQL 15 or later.',
    );
  }
  const log = options.log ?? (() => undefined);
  const home = await inOneSentence(options.dataDir, () => findDataLocation(machine, options.dataDir));
  if (!home.folder.startsWith(home.dataDir))
    log(`The database of ${home.dataDir} is kept in ${home.folder}.`);
  const { durable = true, fills = false } = options;
  const membership = new Membership({ machine, home, durable, fills, log });
  await inOneSentence(home.folder, () => membership.join());
  return { ...addressesOf(home), leave: () => membership.leave() };
}

/** Keeps one connection open, and opens a new one when the server is lost. */
class Membership {
  private readonly context: JoinContext;
  private readonly left = new AbortController();
  private connection: Client | null = null;
  private rejoining: Promise<void> | null = null;

  constructor(context: JoinContext) {
    this.context = context;
  }

  async join(): Promise<void> {
    const connection = await attachOrStart(this.context, this.left.signal);
    this.connection = connection;
    connection.once('end', () => {
      if (this.left.signal.aborted) return;
      this.connection = null;
      this.context.log('Lost the database server; joining it again.');
      this.rejoining = this.rejoin();
    });
  }

  /** The server, or one of its processes, was killed. Pools recover automatically once it runs again. */
  private async rejoin(): Promise<void> {
    for (let wait = 500; !this.left.signal.aborted; wait = Math.min(wait * 2, 30_000)) {
      try {
        await this.join();
        return;
      } catch (error) {
        if (this.left.signal.aborted) return;
        this.context.log(error instanceof Error ? error.message : String(error));
        await pause(wait, undefined, { signal: this.left.signal }).catch(() => undefined);
      }
    }
  }

  async leave(): Promise<void> {
    if (this.left.signal.aborted) return;
    this.left.abort();
    await this.rejoining;
    const connection = this.connection;
    if (connection === null) return;
    try {
      if (await unregister(connection)) await this.stop(this.context.home);
    } catch (error) {
      // The server died first: there is nothing left to stop.
      this.context.log(
        `The database server had already stopped (${error instanceof Error ? error.message : error}).`,
      );
    }
    await connection.end().catch(() => undefined);
  }

  private async stop(home: DataLocation): Promise<void> {
    if (!(await stopServer(home, STOP_MS)))
      this.context.log(`The database server of ${home.folder} is left running.`);
  }
}

/** Turns failed system calls into sentences too. */
async function inOneSentence<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) throw diskFull(folder, error);
    if (error instanceof Error && hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
      throw new EmbeddedPostgresError(
        'wrong_owner',
        `Pricewright has no access to ${folder} (${error.message}): start it as the folder's owner, or set PRICEWRIGHT_DATA to another folder, ${OR_DATABASE_URL}.`,
        { cause: error },
      );
    }
    throw error;
  }
}
