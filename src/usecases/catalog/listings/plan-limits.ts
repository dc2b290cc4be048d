import { createHash } from 'node:crypto';
import {
  LIMIT_REFUSALS,
  type LimitChange,
  type LimitChanges,
  type LimitPlan,
  type LimitRefusal,
} from '#contract/limit-plan.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import { type LimitShift, limitFrom } from '#domain/limits/relative-limit.ts';
import type { Cents } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import type { ListingDeps } from './listing-deps.ts';

const BATCH = 1_000;
const MAX_ROWS = 20;
const MAX_NAMED = 3;

type Side = 'minPrice' | 'maxPrice';
interface Move {
  readonly from: Cents | null;
  readonly to: Cents | null;
}
/** The limits of one listing as they were previewed, and as they become; null for one that does not change. */
export type PlannedLimits = Readonly<Record<Side, Move | null>>;

/** What setting limits comes to: a summary for the user, and the changes by listing. */
export interface PlannedChange {
  readonly plan: LimitPlan;
  readonly planned: ReadonlyMap<number, PlannedLimits>;
}

/**
 * Calculates new limits for these listings from current costs, floors and prices. Writes nothing.
 * @param ids any number; deleted ones are reported
 */
export async function planLimits(
  { db, now }: ListingDeps,
  ids: readonly number[],
  limits: LimitChanges,
): Promise<PlannedChange> {
  const shop = await loadPricingContext(db, now());
  const tally = createTally(limits);
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const cases = await loadPricingInputs(db, shop, batch);
    for (const pricingInput of cases) tally.add(pricingInput);
    const there = new Set(cases.map(({ listing }) => listing.id));
    for (const id of batch) if (!there.has(id)) tally.miss(id);
  }
  return tally.result(ids.length);
}

type Sample = { readonly size: number; readonly row: LimitPlan['rows'][number] };

function createTally(limits: LimitChanges) {
  // Includes the settings themselves: other settings with the same result differ once figures change.
  const hash = createHash('sha256').update(JSON.stringify(limits));
  const planned = new Map<number, PlannedLimits>();
  const refused = new Map<LimitRefusal, { count: number; skus: string[] }>();
  const effects = { minBelowFloor: 0, maxBelowFloor: 0, priceBelowMin: 0, priceAboveMax: 0 };
  let samples: Sample[] = [];
  let unchanged = 0;
  const refuse = (why: LimitRefusal, id: number, sku: string): void => {
    const entry = refused.get(why) ?? { count: 0, skus: [] };
    entry.count += 1;
    if (entry.skus.length < MAX_NAMED) entry.skus.push(sku);
    refused.set(why, entry);
    hash.update(`${id} ${why}\n`);
  };
  return {
    miss: (id: number): void => refuse('deleted', id, `#${id}`),
    add: (pricingInput: PricingInput): void => {
      const { listing } = pricingInput;
      const floor = floorOf(pricingInput);
      const wanted = wantedLimits(pricingInput, limits, floor);
      if (typeof wanted === 'string') {
        refuse(wanted, listing.id, listing.sku);
        return;
      }
      const { minPrice, maxPrice } = wanted;
      hash.update(`${listing.id} ${movedText(minPrice)} ${movedText(maxPrice)}\n`);
      if (minPrice === null && maxPrice === null) {
        unchanged += 1;
        return;
      }
      planned.set(listing.id, wanted);
      count(effects, wanted, listing.currentPrice, floor);
      samples.push({ size: sizeOf(wanted, listing.currentPrice), row: rowOf(pricingInput, wanted, floor) });
      // Keeps only the largest: a million listings need not be in memory for 20 rows.
      if (samples.length > 10 * MAX_ROWS) samples = largest(samples);
    },
    result: (listings: number): PlannedChange => ({
      planned,
      plan: {
        token: hash.digest('base64url'),
        listings,
        changes: planned.size,
        unchanged,
        refused: LIMIT_REFUSALS.flatMap((why) => {
          const entry = refused.get(why);
          return entry === undefined ? [] : [{ why, count: entry.count, skus: entry.skus }];
        }),
        effects,
        rows: largest(samples).map(({ row }) => row),
      },
    }),
  };
}

