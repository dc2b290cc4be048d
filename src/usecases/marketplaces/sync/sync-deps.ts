import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';

/** Dependencies of a sync. */
export interface SyncDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** The connection to sync from, until the signal aborts. */
export interface SyncSource {
  readonly connection: Connection;
  readonly signal: AbortSignal;
}
