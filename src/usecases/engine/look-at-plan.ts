import type { Db } from '#db/client.ts';
import { countLive, readLive } from '#db/queries/due.ts';
import { readEngineSwitches } from '#db/queries/engine.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { loadShop, shopOf } from '#usecases/pricing/shop.ts';
import { hourStart, judgePlan, planPages, type RunPlan } from './run-plan.ts';

/** Smaller than a batch of the engine: the process that plans also answers everybody's requests in between. */
const PAGE = 250;

/** A plan and what the circuit breaker would say to it. */
export interface LookedAtPlan {
  readonly plan: RunPlan;
  readonly breaker: string | null;
}

/** How far a plan is made. */
export interface PlanProgress {
  readonly evaluated: number;
  /** All listings when it was begun. */
  readonly of: number;
}

/**
 * What a run over everything would do now if these marketplaces were armed beside those that are, and nothing were
 * halted. Nothing is written. Whoever stops asking ends it after the page under way.
 * @returns the plan; what it yields before says how far it is
 */
export async function* watchPlan(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
  pageSize = PAGE,
): AsyncGenerator<PlanProgress, LookedAtPlan> {
  const switches = await readEngineSwitches(db);
  const { facts } = await loadShop(db, now);
  const armed = new Set([...switches.armed, ...marketplaces]);
  const since = hourStart(switches, now);
  const shop = shopOf({ ...facts, armed, halted: false });
  const of = await countLive(db);
  const pages = planPages({ db, batchSize: pageSize, shop, read: readLive, after: 0, since });
  for (;;) {
    const { done, value: plan } = await pages.next();
    if (done === true) return { plan, breaker: await judgePlan(db, plan, since, null, now) };
    yield { evaluated: plan.tally.evaluated, of };
  }
}

/** The same in one go, for whoever has to compare it with one that was looked at. */
export async function lookAtPlan(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
): Promise<LookedAtPlan> {
  const looking = watchPlan(db, marketplaces, now);
  for (;;) {
    const { done, value } = await looking.next();
    if (done === true) return value;
  }
}
