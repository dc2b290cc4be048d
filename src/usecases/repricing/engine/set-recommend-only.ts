import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockEngineSwitches, setModes } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import type { ModeResetReason } from '#domain/connections/mode-reset.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import type { EngineDeps } from './engine-deps.ts';

/** Switches these marketplaces to recommend only. Repeating it changes nothing. */
export async function setRecommendOnly(
  { db, now }: Pick<EngineDeps, 'db' | 'now'>,
  marketplaces: readonly Marketplace[],
  actor: Actor,
): Promise<void> {
  await transact(db, (tx) => resetMode(tx, marketplaces, actor, null, now()));
}

/**
 * {@link setRecommendOnly} in the caller's transaction.
 * @param reason for the audit log; null when a user requested it
 * @param because the reason for screens, when a change of settings caused it
 */
export async function resetMode(
  tx: Db,
  marketplaces: readonly Marketplace[],
  actor: Actor,
  reason: string | null,
  at: Instant,
  because: ModeResetReason | null = null,
): Promise<void> {
  const { live } = await lockEngineSwitches(tx);
  const changed = marketplaces.filter((marketplace) => live.has(marketplace));
  if (changed.length === 0) return;
  await setModes(tx, changed, 'recommend_only', actor.name, at, because);
  await insertAudit(tx, {
    ...actedBy(actor, at),
    action: 'engine.disarmed',
    targetKind: 'marketplaces',
    targetId: changed.join(' '),
    before: { live: [...live] },
    after: { live: [...live].filter((marketplace) => !changed.includes(marketplace)), reason },
  });
  await notify(tx, 'pricewright_engine', []);
}
