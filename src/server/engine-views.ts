import type { EngineStatus, Run, RunItem } from '#contract/engine.ts';
import type { MarketplaceForecast, RunPreview } from '#contract/run-preview.ts';
import type { EngineFigures } from '#db/queries/repricing/engine-status.ts';
import type { RunRow } from '#db/queries/repricing/runs.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { marginOf } from '#domain/costs/margin.ts';
import { decimalFromBps, decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import type { MarketplaceForecast as Forecast } from '#domain/decision/forecast.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import type { ExplainedItem } from '#usecases/repricing/engine/explain-items.ts';
import type { PreviewedRun } from '#usecases/repricing/engine/preview-run.ts';
import type { DecidedCase } from '#usecases/repricing/pricing/record-decisions.ts';

const MINUTE = 60_000;

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
const money = (amount: Cents | null): string | null => (amount === null ? null : decimalFromCents(amount));
const percent = (margin: Bps | null): string | null => (margin === null ? null : decimalFromMargin(margin));

export function runView(run: RunRow): Run {
  return {
    id: String(run.id),
    trigger: run.trigger,
    state: run.state,
    startedBy: run.startedBy,
    startedAt: iso(run.startedAt),
    endedAt: isoOrNull(run.endedAt),
    planned: run.planned,
    evaluated: run.evaluated,
    changed: run.changed,
    kept: run.kept,
    recommended: run.recommended,
    blocked: run.blocked,
    stopReason: run.stopReason,
    undoesRunId: run.undoesRunId === null ? null : String(run.undoesRunId),
  };
}

/** @param usesTestAddresses whether the address of a service is replaced */
export function engineStatusView(
  figures: EngineFigures,
  run: RunRow | null,
  now: Instant,
  usesTestAddresses: boolean,
): EngineStatus {
  const { isHalted } = figures;
  return {
    isHalted,
    haltedBy: isHalted ? figures.switchedBy : null,
    haltedAt: isHalted ? iso(figures.switchedAt) : null,
    haltReason: isHalted ? figures.switchReason : null,
    inProgressCount: figures.inProgressCount,
    autoRepricing: figures.autoRepricing,
    notifications: figures.notifications,
    checkIntervalMinutes: figures.checkInterval,
    nextCheckAt: nextCheckAt(figures, now),
    run: run === null ? null : runView(run),
    pendingCount: figures.pendingCount,
    usesTestAddresses,
    marketplaces: figures.marketplaces.map(({ changedAt, ...state }) => ({
      ...state,
      changedAt: iso(changedAt),
    })),
  };
}

function nextCheckAt({ isAtWork, lastFullRunAt, checkInterval }: EngineFigures, now: Instant): string | null {
  if (!isAtWork) return null;
  return iso(lastFullRunAt === null ? now : lastFullRunAt + checkInterval * MINUTE);
}

export function runPreviewView({ plan, forecasts, fallen, breaker }: PreviewedRun): RunPreview {
  const { tally } = plan;
  return {
    token: plan.token(),
    evaluated: tally.evaluated,
    changes: tally.changed,
    raised: tally.raised,
    lowered: tally.lowered,
    dropped: tally.dropped,
    rose: tally.rose,
    dropDepth: decimalFromBps(plan.limits.dropDepth),
    atMarginFloor: tally.atMarginFloor,
    blocked: tally.blocked,
    recommended: tally.recommended,
    breaker,
    forecasts: MARKETPLACES.flatMap((marketplace) => {
      const forecast = forecasts.get(marketplace);
      return forecast === undefined ? [] : [forecastView(marketplace, forecast)];
    }),
    fallen: {
      count: fallen.count,
      worst: fallen.worst.map(({ listingId, marketplace, sku, from, to }) => ({
        listingId: String(listingId),
        marketplace,
        sku,
        from: decimalFromCents(from),
        to: decimalFromCents(to),
      })),
    },
    rows: plan.largest.flatMap(moveView),
  };
}

function forecastView(marketplace: Marketplace, forecast: Forecast): MarketplaceForecast {
  const { raised, lowered, priceChange, profitChange, waiting, problems } = forecast;
  return {
    marketplace,
    raised,
    lowered,
    priceChange: sum(priceChange),
    profitChange: sum(profitChange),
    waiting: mostFirst(waiting).map(([reviewReason, count]) => ({ reviewReason, count })),
    problems: mostFirst(problems).map(([problem, count]) => ({ problem, count })),
  };
}

/** An amount that no single price can have is omitted for screens. */
function sum(amount: number | null): string | null {
  return amount === null || Math.abs(amount) > MAX_CENTS ? null : decimalFromCents(cents(amount));
}

function mostFirst<Key>(counts: ReadonlyMap<Key, number>): [Key, number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

function moveView({ decision, pricingInput: { listing, facts } }: DecidedCase): RunPreview['rows'] {
  if (decision.price === null) return [];
  const { shippingCharge, cost, fees } = facts;
  const totalCost = costWithoutFees({ cost, fees });
  const marginAt = (price: Cents): string | null =>
    shippingCharge === null || totalCost === null || fees === null
      ? null
      : percent(marginOf(price, shippingCharge, totalCost, fees));
  return [
    {
      listingId: String(listing.id),
      marketplace: listing.marketplace,
      sku: listing.sku,
      title: listing.title,
      oldPrice: decimalFromCents(listing.currentPrice),
      newPrice: decimalFromCents(decision.price),
      marginBefore: marginAt(listing.currentPrice),
      marginAfter: marginAt(decision.price),
    },
  ];
}

export function runItemView(item: ExplainedItem & Pick<RunItem, 'equalSales'>): RunItem {
  return {
    listingId: String(item.listingId),
    marketplace: item.marketplace,
    sku: item.sku,
    title: item.title,
    outcome: item.outcome,
    reasonCode: item.reasonCode,
    reason: item.reason,
    oldPrice: money(item.oldPrice),
    newPrice: money(item.price),
    marginFloor: money(item.marginFloor),
    marginBefore: percent(item.marginBefore),
    marginAfter: percent(item.marginAfter),
    equalSales: item.equalSales,
  };
}
