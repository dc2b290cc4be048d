import type { ShippingTier, SkuCosts } from '#domain/costs/cost.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';

/** A value that applies from a moment on; null is since ever. */
interface Dated {
  readonly effectiveFrom: Instant | null;
}

/** The costs of a SKU that have dates. */
interface SkuCostFields {
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** The edited costs of a SKU. */
export type SkuCostChange = Partial<SkuCostFields>;

/** Costs of a SKU that applied from a moment on. */
export interface DatedSkuCosts extends SkuCostFields, Dated {}

/** Costs of a listing that applied from a moment on. */
export interface DatedListingCosts extends Dated {
  readonly fulfillmentType: FulfillmentType;
  /** Null is the shipping tier. */
  readonly shipping: Cents | null;
  /** Null is unknown. */
  readonly fulfillment: Cents | null;
  /** A user's own commission; null for none. */
  readonly feeRate: Bps | null;
}

/** A shipping tier with the time in which it applied. */
export interface DatedTier extends ShippingTier, Dated {
  /** Null: it still applies. */
  readonly effectiveUntil: Instant | null;
}

/**
 * The costs of a SKU at a moment. The first product cost and the first weight that were entered apply since ever: a cost
 * entered late applies to the sales before it, with the packaging and misc cost that were entered with it.
 * @param rows in the order in which they were entered; of two from one moment the later counts
 */
export function skuCostsAt(sku: string, rows: readonly DatedSkuCosts[], at: Instant): SkuCosts | null {
  const costs = costsAt(rows, at);
  // Sizes have no date.
  return costs === null ? null : { sku, size: null, ...costs };
}

/**
 * The costs of a SKU after some of them were edited that apply since a moment.
 * @param rows in the order in which they were entered
 */
export function withCostsSince(
  rows: readonly DatedSkuCosts[],
  change: SkuCostChange,
  since: Instant,
  now: Instant,
): DatedSkuCosts[] {
  const entered = [...rows, ...changedAt(rows, change, now)];
  return [...entered, ...backdatedCosts(entered, change, since)];
}

/**
 * What is to be added to the costs of a SKU for edited ones to apply since a moment. They replace every later one; those
 * that were not edited stay what they were at each moment.
 * @param rows in the order in which they were entered, the edit included
 */
export function backdatedCosts(
  rows: readonly DatedSkuCosts[],
  change: SkuCostChange,
  since: Instant,
): DatedSkuCosts[] {
  if (Object.keys(change).length === 0) return [];
  const later = rows.map(startOf).filter((start) => start > since) as Instant[];
  return [...new Set([since, ...later])].flatMap((moment) => changedAt(rows, change, moment));
}

/** The costs at a moment with the edited ones from then on; none without rows. */
function changedAt(rows: readonly DatedSkuCosts[], change: SkuCostChange, at: Instant): DatedSkuCosts[] {
  const costs = costsAt(rows, at);
  return costs === null ? [] : [{ ...costs, ...change, effectiveFrom: at }];
}

function costsAt(rows: readonly DatedSkuCosts[], at: Instant): SkuCostFields | null {
  const row = inForce(sinceFirst(rows, hasProductCost), at);
  if (row === null) return null;
  return {
    productCost: row.productCost || null,
    weight: inForce(sinceFirst(rows, hasWeight), at)?.weight || null,
    packagingCost: row.packagingCost,
    miscCost: row.miscCost,
  };
}

/**
 * The costs of a listing at a moment; null without rows.
 * @returns `firstShipping` is the first shipping cost that was entered after it: it applies where no tier was known
 */
export function listingCostsAt(
  rows: readonly DatedListingCosts[],
  at: Instant,
): (Omit<DatedListingCosts, 'effectiveFrom'> & { readonly firstShipping: Cents | null }) | null {
  const row = inForce(rows, at);
  if (row === null) return null;
  return {
    fulfillmentType: row.fulfillmentType,
    shipping: row.shipping,
    feeRate: row.feeRate,
    fulfillment: inForce(sinceFirst(rows, hasFulfillment), at)?.fulfillment ?? null,
    firstShipping: inForce(sinceFirst(rows, hasShipping), at)?.shipping ?? null,
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

// A product cost or weight of zero is unknown.
const hasProductCost = ({ productCost }: DatedSkuCosts): boolean => (productCost ?? 0) > 0;
const hasWeight = ({ weight }: DatedSkuCosts): boolean => (weight ?? 0) > 0;
const hasShipping = ({ shipping }: DatedListingCosts): boolean => shipping !== null;
const hasFulfillment = ({ fulfillment }: DatedListingCosts): boolean => fulfillment !== null;

/** The newest row not after a moment; of two from one moment the one entered later, before all of them the oldest. */
function inForce<Row extends Dated>(rows: readonly Row[], at: Instant): Row | null {
  // A stable sort: of two from one moment the later entered stays later.
  const dated = rows.toSorted((a, b) => startOf(a) - startOf(b));
  return dated.findLast((each) => startOf(each) <= at) ?? dated[0] ?? null;
}

/** The rows with the first known value applying since ever; those entered before it do not count. */
function sinceFirst<Row extends Dated>(rows: readonly Row[], isKnown: (row: Row) => boolean): Row[] {
  const first = rows.findIndex(isKnown);
  const row = rows[first];
  return row === undefined ? [...rows] : [{ ...row, effectiveFrom: null }, ...rows.slice(first)];
}

function startOf({ effectiveFrom }: Dated): number {
  return effectiveFrom ?? Number.NEGATIVE_INFINITY;
}
