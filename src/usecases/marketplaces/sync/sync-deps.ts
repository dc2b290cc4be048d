import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';

/** What reading a marketplace needs. */
export interface ReadingDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** One marketplace to read from, until the signal says that it is enough. */
export interface ReadingOf {
  readonly connection: Connection;
  readonly signal: AbortSignal;
}
