import type { ShippingTier, SkuCosts } from '#domain/cost.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Cents, Instant, Ounces } from '#domain/units.ts';

/** A value that applies from a moment on; null is since ever. */
interface Dated {
  readonly effectiveFrom: Instant | null;
}

/** Costs of a SKU that applied from a moment on. */
export interface DatedSkuCosts extends Dated {
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** Costs of a listing that applied from a moment on. */
export interface DatedListingCosts extends Dated {
  readonly fulfillmentType: FulfillmentType;
  /** Null is the shipping tier. */
  readonly shipping: Cents | null;
  /** Null is unknown. */
  readonly fulfillment: Cents | null;
}

/** A shipping tier with the time in which it applied. */
export interface DatedTier extends ShippingTier, Dated {
  /** Null: it still applies. */
  readonly effectiveUntil: Instant | null;
}

/**
 * The costs of a SKU at a moment. A product cost or weight that was not known yet is the first one that became known:
 * a cost entered late applies to the sales before it.
 * @param rows in the order in which they were entered; of two from one moment the later counts
 */
export function skuCostsAt(sku: string, rows: readonly DatedSkuCosts[], at: Instant): SkuCosts | null {
  const dated = inOrder(rows);
  const row = dated.findLast((each) => startOf(each) <= at) ?? dated[0];
  if (row === undefined) return null;
  return {
    sku,
    productCost: firstKnown(dated, at, ({ productCost }) => (productCost === 0 ? null : productCost)),
    weight: firstKnown(dated, at, ({ weight }) => (weight === 0 ? null : weight)),
    // Sizes have no date.
    size: null,
    packagingCost: row.packagingCost,
    miscCost: row.miscCost,
  };
}

/**
 * The costs of a SKU after new ones were entered that apply since a moment: they replace every later one.
 * @param rows in the order in which they were entered
 */
export function withCostsSince(
  rows: readonly DatedSkuCosts[],
  costs: Omit<DatedSkuCosts, 'effectiveFrom'>,
  since: Instant,
): DatedSkuCosts[] {
  const later = rows.map(startOf).filter((start) => start > since) as Instant[];
  return [...rows, ...[...new Set([since, ...later])].map((effectiveFrom) => ({ ...costs, effectiveFrom }))];
}

/**
 * The costs of a listing at a moment; null without rows.
 * @returns `firstShipping` is the first shipping cost that was entered after it: it applies where no tier was known
 */
export function listingCostsAt(
  rows: readonly DatedListingCosts[],
  at: Instant,
): (Omit<DatedListingCosts, 'effectiveFrom'> & { readonly firstShipping: Cents | null }) | null {
  const dated = inOrder(rows);
  const row = dated.findLast((each) => startOf(each) <= at) ?? dated[0];
  if (row === undefined) return null;
  return {
    fulfillmentType: row.fulfillmentType,
    shipping: row.shipping,
    fulfillment: firstKnown(dated, at, ({ fulfillment }) => fulfillment),
    firstShipping: firstKnown(dated, at, ({ shipping }) => shipping),
  };
}

/**
 * The shipping tiers at a moment: those that applied, and for weights that had none yet the first ones that did.
 * Overlaps are resolved by order: the tiers that applied come first.
 */
export function tiersAt(tiers: readonly DatedTier[], at: Instant): ShippingTier[] {
  const now = tiers.filter(
    (tier) => startOf(tier) <= at && at < (tier.effectiveUntil ?? Number.POSITIVE_INFINITY),
  );
  const later = tiers.filter((tier) => startOf(tier) > at).sort((a, b) => startOf(a) - startOf(b));
  return [...now, ...later];
}

/** The newest value not after a moment; the first one after it if none was known until then. */
function firstKnown<Row extends Dated, Value>(
  dated: readonly Row[],
  at: Instant,
  partOf: (row: Row) => Value | null,
): Value | null {
  const before = dated.filter((row) => startOf(row) <= at);
  if (before.some((row) => partOf(row) !== null)) return partOf(before[before.length - 1] as Row);
  for (const row of dated) {
    const value = partOf(row);
    if (value !== null) return value;
  }
  return null;
}

function inOrder<Row extends Dated>(rows: readonly Row[]): Row[] {
  // A stable sort: of two from one moment the later entered stays later.
  return rows.toSorted((a, b) => startOf(a) - startOf(b));
}

function startOf({ effectiveFrom }: Dated): number {
  return effectiveFrom ?? Number.NEGATIVE_INFINITY;
}
