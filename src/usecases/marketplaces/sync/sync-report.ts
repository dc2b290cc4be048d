import type { Db } from '#db/client.ts';
import { listHeldLeases } from '#db/queries/background/leases.ts';
import {
  listFullSyncRequests,
  listSyncs,
  type SyncRow,
} from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { syncKindsOf } from '#domain/connections/sync-kinds.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { syncLease } from '#usecases/background/lease-names.ts';
import { requestBy } from './due-syncs.ts';

/** Sync status of a marketplace. */
export interface SyncReport {
  /** When a full sync was requested that is not complete yet; null when none is pending. */
  readonly requestedAt: Instant | null;
  /** The last sync of each kind that was synced before. */
  readonly syncs: readonly (SyncRow & { readonly isRunning: boolean })[];
}

/** @returns a function that gives the current sync status of a marketplace */
export async function readSyncReports(
  db: Db,
  now: Instant,
): Promise<(marketplace: Marketplace) => SyncReport> {
  const [rows, requests, held] = [
    await listSyncs(db),
    await listFullSyncRequests(db),
    await listHeldLeases(db),
  ];
  return (marketplace) => {
    const isSyncing = held.has(syncLease(marketplace));
    const syncs = syncKindsOf(marketplace).flatMap((kind) => {
      const row = rows.find((each) => each.marketplace === marketplace && each.kind === kind);
      // One without an end while no process holds the lease was left by a process that died.
      return row === undefined ? [] : [{ ...row, isRunning: isSyncing && row.endedAt === null }];
    });
    const at = requestBy(requests.get(marketplace), now);
    return { requestedAt: at !== null && isPending(marketplace, at, syncs) ? at : null, syncs };
  };
}

function isPending(marketplace: Marketplace, requestedAt: Instant, syncs: SyncReport['syncs']): boolean {
  return syncKindsOf(marketplace).some((kind) => {
    const sync = syncs.find((each) => each.kind === kind);
    return sync === undefined || sync.startedAt < requestedAt || sync.isRunning;
  });
}
