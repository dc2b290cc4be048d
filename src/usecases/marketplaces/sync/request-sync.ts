import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  lockFullSyncRequest,
  writeFullSyncRequest,
} from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import { type Connections, isReachable } from '#usecases/marketplaces/connections/connections.ts';
import { readSyncReports } from './sync-report.ts';

interface RequestSyncDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: Connections;
}

/**
 * Requests a full sync of a marketplace now. If one is requested or in progress already, no second one is recorded.
 * @returns when it was requested
 * @throws AppError conflict while the marketplace is not connected
 */
export async function requestSync(
  { db, now, connections }: RequestSyncDeps,
  marketplace: Marketplace,
  actor: Actor,
): Promise<Instant> {
  const state = await connections.stateOf(marketplace);
  if (!isReachable(state)) {
    const byFile = `${MARKETPLACE_NAMES[marketplace]} is not connected. Save its credentials, then sync.`;
    throw new AppError('conflict', state.kind === 'paused' ? state.why : byFile);
  }
  return transact(db, async (tx) => {
    await lockFullSyncRequest(tx, marketplace);
    const at = now();
    const { requestedAt } = (await readSyncReports(tx, at))(marketplace);
    if (requestedAt !== null) return requestedAt;
    await writeFullSyncRequest(tx, marketplace, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'marketplace.read_requested',
      targetKind: 'marketplace',
      targetId: marketplace,
    });
    await notify(tx, 'pricewright_engine', []);
    return at;
  });
}
