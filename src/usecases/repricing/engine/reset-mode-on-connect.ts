import type { Db } from '#db/client.ts';
import { startGeneration } from '#db/queries/marketplaces/connections/integrations.ts';
import { expireQueuedOf } from '#db/queries/marketplaces/sending/unsent-prices.ts';
import { writeFullSyncRequest } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { type ModeResetReason, modeResetSentence } from '#domain/connections/mode-reset.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { Actor } from '#usecases/editor.ts';
import { resetMode } from './set-recommend-only.ts';

/**
 * Called in the transaction that changes credentials, after the change. Where sending prices starts, or may go to another
 * account, the marketplace only recommends until a user reviews the plan and goes live; prices queued for the former
 * account expire, and a full sync is requested.
 * @param before marketplaces that prices were sent to before the change
 * @param others marketplaces whose account may have changed
 */
export async function resetModeOnConnect(
  tx: Db,
  before: ReadonlySet<Marketplace>,
  others: readonly Marketplace[],
  actor: Actor,
  at: Instant,
): Promise<void> {
  const { connected } = await readEngineSwitches(tx);
  for (const marketplace of MARKETPLACES) {
    if (!connected.has(marketplace)) continue;
    const isNew = !before.has(marketplace);
    if (!isNew && !others.includes(marketplace)) continue;
    const because: ModeResetReason = isNew ? 'connected' : 'account';
    await resetMode(tx, [marketplace], actor, modeResetSentence(marketplace, because), at, because);
    // A marketplace that becomes connected starts a generation automatically.
    if (!isNew) await startGeneration(tx, marketplace);
    await expireQueuedOf(tx, marketplace, 'all', CREDENTIALS_CHANGED, at);
    await writeFullSyncRequest(tx, marketplace, at);
  }
}

const CREDENTIALS_CHANGED = 'The credentials of the marketplace were changed before the price was sent.';
