import { hours, type Instant } from './units.ts';

/**
 * Why costs, rules and prices may be older than they were when the marketplaces went live. `restored_backup` a backup was
 * restored or the data was copied · `downtime` the engine did not run for more than 24 hours.
 */
export const ROLLBACK_KINDS = ['restored_backup', 'downtime'] as const;
export type RollbackKind = (typeof ROLLBACK_KINDS)[number];

/** The engine's last heartbeat as stored in the database. */
export interface DatabaseHeartbeat {
  /** The random identity of this database, generated once. */
  readonly name: string;
  /** Increases with every heartbeat. */
  readonly number: number;
  readonly beatAt: Instant;
  /** The identity of the heartbeat file; null if the database is not in the data folder. */
  readonly file: string | null;
  /** Whether a heartbeat wrote the row, and not the restore of a dump. */
  readonly isAsWritten: boolean;
}

/** A heartbeat known outside the database: from the file in the data folder, or in the memory of a process. */
export interface KnownHeartbeat {
  readonly name: string;
  readonly number: number;
}

/** The file in the data folder. */
export interface FileHeartbeat extends KnownHeartbeat {
  /** The identity of the file on disk; a copy has another one. */
  readonly identity: string;
}

export interface RollbackEvidence {
  readonly file: FileHeartbeat | null;
  /** The last heartbeat in the memory of this process. */
  readonly seen: KnownHeartbeat | null;
  /** Whether the database is in the data folder, so that both are restored and copied together. */
  readonly isInFolder: boolean;
}

/** After a longer downtime all offers are outdated, and the seller cannot foresee what the engine would do. */
const MAX_DOWNTIME = hours(24);
/**
 * More heartbeats than a database can ever have. After a restore the number jumps by this much, so that no file or
 * process of another host, which was not read now, can detect the same restore a second time.
 */
const NUMBER_JUMP = 1_000_000_000;

/**
 * Whether the database may be outdated. A clock alone never indicates a restore, and a clock that was set back
 * indicates nothing.
 */
export function detectRollback(
  heartbeat: DatabaseHeartbeat,
  evidence: RollbackEvidence,
  now: Instant,
): RollbackKind | null {
  if (!heartbeat.isAsWritten) return 'restored_backup';
  if (newestKnown(heartbeat, evidence) > heartbeat.number) return 'restored_backup';
  if (evidence.isInFolder && evidence.file?.identity !== heartbeat.file) return 'restored_backup';
  return now - heartbeat.beatAt > MAX_DOWNTIME ? 'downtime' : null;
}

/** The number of the next heartbeat. */
export function nextNumber(
  heartbeat: DatabaseHeartbeat,
  evidence: RollbackEvidence,
  rollback: RollbackKind | null,
): number {
  return rollback === 'restored_backup'
    ? newestKnown(heartbeat, evidence) + NUMBER_JUMP
    : heartbeat.number + 1;
}

/** The highest known number of this database; heartbeats of other databases are ignored. */
function newestKnown(heartbeat: DatabaseHeartbeat, { file, seen }: RollbackEvidence): number {
  const known = [file, seen].filter((one) => one?.name === heartbeat.name);
  return Math.max(heartbeat.number, ...known.map((one) => one?.number ?? 0));
}
