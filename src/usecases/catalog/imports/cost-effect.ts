import type { Db } from '#db/client.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { listingsTouched } from '#db/queries/catalog/sku-writes.ts';
import type { CostJump, FallingListing, FoundEffect, TouchedRule } from '#db/schema/imports.ts';
import type { SkuCosts } from '#domain/costs/cost.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { marginOf } from '#domain/costs/margin.ts';
import { decimalFromCents, parseCents } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import { type Cents, cents, type Instant, ounces } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH = 1_000;
/** Listed of each; all are counted. */
const MAX_NAMED = 50;
/**
 * From this factor on, up or down, a changed cost is more likely a typo, such as a misplaced decimal point, than a
 * price rise.
 */
const JUMP_FACTOR = 3;

export const NO_EFFECT: FoundEffect = {
  listings: 0,
  fallingCount: 0,
  unknownCount: 0,
  falling: [],
  rules: [],
  jumpCount: 0,
  jumps: [],
};

/** A stored SKU and its values in a file. */
export interface ChangedSku {
  readonly old: TextRow;
  readonly merged: TextRow;
}

/** Costs and weights that change by a factor of 3 or more. */
export function findJumps(changed: readonly ChangedSku[]): CostJump[] {
  return changed.flatMap(jumpsOf);
}

/** The effect of changed costs on listings at current prices. Writes nothing. */
export async function costEffect(db: Db, changed: readonly ChangedSku[], now: Instant): Promise<FoundEffect> {
  const costly = changed.filter(({ old, merged }) => COSTS.some((field) => old[field] !== merged[field]));
  if (costly.length === 0) return NO_EFFECT;
  const jumps = costly.flatMap(jumpsOf);
  const ids = await listingsTouched(
    db,
    costly.map(({ old }) => Number(old.id)),
  );
  const assumed = new Map(costly.map(({ merged }) => [merged.sku ?? '', costsOf(merged)]));
  const shop = await loadPricingContext(db, now);
  const falling: FallingListing[] = [];
  const rules: TouchedRule[] = [];
  let unknownCount = 0;
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const before = new Map((await loadPricingInputs(db, shop, batch)).map((each) => [each.listing.id, each]));
    for (const after of await loadPricingInputs(db, shop, batch, assumed)) {
      const old = before.get(after.listing.id);
      if (old === undefined) continue;
      if (after.choice.rule !== null) rules.push({ name: after.choice.rule.name, listings: 1 });
      if (after.facts.cost.total === null && old.facts.cost.total !== null) unknownCount += 1;
      const fallen = fallenListing(old, after);
      if (fallen !== null) falling.push(fallen);
    }
  }
  return mergeEffects(NO_EFFECT, {
    listings: ids.length,
    fallingCount: falling.length,
    unknownCount,
    falling,
    rules,
    jumpCount: jumps.length,
    jumps,
  });
}

/** Merges two effects; the listings that would fall furthest, and the largest jumps, are listed. */
export function mergeEffects(a: FoundEffect, b: FoundEffect): FoundEffect {
  return {
    listings: a.listings + b.listings,
    fallingCount: a.fallingCount + b.fallingCount,
    unknownCount: a.unknownCount + b.unknownCount,
    falling: [...a.falling, ...b.falling].sort((x, y) => shortOf(y) - shortOf(x)).slice(0, MAX_NAMED),
    rules: addRules(a.rules ?? [], b.rules ?? []),
    jumpCount: a.jumpCount + b.jumpCount,
    jumps: [...a.jumps, ...b.jumps].sort((x, y) => factorOf(y) - factorOf(x)).slice(0, MAX_NAMED),
  };
}

function addRules(...lists: readonly (readonly TouchedRule[])[]): TouchedRule[] {
  const counts = new Map<string, number>();
  for (const { name, listings } of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + listings);
  const rules = [...counts].map(([name, listings]) => ({ name, listings }));
  return rules.sort((x, y) => y.listings - x.listings || x.name.localeCompare(y.name)).slice(0, MAX_NAMED);
}

const COSTS = [
  ...(['productCost', 'weight', 'length', 'width', 'height', 'isHazardous'] as const),
  ...(['packagingCost', 'miscCost'] as const),
] as const;

/** How far the price is below its margin floor, as a share of the price. */
const shortOf = ({ currentPrice, floorAfter }: FallingListing): number =>
  Number(floorAfter) / Number(currentPrice);

/** The larger of the two divided by the smaller. */
export function factorOf({ from, to }: Pick<CostJump, 'from' | 'to'>): number {
  return Math.max(Number(to) / Number(from), Number(from) / Number(to));
}

function jumpsOf({ old, merged }: ChangedSku): CostJump[] {
  return (['productCost', 'weight'] as const).flatMap((field) => {
    const [from, to] = [old[field] ?? null, merged[field] ?? null];
    // No factor from or to an unknown value; the check shows the change anyway.
    if (from === null || to === null || Number(from) === 0 || Number(to) === 0) return [];
    return factorOf({ from, to }) < JUMP_FACTOR
      ? []
      : [{ sku: old.sku ?? '', name: old.name ?? '', field, from, to }];
  });
}

/** A listing whose margin floor rises above its price, or further above it. */
function fallenListing(old: PricingInput, after: PricingInput): FallingListing | null {
  const before = floorOf(old);
  const now = floorOf(after);
  if (now.limit !== 'floor' || now.floor === null) return null;
  if (before.limit === 'floor' && before.floor !== null && now.floor <= before.floor) return null;
  const { marketplace, sku, title, currentPrice } = after.listing;
  return {
    marketplace,
    sku,
    title,
    currentPrice: decimalFromCents(currentPrice),
    floorBefore: before.floor === null ? null : decimalFromCents(before.floor),
    floorAfter: decimalFromCents(now.floor),
    marginBefore: marginText(old),
    marginAfter: marginText(after),
  };
}

function floorOf({ listing, facts, choice }: PricingInput): { limit: string | null; floor: Cents | null } {
  const margin = manualPriceMargin(choice, facts);
  const { limit, set } = checkManualPrice(facts, margin, listing.currentPrice);
  return { limit, floor: set?.marginFloor ?? null };
}

/** Percent with two decimals, negative for a loss. */
function marginText({ listing, facts }: PricingInput): string | null {
  const { shippingCharge, cost, fees } = facts;
  const totalCost = costWithoutFees({ cost, fees });
  if (shippingCharge === null || totalCost === null || fees === null) return null;
  const margin = marginOf(listing.currentPrice, shippingCharge, totalCost, fees);
  return margin === null ? null : (margin / 100).toFixed(2);
}

function costsOf(row: TextRow): SkuCosts {
  const { sku, productCost, weight, isHazardous, packagingCost, miscCost } = row;
  return {
    sku: sku ?? '',
    productCost: productCost == null ? null : parseCents(productCost),
    // In single precision, as it would be read back from the database.
    weight: weight == null ? null : ounces(Math.fround(Number(weight))),
    size: packageSize(inchesOf(row.length), inchesOf(row.width), inchesOf(row.height)),
    isHazardous: isHazardous === 'true',
    packagingCost: parseCents(packagingCost ?? '0') ?? cents(0),
    miscCost: parseCents(miscCost ?? '0') ?? cents(0),
  };
}

function inchesOf(text: string | null | undefined): number | null {
  return text == null ? null : Number(text);
}
