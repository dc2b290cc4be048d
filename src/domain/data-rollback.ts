import { hours, type Instant } from './units.ts';

/**
 * Why costs, rules and prices may be older than whoever armed the engine thinks. `restore` a backup was put back, or the
 * data was copied · `rest` the engine did not run for more than a day.
 */
export const ROLLBACK_KINDS = ['restore', 'rest'] as const;
export type RollbackKind = (typeof ROLLBACK_KINDS)[number];

/** What the engine wrote into the database at its last heartbeat, as it is found there. */
export interface DatabaseHeartbeat {
  /** Random, made once: which database this is. */
  readonly name: string;
  /** Rises with every heartbeat. */
  readonly number: number;
  readonly beatAt: Instant;
  /** Which file was left in the data folder; null where the database is not in there. */
  readonly file: string | null;
  /** Whether the row is the one that a heartbeat wrote, and not one that came out of a dump. */
  readonly isAsWritten: boolean;
}

/** Somebody who remembers a heartbeat: the file in the data folder, or a process. */
export interface KnownHeartbeat {
  readonly name: string;
  readonly number: number;
}

/** The file in the data folder. */
export interface FileHeartbeat extends KnownHeartbeat {
  /** Which file of the disk it is; a copy is another one. */
  readonly identity: string;
}

export interface RollbackEvidence {
  readonly file: FileHeartbeat | null;
  /** The last heartbeat that this process knows of. */
  readonly seen: KnownHeartbeat | null;
  /** Whether the database lies in the data folder, so that both are restored and copied together. */
  readonly isInFolder: boolean;
}

/** A seller who does not look in for so long cannot know what the engine would do: offers are worthless by then. */
const LONGEST_REST = hours(24);
/**
 * Heartbeats that nobody lives to see. After a restore the number goes so far beyond what its witnesses know that no
 * other one, on a machine that has not been asked, can take the database for restored once more.
 */
const BEYOND_ALL = 1_000_000_000;

/**
 * Whether what the database knows may be old. Clocks alone never tell a restore, and a clock that was set back tells
 * nothing at all.
 */
export function detectRollback(
  mark: DatabaseHeartbeat,
  evidence: RollbackEvidence,
  now: Instant,
): RollbackKind | null {
  if (!mark.isAsWritten) return 'restore';
  if (newestKnown(mark, evidence) > mark.number) return 'restore';
  if (evidence.isInFolder && evidence.file?.identity !== mark.file) return 'restore';
  return now - mark.beatAt > LONGEST_REST ? 'rest' : null;
}

/** The number of the next heartbeat. */
export function nextNumber(
  mark: DatabaseHeartbeat,
  evidence: RollbackEvidence,
  setback: RollbackKind | null,
): number {
  return setback === 'restore' ? newestKnown(mark, evidence) + BEYOND_ALL : mark.number + 1;
}

/** What a file or a process remembers of another database says nothing about this one. */
function newestKnown(mark: DatabaseHeartbeat, { file, seen }: RollbackEvidence): number {
  const witnesses = [file, seen].filter((witness) => witness?.name === mark.name);
  return Math.max(mark.number, ...witnesses.map((witness) => witness?.number ?? 0));
}
