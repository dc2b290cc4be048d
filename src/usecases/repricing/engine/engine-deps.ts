import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import type { Actor } from '#usecases/editor.ts';
import type { PlannedPages } from './planned-pages.ts';

/** What the engine works with. The clock is handed in, so that tests need not wait. */
export interface EngineDeps {
  /** One connection of its own: whoever loses it has lost the engine and the batch under way with it. */
  readonly db: Db;
  readonly now: () => Instant;
  /** Listings per transaction. */
  readonly batchSize: number;
  /** True once the process wants to end: then nothing long is begun. */
  readonly isStopping: () => boolean;
  /** Listings that could not be recorded, through a fault of ours, and until when they are left alone. */
  readonly aside: Map<number, Instant>;
  /** What the plan of the run under way decided. Whoever has none decides again. */
  readonly planned: PlannedPages;
  /** Hears of each such fault. */
  readonly onFault: (error: unknown) => void;
}

/** Listings per transaction: long enough to work in sets, short enough for the kill switch. */
export const BATCH_SIZE = 1_000;

/** Written as the actor of what happens by itself. */
export const ENGINE: Actor = { id: null, name: 'Pricewright' };
export const BREAKER: Actor = { id: null, name: 'circuit breaker' };
