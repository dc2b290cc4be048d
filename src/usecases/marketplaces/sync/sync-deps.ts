import type { SkippedListing } from '#connectors/connector.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import type { Db } from '#db/client.ts';
import { PASSED_OVER_LIST, type PassedOverRow } from '#domain/readings/passed-over.ts';
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

/** A sync that is going on. */
export interface SyncRun extends SyncSource {
  readonly passedOver: PassedOverList;
}

/** The rows that a sync passes over: a limited list, and their exact number. */
export class PassedOverList {
  readonly rows: PassedOverRow[] = [];

  takes(rows: readonly PassedOverRow[]): void {
    this.rows.push(...rows.slice(0, Math.max(0, PASSED_OVER_LIST - this.rows.length)));
  }

  /** The rows among others that could not be read. @returns how many */
  takesUnreadable(rows: readonly object[]): number {
    const unreadable = rows.filter(isUnreadable);
    this.takes(unreadable.map(passedOverRow));
    return unreadable.length;
  }
}

export function passedOverRow({ what, why, ...row }: SkippedListing): PassedOverRow {
  return {
    what,
    why,
    member: 'member' in row ? row.member : null,
    value: 'value' in row && row.value !== '' ? row.value : null,
  };
}
