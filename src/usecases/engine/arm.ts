import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/audit.ts';
import { lockEngineSwitches, setLookedPlan, setModes } from '#db/queries/engine.ts';
import { reachMilestone } from '#db/queries/milestones.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import { changesOfPlan, type LookingDeps } from './look-at-plan.ts';
import { queueFullRun } from './reprice-now.ts';

/**
 * Lets the engine change prices on these marketplaces, beginning with exactly the plan that was looked at.
 * @param token the name of that plan
 * @throws AppError conflict when the plan is another one by now
 */
export async function armMarketplaces(
  { db, now, looked }: LookingDeps,
  marketplaces: readonly Marketplace[],
  token: string,
  actor: Actor,
): Promise<void> {
  const changes = await changesOfPlan(db, marketplaces, token, now(), looked);
  if (changes === null) {
    throw new AppError('conflict', 'The plan has changed. Look at it again.');
  }
  await db.transaction(async (tx) => {
    const at = now();
    const { armed } = await lockEngineSwitches(tx);
    const added = marketplaces.filter((marketplace) => !armed.has(marketplace));
    await setModes(tx, added, 'armed', actor.name, at);
    await setLookedPlan(tx, token, actor.name, at);
    await reachMilestone(tx, 'looked', actor.name, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'engine.armed',
      targetKind: 'marketplaces',
      targetId: marketplaces.join(' '),
      before: { armed: [...armed] },
      after: { armed: [...armed, ...added], plan: token, changes },
    });
    await queueFullRun(tx, actor, at);
    await notify(tx, 'pricewright_engine', []);
  });
}
