import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockEngineSwitches, setHalted } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import type { EngineDeps } from './engine-deps.ts';

/**
 * Halts repricing: once this returns, no decision of the engine changes a price until an administrator resumes. It
 * survives a restart. Repeating it changes nothing. Prices that wait to be sent are given up by the sending loop
 * (`expireQueuedPrices`).
 */
export async function haltEngine(
  { db, now }: Pick<EngineDeps, 'db' | 'now'>,
  reason: string | null,
  actor: Actor,
): Promise<void> {
  await transact(db, async (tx) => {
    const { halted } = await lockEngineSwitches(tx);
    if (halted) return;
    const at = now();
    await setHalted(tx, true, actor.name, reason, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'engine.halted',
      after: { reason },
    });
    await notify(tx, 'pricewright_engine', []);
  });
}
