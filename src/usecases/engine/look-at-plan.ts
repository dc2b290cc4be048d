import type { Db } from '#db/client.ts';
import { readLive } from '#db/queries/due.ts';
import { readEngineSwitches } from '#db/queries/engine.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { loadShop, shopOf } from '#usecases/pricing/shop.ts';
import { BATCH_SIZE } from './engine-deps.ts';
import { hourStart, judgePlan, makePlan, type RunPlan } from './run-plan.ts';

/** A plan and what the circuit breaker would say to it. */
export interface LookedAtPlan {
  readonly plan: RunPlan;
  readonly breaker: string | null;
}

/**
 * What a run over everything would do now if these marketplaces were armed beside those that are, and nothing were
 * halted. Nothing is written.
 */
export async function lookAtPlan(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
): Promise<LookedAtPlan> {
  const switches = await readEngineSwitches(db);
  const { facts } = await loadShop(db, now);
  const armed = new Set([...switches.armed, ...marketplaces]);
  const since = hourStart(switches, now);
  const shop = shopOf({ ...facts, armed, halted: false });
  const plan = await makePlan({ db, batchSize: BATCH_SIZE }, shop, readLive, 0, since, () => true);
  if (plan === null) throw new Error('A plan that nobody stops came to no end.');
  return { plan, breaker: await judgePlan(db, plan, since, null, now) };
}
