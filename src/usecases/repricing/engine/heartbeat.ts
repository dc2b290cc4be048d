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
  /** Whether the database is in the data folder; then a heartbeat that cannot write there fails. */
  readonly isInFolder: boolean;
  /** Called with a detected rollback, after all marketplaces were switched to recommend only. */
  readonly onRollback: (kind: RollbackKind, knownUntil: Instant) => void;
  /** Called when a data folder that does not contain the database cannot be used. */
  readonly onNoFolder: (error: unknown) => void;
}

/** A heartbeat that is written but not committed yet. */
interface Beat extends KnownHeartbeat {
  /** Identity of the prepared file, which replaces the old one after the commit. */
  readonly prepared: string | null;
  readonly found: { readonly kind: RollbackKind; readonly knownUntil: Instant } | null;
}

/**
 * Detects a restored backup, or a downtime of more than a day, before anything is decided from old data; all marketplaces
 * are then switched to recommend only. Checked at each start and when a process becomes the engine; the engine writes a
 * heartbeat about once a minute. One instance per process.
 */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #seen: KnownHeartbeat | null = null;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Checks before requests are served and prices are sent. Skips a database that no engine has worked on. */
  async check(db: Db): Promise<void> {
    await this.#withHeartbeat(db, async (tx, mark, evidence, now) =>
      mark === null || detectRollback(mark, evidence, now) === null
        ? null
        : this.#beatInside(tx, mark, evidence, now),
    );
  }

  /** Checks and writes the next heartbeat. For the engine. */
  async beat(db: Db): Promise<void> {
    await this.#withHeartbeat(db, (tx, mark, evidence, now) => this.#beatInside(tx, mark, evidence, now));
  }

  /** Called before each step: writes a heartbeat once a minute, or when the stored one is not the last one written. */
  async keep(db: Db): Promise<void> {
    const mark = await readMark(db);
    const isOurs =
      mark?.isAsWritten === true && mark.name === this.#seen?.name && mark.number === this.#seen.number;
    const since = mark === null ? Number.NaN : this.#deps.now() - mark.beatAt;
    if (!isOurs || !(since >= 0 && since < MINUTE)) await this.beat(db);
  }

  async #withHeartbeat(
    db: Db,
    step: (
      tx: Db,
      mark: InstallationMark | null,
      evidence: RollbackEvidence,
      now: Instant,
    ) => Promise<Beat | null>,
  ): Promise<void> {
    const { now, file, isInFolder, onRollback } = this.#deps;
    const beat = await transact(db, async (tx) => {
      const mark = await lockMark(tx);
      const found = await this.#ifFolderUsable(() => file.read(mark));
      return step(tx, mark, { file: found, seen: this.#seen, isInFolder }, now());
    });
    if (beat === null) return;
    this.#seen = beat;
    const { number, prepared, found } = beat;
    if (prepared !== null) await this.#ifFolderUsable(() => file.activate({ number, file: prepared }));
    if (found !== null) onRollback(found.kind, found.knownUntil);
  }

  async #beatInside(
    tx: Db,
    mark: InstallationMark | null,
    evidence: RollbackEvidence,
    now: Instant,
  ): Promise<Beat> {
    const rollback = mark === null ? null : detectRollback(mark, evidence, now);
    const name = mark?.name ?? randomUUID();
    const number = mark === null ? 1 : nextNumber(mark, evidence, rollback);
    const prepared = await this.#ifFolderUsable(() => this.#deps.file.prepare({ name, number }));
    const found = mark === null || rollback === null ? null : { kind: rollback, knownUntil: mark.beatAt };
    const isNews = found !== null && (await handleRollback(tx, found.kind, found.knownUntil, now));
    const remembered = isNews
      ? { rollbackKind: found.kind, rollbackAt: now, knownUntil: found.knownUntil }
      : (mark ?? NO_ROLLBACK);
    await writeMark(tx, {
      name,
      number,
      beatAt: now,
      file: this.#deps.isInFolder ? prepared : null,
      rollbackKind: remembered.rollbackKind,
      rollbackAt: remembered.rollbackAt,
      knownUntil: remembered.knownUntil,
    });
    return { name, number, prepared, found: isNews ? found : null };
  }

  /** Tolerates a missing or read-only data folder when it would hold nothing but the heartbeat file. */
  async #ifFolderUsable<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (this.#deps.isInFolder) throw error;
      this.#deps.onNoFolder(error);
      return null;
    }
  }
}

const NO_ROLLBACK = { rollbackKind: null, rollbackAt: null, knownUntil: null };
