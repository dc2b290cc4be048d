import type { Db } from '#db/client.ts';
import { beginTerm } from '#db/queries/marketplaces/integrations.ts';
import { writeReadRequest } from '#db/queries/marketplaces/marketplace-syncs.ts';
import { expireQueuedOf } from '#db/queries/marketplaces/send-queue.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type ModeResetReason, modeResetSentence } from '#domain/mode-reset.ts';
import type { Instant } from '#domain/units.ts';
import type { Actor } from '#usecases/editor.ts';
import { resetMode } from './set-recommend-only.ts';

/**
 * Called by whoever changes keys, in the same transaction and after the change. Where prices are sent from here on, or go
 * to what may be another account, the engine observes until somebody arms it after a look at the plan; nothing that
 * waited for the account of before is sent, and the marketplace is read anew.
 * @param before where prices were sent before the change
 * @param others whose account may be another one
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
    // What becomes connected begins one by itself.
    if (!isNew) await beginTerm(tx, marketplace);
    await expireQueuedOf(tx, marketplace, 'all', OTHER_KEYS, at);
    await writeReadRequest(tx, marketplace, at);
  }
}

const OTHER_KEYS = 'The credentials of the marketplace were changed before the price was sent.';
