import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { attachOrStart, type Wish } from './attach-or-start.ts';
import { type DataLocation, findHome } from './data-location.ts';
import { diskFull, EmbeddedPostgresError, hasCode, OR_DATABASE_URL } from './embedded-postgres-error.ts';
import { type Machine, thisMachine } from './machine.ts';
import { stop } from './server.ts';
import { addressesOf, unregister } from './supervision.ts';

/** This process's share in the server of a data folder. */
export interface EmbeddedPostgres {
  /** For `pg`: database "pricewright" on a private Unix socket, and a role that owns nothing in it. */
  readonly url: string;
  /** The same as the owner, who alone brings the tables along and gives that role its rights. */
  readonly ownerUrl: string;
  /** Ends the membership; the last member of a data folder stops its server. Close pools first. */
  leave(): Promise<void>;
}

export interface JoinOptions {
  readonly dataDir: string;
  /** False only for throw-away test clusters: commits are then not flushed to the disk. */
  readonly durable?: boolean;
  readonly log?: (line: string) => void;
}

/** How long the last to leave waits for the server's final checkpoint before it goes. */
const STOP_MS = 60_000;

/**
 * Joins the PostgreSQL server of a data folder, and creates and starts it as needed. Every process of the
 * folder shares one server, which outlives any of them and ends with the last.
 * @param machine the computer; another than this one only in tests
 * @throws EmbeddedPostgresError one sentence with the way out
 */
export async function joinEmbeddedPostgres(
  options: JoinOptions,
  machine: Machine = thisMachine(),
): Promise<EmbeddedPostgres> {
  if (machine.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      'Pricewright brings no PostgreSQL for Windows: start it inside WSL, or set DATABASE_URL to a PostgreSQL 15 or later.',
    );
  }
  const log = options.log ?? (() => undefined);
  const home = await inOneSentence(options.dataDir, () => findHome(machine, options.dataDir));
  if (!home.folder.startsWith(home.dataDir))
    log(`The database of ${home.dataDir} is kept in ${home.folder}.`);
  const membership = new Membership({ machine, home, durable: options.durable ?? true, log });
  await inOneSentence(home.folder, () => membership.join());
  return { ...addressesOf(home), leave: () => membership.leave() };
}

/** Keeps one connection open, and gets a new one when the server is lost. */
class Membership {
  private readonly wish: Wish;
  private readonly left = new AbortController();
  private keeper: Client | null = null;
  private rejoining: Promise<void> | null = null;

  constructor(wish: Wish) {
    this.wish = wish;
  }

  async join(): Promise<void> {
    const keeper = await attachOrStart(this.wish, this.left.signal);
    this.keeper = keeper;
    keeper.once('end', () => {
      if (this.left.signal.aborted) return;
      this.keeper = null;
      this.wish.log('Lost the database server; joining it again.');
      this.rejoining = this.rejoin();
    });
  }

  /** The server was killed, or one of its processes was. Pools recover by themselves once it is back. */
  private async rejoin(): Promise<void> {
    for (let wait = 500; !this.left.signal.aborted; wait = Math.min(wait * 2, 30_000)) {
      try {
        await this.join();
        return;
      } catch (error) {
        if (this.left.signal.aborted) return;
        this.wish.log(error instanceof Error ? error.message : String(error));
        await pause(wait, undefined, { signal: this.left.signal }).catch(() => undefined);
      }
    }
  }

  async leave(): Promise<void> {
    if (this.left.signal.aborted) return;
    this.left.abort();
    await this.rejoining;
    const keeper = this.keeper;
    if (keeper === null) return;
    try {
      if (await unregister(keeper)) await this.stopServer(this.wish.home);
    } catch (error) {
      // The server died under us: then there is nothing left to stop.
      this.wish.log(
        `Leaving a database server that is gone (${error instanceof Error ? error.message : error}).`,
      );
    }
    await keeper.end().catch(() => undefined);
  }

  private async stopServer(home: DataLocation): Promise<void> {
    if (!(await stop(home, STOP_MS))) this.wish.log(`The database server of ${home.folder} is left running.`);
  }
}

/** Failed system calls become sentences too. */
async function inOneSentence<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) throw diskFull(folder, error);
    if (error instanceof Error && hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
      throw new EmbeddedPostgresError(
        'wrong_owner',
        `Pricewright may not use ${folder} (${error.message}): start it as the folder's owner or name another with PRICEWRIGHT_DATA, ${OR_DATABASE_URL}.`,
        { cause: error },
      );
    }
    throw error;
  }
}
