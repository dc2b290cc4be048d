import type { Db } from '#db/client.ts';
import { countLive, readLive } from '#db/queries/repricing/due-listings.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { MarketplaceForecast } from '#domain/decision/forecast.ts';
import { isDrop, lowestAllowed } from '#domain/limits/lowest-allowed.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type Fall, loweredBy, mergeLowered, NONE_LOWERED } from '#usecases/catalog/costs/lowered-floors.ts';
import {
  loadPricingContext,
  type PricingContext,
  pricingContextFor,
} from '#usecases/repricing/pricing/pricing-context.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';
import { checkCircuitBreaker, hourStart } from './check-circuit-breaker.ts';
import type { EngineDeps } from './engine-deps.ts';
import { CatalogFingerprint, type PlanFigures, type PreviewCache } from './preview-cache.ts';
import { type PlanScope, planPages, type RunPlan } from './run-plan.ts';

/** Smaller than an engine batch, because this process also serves requests between two pages. */
const PAGE_SIZE = 250;

/** A plan, the circuit breaker's result, and a forecast for each marketplace that has listings. */
export interface PreviewedRun {
  readonly plan: RunPlan;
  readonly forecasts: ReadonlyMap<Marketplace, MarketplaceForecast>;
  /** Lowest allowed prices that fell by more than 20% since their marketplace, which would go live, was last live. */
  readonly fallen: LoweredFloors;
  readonly breaker: string | null;
}

/** Dependencies of going live and resuming; without cached previews they decide everything again. */
export type PreviewDeps = Pick<EngineDeps, 'db' | 'now'> & { readonly previews?: PreviewCache };

/** Progress of a preview. */
export interface PlanProgress {
  readonly evaluated: number;
  /** Number of listings when it started. */
  readonly of: number;
}

/**
 * Previews a run over all listings as if these marketplaces were live in addition to those that are, and repricing were
 * not halted. The forecasts show what each other marketplace would add. Writes nothing. A caller that stops iterating
 * ends it after the current page.
 * @param previews caches the plan for {@link figuresOfPlan}
 * @returns the plan; until then it yields the progress
 */
export async function* watchPreview(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
  previews?: PreviewCache,
): AsyncGenerator<PlanProgress, PreviewedRun> {
  const { context, since, added } = await planContext(db, marketplaces, now);
  const of = await countLive(db);
  let fallen = NONE_LOWERED;
  const catalog = new CatalogFingerprint(context.facts);
  const forecasts = new Map<Marketplace, MarketplaceForecast>();
  const onPage: PlanScope['onPage'] = (_, page, decided) => {
    catalog.add(page);
    for (const { pricingInput, decision } of decided) {
      const { marketplace } = pricingInput.facts;
      const forecast = forecasts.get(marketplace) ?? new MarketplaceForecast();
      forecasts.set(marketplace, forecast);
      forecast.add(pricingInput, decision);
    }
    fallen = mergeLowered(fallen, loweredBy(decided.flatMap((one) => fallenSince(one, added))));
  };
  const pages = planPages({ db, batchSize: PAGE_SIZE, context, read: readLive, after: 0, since, onPage });
  for (;;) {
    const { done, value: plan } = await pages.next();
    if (done !== true) {
      yield { evaluated: plan.tally.evaluated, of };
      continue;
    }
    const changes = plan.tally.changed;
    previews?.remember(plan.token(), { catalog: catalog.text(), at: now, changes, fallen });
    return { plan, forecasts, fallen, breaker: await checkCircuitBreaker(db, plan, since, null, now) };
  }
}

/** The fall of a listing's lowest allowed price while its marketplace was not live, if it is a drop. */
function fallenSince(
  { pricingInput: { listing, facts }, decision }: DecidedCase,
  added: ReadonlySet<Marketplace>,
): Fall[] {
  const from = listing.lowestBefore;
  const to = lowestAllowed(decision.marginFloor, facts.minPrice);
  const { id, marketplace, sku } = listing;
  if (from === null || to === null || !added.has(marketplace) || !isDrop(from, to)) return [];
  return [{ listingId: id, marketplace, sku, from, to }];
}

/** The pricing context with these marketplaces live, the start of the rolling hour, and the marketplaces that would go live. */
async function planContext(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
): Promise<{ context: PricingContext; since: Instant; added: ReadonlySet<Marketplace> }> {
  const switches = await readEngineSwitches(db);
  const { facts } = await loadPricingContext(db, now);
  const live = new Set([...switches.live, ...marketplaces]);
  const added = new Set(marketplaces.filter((marketplace) => !switches.live.has(marketplace)));
  return {
    context: pricingContextFor({ ...facts, live, halted: false }),
    since: hourStart(switches, now),
    added,
  };
}

/** {@link watchPreview} without progress. */
export async function previewRun(
  db: Db,
  marketplaces: readonly Marketplace[],
  now: Instant,
): Promise<PreviewedRun> {
  const steps = watchPreview(db, marketplaces, now);
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

/**
 * Figures of a reviewed plan, if it is still the plan. Decides everything again only when it is not cached here, or
 * anything has changed since.
 * @returns null when the plan is different now
 */
export async function figuresOfPlan(
  db: Db,
  marketplaces: readonly Marketplace[],
  token: string,
  now: Instant,
  previews: PreviewCache | undefined,
): Promise<PlanFigures | null> {
  const { context } = await planContext(db, marketplaces, now);
  const known = (await previews?.figuresOf(db, token, context.facts)) ?? null;
  if (known !== null) return known;
  const { plan, fallen } = await previewRun(db, marketplaces, now);
  return plan.token() === token ? { changes: plan.tally.changed, fallen } : null;
}
