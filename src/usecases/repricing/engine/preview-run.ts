import type { Db } from '#db/client.ts';
import { countLive, readLive } from '#db/queries/repricing/due.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { MarketplaceForecast } from '#domain/forecast.ts';
import { isDrop, lowestAllowed } from '#domain/lowest-allowed.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type Fall, loweredBy, mergeLowered, NONE_LOWERED } from '#usecases/catalog/costs/lowered-floors.ts';
import {
  loadPricingContext,
  type PricingContext,
  pricingContextFor,
} from '#usecases/repricing/pricing/pricing-context.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';
import type { EngineDeps } from './engine-deps.ts';
import { CatalogueName, type PlanFigures, type PreviewCache } from './preview-cache.ts';
import { checkCircuitBreaker, hourStart, type PlanScope, planPages, type RunPlan } from './run-plan.ts';

/** Smaller than a batch of the engine: the process that plans also answers everybody's requests in between. */
const PAGE = 250;

/** A plan, what the circuit breaker would say to it, and what it comes to on each marketplace that has listings. */
export interface PreviewedRun {
  readonly plan: RunPlan;
  readonly forecasts: ReadonlyMap<Marketplace, MarketplaceForecast>;
  /** Lowest allowed prices that fell by more than 20% since their marketplace, to be armed now, was armed last. */
  readonly fallen: LoweredFloors;
  readonly breaker: string | null;
}

/** What arming and resuming need; without the plans that were looked at they decide everything again. */
export type LookingDeps = Pick<EngineDeps, 'db' | 'now'> & { readonly looked?: PreviewCache };

/** How far a plan is made. */
export interface PlanProgress {
  readonly evaluated: number;
  /** All listings when it was begun. */
  readonly of: number;
}

/**
 * What a run over everything would do now if these marketplaces were armed beside those that are, and nothing were
 * halted; what each of the others would come to beside them stands in its forecast. Nothing is written. Whoever stops
 * asking ends it after the page under way.
 * @param looked remembers the plan for {@link figuresOfPlan}
 * @returns the plan; what it yields before says how far it is
 */
export async function* watchPlan(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
  looked?: PreviewCache,
): AsyncGenerator<PlanProgress, PreviewedRun> {
  const { shop, since, added } = await planShop(db, marketplaces, now);
  const of = await countLive(db);
  let fallen = NONE_LOWERED;
  const catalogue = new CatalogueName(shop.facts);
  const forecasts = new Map<Marketplace, MarketplaceForecast>();
  const keep: PlanScope['keep'] = (_, page, decided) => {
    catalogue.add(page);
    for (const { pricingCase, decision } of decided) {
      const { marketplace } = pricingCase.facts;
      const forecast = forecasts.get(marketplace) ?? new MarketplaceForecast();
      forecasts.set(marketplace, forecast);
      forecast.add(pricingCase, decision);
    }
    fallen = mergeLowered(fallen, loweredBy(decided.flatMap((one) => fallenSince(one, added))));
  };
  const pages = planPages({ db, batchSize: PAGE, shop, read: readLive, after: 0, since, keep });
  for (;;) {
    const { done, value: plan } = await pages.next();
    if (done !== true) {
      yield { evaluated: plan.tally.evaluated, of };
      continue;
    }
    const changes = plan.tally.changed;
    looked?.remember(plan.token(), { catalogue: catalogue.text(), at: now, changes, fallen });
    return { plan, forecasts, fallen, breaker: await checkCircuitBreaker(db, plan, since, null, now) };
  }
}

/** What the lowest allowed price of a listing lost while the engine only looked, if it is a drop. */
function fallenSince(
  { pricingCase: { listing, facts }, decision }: DecidedCase,
  added: ReadonlySet<Marketplace>,
): Fall[] {
  const from = listing.lowestBefore;
  const to = lowestAllowed(decision.marginFloor, facts.minPrice);
  const { id, marketplace, sku } = listing;
  if (from === null || to === null || !added.has(marketplace) || !isDrop(from, to)) return [];
  return [{ listingId: id, marketplace, sku, from, to }];
}

/** The shop as it would be, the start of the rolling hour, and what would go live that is not. */
async function planShop(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
): Promise<{ shop: PricingContext; since: Instant; added: ReadonlySet<Marketplace> }> {
  const switches = await readEngineSwitches(db);
  const { facts } = await loadPricingContext(db, now);
  const live = new Set([...switches.live, ...marketplaces]);
  const added = new Set(marketplaces.filter((marketplace) => !switches.live.has(marketplace)));
  return {
    shop: pricingContextFor({ ...facts, live, halted: false }),
    since: hourStart(switches, now),
    added,
  };
}

/** The same in one go. */
export async function previewRun(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
): Promise<PreviewedRun> {
  const looking = watchPlan(db, marketplaces, now);
  for (;;) {
    const { done, value } = await looking.next();
    if (done === true) return value;
  }
}

/**
 * What a plan that somebody looked at comes to, if it is still the plan. Decides everything again only when
 * what was looked at is not known here, or anything has changed since.
 * @returns null when it is another plan by now
 */
export async function figuresOfPlan(
  db: Db,
  marketplaces: readonly Marketplace[],
  token: string,
  now: Instant,
  looked: PreviewCache | undefined,
): Promise<PlanFigures | null> {
  const { shop } = await planShop(db, marketplaces, now);
  const known = (await looked?.figuresOf(db, token, shop.facts)) ?? null;
  if (known !== null) return known;
  const { plan, fallen } = await previewRun(db, marketplaces, now);
  return plan.token() === token ? { changes: plan.tally.changed, fallen } : null;
}
