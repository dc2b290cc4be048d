import type { ShippingTier, SkuCosts } from '#domain/costs/cost.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';

/** A value that applies from a moment on; null is since ever. */
interface Dated {
  readonly effectiveFrom: Instant | null;
}

/** The costs of a SKU that have dates, and by what a warehouse charges: its size, and whether it is hazardous. */
interface SkuCostFields {
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  /** Inches of one packed unit. */
  readonly lengthIn: number | null;
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly isHazardous: boolean;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** The edited costs of a SKU. */
export type SkuCostChange = Partial<SkuCostFields>;

/** Costs of a SKU that applied from a moment on. */
export interface DatedSkuCosts extends SkuCostFields, Dated {}

/** What a marketplace tells a listing is, and the fee category that users chose for it. Null is none. */
interface CategoryFields {
  readonly feeCategory: string | null;
  readonly productType: string | null;
  readonly externalCategory: string | null;
  readonly acceptedCategory: string | null;
}

/** The costs of a listing that have dates, and what its fees depend on. */
interface ListingCostFields extends CategoryFields {
  readonly fulfillmentType: FulfillmentType;
  /** Null is the shipping tier. */
  readonly shipping: Cents | null;
  /** Null is unknown. */
  readonly fulfillment: Cents | null;
  /** The marketplace reported it, no user entered it. */
  readonly isFulfillmentReported: boolean;
  /** A user's own commission; null for none. */
  readonly feeRate: Bps | null;
}

/** The edited costs of a listing. */
export type ListingCostChange = Partial<
  Pick<ListingCostFields, 'shipping' | 'fulfillment' | 'isFulfillmentReported' | 'feeRate' | 'feeCategory'>
>;

/** Costs of a listing that applied from a moment on. */
export interface DatedListingCosts extends ListingCostFields, Dated {}

/** A shipping tier with the time in which it applied. */
export interface DatedTier extends ShippingTier, Dated {
  /** Null: it still applies. */
  readonly effectiveUntil: Instant | null;
}

/** What was in a bundle from a moment on; nothing once it was removed. */
export interface DatedBundle<Component> extends Dated {
  readonly components: readonly Component[];
}

/**
 * The costs of a SKU at a moment. The first product cost, weight and size that were entered apply since ever: a cost
 * entered late applies to the sales before it, with the packaging and misc cost that were entered with it.
 * Whether it is hazardous is never unknown, and applies from its day.
 * @param rows in the order in which they were entered; of two from one moment the later counts
 */
export function skuCostsAt(sku: string, rows: readonly DatedSkuCosts[], at: Instant): SkuCosts | null {
  const costs = skuFieldsAt(rows, at);
  if (costs === null) return null;
  const { lengthIn, widthIn, heightIn, ...rest } = costs;
  return { sku, ...rest, size: packageSize(lengthIn, widthIn, heightIn) };
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
  return withSince(rows, change, since, now, skuFieldsAt);
}

/**
 * What is to be added to the costs of a SKU for edited ones to apply since a moment. They replace every later one; those
 * that were not edited stay what they were at each moment. Nothing where they applied already.
 * @param rows in the order in which they were entered, the edit included
 */
export function backdatedCosts(
  rows: readonly DatedSkuCosts[],
  change: SkuCostChange,
  since: Instant,
): DatedSkuCosts[] {
  return backdated(rows, change, since, skuFieldsAt);
}

/** The costs of a listing after some of them were edited, as {@link withCostsSince}. */
export function withListingCostsSince(
  rows: readonly DatedListingCosts[],
  change: ListingCostChange,
  since: Instant,
  now: Instant,
): DatedListingCosts[] {
  return withSince(rows, change, since, now, listingFieldsAt);
}

/** What is to be added to the costs of a listing, as {@link backdatedCosts}. */
export function backdatedListingCosts(
  rows: readonly DatedListingCosts[],
  change: ListingCostChange,
  since: Instant,
): DatedListingCosts[] {
  return backdated(rows, change, since, listingFieldsAt);
}

/** The values in force at a moment; null without rows. */
type FieldsAt<Fields> = (rows: readonly (Fields & Dated)[], at: Instant) => Fields | null;

function withSince<Fields extends object>(
  rows: readonly (Fields & Dated)[],
  change: Partial<NoInfer<Fields>>,
  since: Instant,
  now: Instant,
  fieldsAt: FieldsAt<Fields>,
): (Fields & Dated)[] {
  const entered = [...rows, ...changedAt(rows, change, now, fieldsAt)];
  return [...entered, ...backdated(entered, change, since, fieldsAt)];
}

function backdated<Fields extends object>(
  rows: readonly (Fields & Dated)[],
  change: Partial<NoInfer<Fields>>,
  since: Instant,
  fieldsAt: FieldsAt<Fields>,
): (Fields & Dated)[] {
  const later = rows.map(startOf).filter((start) => start > since) as Instant[];
  return [...new Set([since, ...later])].flatMap((moment) => changedAt(rows, change, moment, fieldsAt));
}

/** The values at a moment with the edited ones from then on; nothing where they are in force already, or without rows. */
function changedAt<Fields extends object>(
  rows: readonly (Fields & Dated)[],
  change: Partial<NoInfer<Fields>>,
  at: Instant,
  fieldsAt: FieldsAt<Fields>,
): (Fields & Dated)[] {
  const fields = fieldsAt(rows, at);
  const names = Object.keys(change) as (keyof Fields)[];
  if (fields === null || names.every((name) => fields[name] === change[name])) return [];
  return [{ ...fields, ...change, effectiveFrom: at }];
}

function skuFieldsAt(rows: readonly DatedSkuCosts[], at: Instant): SkuCostFields | null {
  const row = inForce(sinceFirst(rows, hasProductCost), at);
  if (row === null) return null;
  const sized = inForce(sinceFirst(rows, hasSize), at);
  return {
    productCost: row.productCost || null,
    weight: inForce(sinceFirst(rows, hasWeight), at)?.weight || null,
    lengthIn: sized?.lengthIn ?? null,
    widthIn: sized?.widthIn ?? null,
    heightIn: sized?.heightIn ?? null,
    isHazardous: inForce(rows, at)?.isHazardous ?? false,
    packagingCost: row.packagingCost,
    miscCost: row.miscCost,
  };
}

/**
 * The costs of a listing at a moment. The first fulfillment fee that was known applies since ever, and so does what was
 * first known of its category.
 * @returns `firstShipping` is the first shipping cost that was entered after it: it applies where no tier was known; null
 *   without rows
 */
export function listingCostsAt(
  rows: readonly DatedListingCosts[],
  at: Instant,
): (ListingCostFields & { readonly firstShipping: Cents | null }) | null {
  const fields = listingFieldsAt(rows, at);
  if (fields === null) return null;
  return { ...fields, firstShipping: inForce(sinceFirst(rows, hasShipping), at)?.shipping ?? null };
}

function listingFieldsAt(rows: readonly DatedListingCosts[], at: Instant): ListingCostFields | null {
  const row = inForce(rows, at);
  if (row === null) return null;
  const fulfilled = inForce(sinceFirst(rows, hasFulfillment), at);
  const placed = inForce(sinceFirst(rows, hasCategory), at);
  return {
    fulfillmentType: row.fulfillmentType,
    shipping: row.shipping,
    feeRate: row.feeRate,
    fulfillment: fulfilled?.fulfillment ?? null,
    isFulfillmentReported: fulfilled?.isFulfillmentReported ?? false,
    feeCategory: placed?.feeCategory ?? null,
    productType: placed?.productType ?? null,
    externalCategory: placed?.externalCategory ?? null,
    acceptedCategory: placed?.acceptedCategory ?? null,
  };
}

/**
 * What was in a bundle at a moment; before its first row that of then.
 * @param rows in the order in which they were entered
 */
export function componentsAt<Component>(
  rows: readonly DatedBundle<Component>[],
  at: Instant,
): readonly Component[] {
  return inForce(rows, at)?.components ?? [];
}

/**
 * The shipping tiers at a moment: those that applied, and for weights that had none yet the first ones that did.
 * Overlaps are resolved by order: the tiers that applied come first.
 * @param tiers those in force first, then the last replaced: of two that applied at a moment the later entered counts
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
const hasSize = ({ lengthIn, widthIn, heightIn }: DatedSkuCosts): boolean =>
  packageSize(lengthIn, widthIn, heightIn) !== null;
const hasShipping = ({ shipping }: DatedListingCosts): boolean => shipping !== null;
const hasFulfillment = ({ fulfillment }: DatedListingCosts): boolean => fulfillment !== null;
const hasCategory = ({ feeCategory, productType, externalCategory }: DatedListingCosts): boolean =>
  feeCategory !== null || productType !== null || externalCategory !== null;

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
