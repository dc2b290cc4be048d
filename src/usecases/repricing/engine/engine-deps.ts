import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import type { Actor } from '#usecases/editor.ts';
import type { PlannedPages } from './planned-pages.ts';

/** Dependencies of the engine. The clock is passed in, so that tests need not wait. */
export interface EngineDeps {
  /** The connection that holds the engine lock: losing it ends the engine and rolls back the batch in progress. */
  readonly db: Db;
  readonly now: () => Instant;
  /** Listings per transaction. */
  readonly batchSize: number;
  /** True once the process is stopping: then nothing long is started. */
  readonly isStopping: () => boolean;
  /** Listings that could not be recorded because of an internal error, and until when they are skipped. */
  readonly skippedUntil: Map<number, Instant>;
  /** Decisions made for the plan of the current run; pages without one are decided again. */
  readonly planned: PlannedPages;
  /** Receives each such error. */
  readonly onUnexpectedError: (error: unknown) => void;
  /** Receives the run that a step is for, before the step; its id is null for a batch of due listings. For traces. */
  readonly onRun?: (run: { readonly id: number | null; readonly trigger: string }) => void;
}

/** Listings per transaction: large enough for set-based statements, small enough for a halt to take effect soon. */
export const BATCH_SIZE = 1_000;

/** Actor of automatic actions. */
export const ENGINE: Actor = { id: null, name: 'Pricewright' };
export const BREAKER: Actor = { id: null, name: 'circuit breaker' };