function largest(samples: readonly Sample[]): Sample[] {
  return samples.toSorted((a, b) => b.size - a.size).slice(0, MAX_ROWS);
}

function floorOf({ facts, choice, listing }: PricingInput): Cents | null {
  return (
    checkManualPrice(facts, manualPriceMargin(choice, facts), listing.currentPrice).set?.marginFloor ?? null
  );
}

/** The limits that change, or why none can: a listing gets both or neither. */
export function wantedLimits(
  pricingInput: PricingInput,
  limits: LimitChanges,
  floor = floorOf(pricingInput),
): PlannedLimits | LimitRefusal {
  const { listing, facts } = pricingInput;
  const bases = { cost: facts.cost.total, price: listing.currentPrice, floor };
  const least = limitOf(limits.minPrice, 'minPrice', listing.minPrice, bases);
  const most = limitOf(limits.maxPrice, 'maxPrice', listing.maxPrice, bases);
  if (typeof least === 'string') return least;
  if (typeof most === 'string') return most;
  if (least !== null && most !== null && least > most) return 'min_above_max';
  return { minPrice: moved(listing.minPrice, least), maxPrice: moved(listing.maxPrice, most) };
}

const moved = (from: Cents | null, to: Cents | null): Move | null => (from === to ? null : { from, to });

const UNKNOWN = { cost: 'no_cost', own: 'no_value', price: 'no_price', floor: 'no_floor' } as const;

function limitOf(
  change: LimitChange | undefined,
  side: Side,
  own: Cents | null,
  bases: Readonly<Record<'cost' | 'price' | 'floor', Cents | null>>,
): Cents | null | LimitRefusal {
  if (change === undefined) return own;
  if ('to' in change) return change.to;
  const base = change.from === 'own' ? own : bases[change.from];
  if (base === null) return UNKNOWN[change.from];
  return limitFrom(base, shiftOf(change), side) ?? 'no_price';
}

function shiftOf(change: Exclude<LimitChange, { to: unknown }>): LimitShift {
  return 'percent' in change ? { percent: change.percent } : { amount: change.amount };
}

function count(
  effects: LimitPlan['effects'],
  { minPrice, maxPrice }: PlannedLimits,
  price: Cents,
  floor: Cents | null,
): void {
  const least = minPrice?.to ?? null;
  const most = maxPrice?.to ?? null;
  if (least !== null && floor !== null && least < floor) effects.minBelowFloor += 1;
  if (most !== null && floor !== null && most < floor) effects.maxBelowFloor += 1;
  if (least !== null && price < least) effects.priceBelowMin += 1;
  if (most !== null && price > most) effects.priceAboveMax += 1;
}

/** How much of the price a limit moves by; a new limit is as far as it is from the price. */
function sizeOf(limits: PlannedLimits, price: Cents): number {
  const by = (move: Move | null): number =>
    move === null ? 0 : Math.abs((move.to ?? price) - (move.from ?? price)) / price;
  return Math.max(by(limits.minPrice), by(limits.maxPrice));
}

function rowOf({ listing }: PricingInput, limits: PlannedLimits, floor: Cents | null) {
  return {
    listingId: String(listing.id),
    sku: listing.sku,
    title: listing.title,
    currentPrice: decimalFromCents(listing.currentPrice),
    floor: decimalOrNull(floor),
    minPrice: written(limits.minPrice),
    maxPrice: written(limits.maxPrice),
  };
}

function written(move: Move | null): LimitPlan['rows'][number]['minPrice'] {
  return move === null ? null : { from: decimalOrNull(move.from), to: decimalOrNull(move.to) };
}

const decimalOrNull = (amount: Cents | null): string | null =>
  amount === null ? null : decimalFromCents(amount);
const movedText = (move: Move | null): string => (move === null ? '-' : `${move.from}>${move.to}`);
