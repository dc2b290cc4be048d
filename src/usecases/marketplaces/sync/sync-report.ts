import type { Db } from '#db/client.ts';
import { listHeldDuties } from '#db/queries/background/leases.ts';
import { listReadRequests, listReads, type ReadRow } from '#db/queries/marketplaces/marketplace-syncs.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { syncKindsOf } from '#domain/sync-kinds.ts';
import type { Instant } from '#domain/units.ts';
import { syncLease } from './sync-lease.ts';

/** Sync status of a marketplace. */
export interface ReadingReport {
  /** When a full sync was requested that is not complete yet; null when none is pending. */
  readonly askedAt: Instant | null;
  /** The last sync of each kind that was synced before. */
  readonly reads: readonly (ReadRow & { readonly isUnderWay: boolean })[];
}

/** @returns a function that gives the current sync status of a marketplace */
export async function reportReadings(db: Db): Promise<(marketplace: Marketplace) => ReadingReport> {
  const [rows, requests, held] = [await listReads(db), await listReadRequests(db), await listHeldDuties(db)];
  return (marketplace) => {
    const isSyncing = held.has(syncLease(marketplace));
    const reads = syncKindsOf(marketplace).flatMap((what) => {
      const row = rows.find((each) => each.marketplace === marketplace && each.kind === what);
      // One without an end while no process holds the lease was left by a process that died.
      return row === undefined ? [] : [{ ...row, isUnderWay: isSyncing && row.endedAt === null }];
    });
    const askedAt = requests.get(marketplace) ?? null;
    return { askedAt: askedAt !== null && isPending(marketplace, askedAt, reads) ? askedAt : null, reads };
  };
}

function isPending(marketplace: Marketplace, askedAt: Instant, reads: ReadingReport['reads']): boolean {
  return syncKindsOf(marketplace).some((what) => {
    const read = reads.find((each) => each.kind === what);
    return read === undefined || read.startedAt < askedAt || read.isUnderWay;
  });
}
