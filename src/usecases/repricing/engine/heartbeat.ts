import { randomUUID } from 'node:crypto';
import type { Db } from '#db/client.ts';
import { type InstallationMark, lockMark, readMark, writeMark } from '#db/queries/repricing/installation.ts';
import { transact } from '#db/transact.ts';
import {
  detectRollback,
  type KnownHeartbeat,
  nextNumber,
  type RollbackEvidence,
  type RollbackKind,
} from '#domain/data-rollback.ts';
import type { Instant } from '#domain/units.ts';
import { handleRollback } from './handle-rollback.ts';
import type { HeartbeatFile } from './heartbeat-file.ts';

const MINUTE = 60_000;

interface HeartbeatDeps {
  readonly now: () => Instant;
  readonly file: HeartbeatFile;
  /** Whether the database lies in the data folder; then a heartbeat that cannot write there fails. */
  readonly isInFolder: boolean;
  /** Hears what was found, once everything observes. */
  readonly onSetback: (setback: RollbackKind, knownUntil: Instant) => void;
  /** Hears that a data folder without the database cannot be used. */
  readonly onNoFolder: (error: unknown) => void;
}

/** A heartbeat that is about to be committed. */
interface Beat extends KnownHeartbeat {
  /** The file that waits to be put in its place. */
  readonly prepared: string | null;
  readonly found: { readonly setback: RollbackKind; readonly knownUntil: Instant } | null;
}

/**
 * Finds out whether the database is a restored backup, or was left alone for long, before anything is decided from it;
 * then everything observes. It is asked at each start and whenever the engine is taken over, and goes on with the engine,
 * about once a minute. One for each process.
 */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #seen: KnownHeartbeat | null = null;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Looks before anybody is answered or anything is sent. A database that no engine has worked on is left alone. */
  async check(db: Db): Promise<void> {
    await this.#inTurn(db, async (tx, mark, evidence, now) =>
      mark === null || detectRollback(mark, evidence, now) === null
        ? null
        : this.#beatInside(tx, mark, evidence, now),
    );
  }

  /** Looks, and moves the mark on. For the engine. */
  async beat(db: Db): Promise<void> {
    await this.#inTurn(db, (tx, mark, evidence, now) => this.#beatInside(tx, mark, evidence, now));
  }

  /** Before each piece of work: a beat once a minute, and at once where the database is not as it was left. */
  async keep(db: Db): Promise<void> {
    const mark = await readMark(db);
    const isAsLeft =
      mark?.isAsWritten === true && mark.name === this.#seen?.name && mark.number === this.#seen.number;
    const since = mark === null ? Number.NaN : this.#deps.now() - mark.beatAt;
    if (!isAsLeft || !(since >= 0 && since < MINUTE)) await this.beat(db);
  }

  async #inTurn(
    db: Db,
    look: (
      tx: Db,
      mark: InstallationMark | null,
      evidence: RollbackEvidence,
      now: Instant,
    ) => Promise<Beat | null>,
  ): Promise<void> {
    const { now, file, isInFolder, onSetback } = this.#deps;
    const beat = await transact(db, async (tx) => {
      const mark = await lockMark(tx);
      const found = await this.#unlessUnneeded(() => file.read(mark));
      return look(tx, mark, { file: found, seen: this.#seen, isInFolder }, now());
    });
    if (beat === null) return;
    this.#seen = beat;
    const { number, prepared, found } = beat;
    if (prepared !== null) await this.#unlessUnneeded(() => file.putInForce({ number, file: prepared }));
    if (found !== null) onSetback(found.setback, found.knownUntil);
  }

  async #beatInside(
    tx: Db,
    mark: InstallationMark | null,
    evidence: RollbackEvidence,
    now: Instant,
  ): Promise<Beat> {
    const setback = mark === null ? null : detectRollback(mark, evidence, now);
    const name = mark?.name ?? randomUUID();
    const number = mark === null ? 1 : nextNumber(mark, evidence, setback);
    const prepared = await this.#unlessUnneeded(() => this.#deps.file.prepare({ name, number }));
    const found = mark === null || setback === null ? null : { setback, knownUntil: mark.beatAt };
    const isNews = found !== null && (await handleRollback(tx, found.setback, found.knownUntil, now));
    const remembered = isNews ? { ...found, setbackAt: now } : (mark ?? NOTHING_YET);
    await writeMark(tx, {
      name,
      number,
      beatAt: now,
      file: this.#deps.isInFolder ? prepared : null,
      setback: remembered.setback,
      setbackAt: remembered.setbackAt,
      knownUntil: remembered.knownUntil,
    });
    return { name, number, prepared, found: isNews ? found : null };
  }

  /** A data folder that nothing but the file would be in may be missing, or not ours to write to. */
  async #unlessUnneeded<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (this.#deps.isInFolder) throw error;
      this.#deps.onNoFolder(error);
      return null;
    }
  }
}

const NOTHING_YET = { setback: null, setbackAt: null, knownUntil: null };
