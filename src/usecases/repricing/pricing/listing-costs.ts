import type { Db } from '#db/client.ts';
import { listFeesOfCategories, listUsableFeeFacts } from '#db/queries/marketplaces/money/fee-facts.ts';
import { type CaseRow, type ComponentRow, readComponents } from '#db/queries/repricing/pricing-input-rows.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import type { CostInputs, ListingCost, SkuCosts } from '#domain/costs/cost.ts';
import { costOfListing } from '#domain/costs/listing-cost.ts';
import { differingCharge } from '#domain/fees/entered-fulfillment.ts';
import {
  type FeeFact,
  isFulfillmentCharge,
  precedingFacts,
  withOtherPackages,
} from '#domain/fees/fee-fact.ts';
import { fulfillmentAnswers } from '#domain/fees/fulfillment-answer.ts';
import { areAllUndecided, countedOnce, NOTHING_COUNTS } from '#domain/fees/settled-fulfillment.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { fulfillmentCategory } from './listing-fees.ts';
import { type PackageEdit, readOtherPackages } from './package-changes.ts';
import type { PricingContext } from './pricing-context.ts';

/** Assumed costs of SKUs, by SKU code; null for a deleted one. */
export type AssumedCosts = ReadonlyMap<string, SkuCosts | null>;
export const COSTS_AS_STORED: AssumedCosts = new Map();

export const NOTHING_REPORTED: readonly FeeFact[] = [];

/** What the costs of the listings of a batch are made of. */
export interface CostParts {
  /** By SKU. */
  readonly components: ReadonlyMap<string, readonly ComponentRow[]>;
  readonly feeFacts: ReadonlyMap<number, readonly FeeFact[]>;
  readonly sameCategory: ReadonlyMap<number, readonly (readonly FeeFact[])[]>;
  readonly assumed: AssumedCosts;
}

/** Reads them by a few statements. @param since from when the assumed costs apply */
export async function readCostParts(
  db: Db,
  context: PricingContext,
  listings: readonly CaseRow[],
  assumed: AssumedCosts,
  since: Instant,
): Promise<CostParts> {
  const components = await readComponents(db, [...new Set(listings.map(({ sku }) => sku))]);
  const reported = await readReportedFees(db, listings, context, {
    skus: assumed,
    since,
    now: context.facts.now,
  });
  return { assumed, components: groupBy(components, ({ listingSku }) => listingSku), ...reported };
}

/** Of marketplaces that report their fees, before a sale or after it. */
async function readReportedFees(
  db: Db,
  listings: readonly CaseRow[],
  context: PricingContext,
  edit: PackageEdit,
): Promise<Pick<CostParts, 'feeFacts' | 'sameCategory'>> {
  const ids = listings.flatMap(({ id, marketplace }) =>
    CAPABILITIES[marketplace].fees === 'none' ? [] : [id],
  );
  if (ids.length === 0) return { feeFacts: new Map(), sameCategory: new Map() };
  const reported = groupBy(
    await listUsableFeeFacts(db, ids, context.facts.now),
    ({ listingId }) => listingId,
  );
  const others = await readOtherPackages(
    db,
    listings.filter(({ id }) => reported.get(id)?.some(isFulfillmentCharge)),
    edit,
  );
  const used = new Map(
    [...reported].map(([id, facts]) => [
      id,
      withOtherPackages(precedingFacts(facts), others.get(id)?.(context.facts.now) ?? null),
    ]),
  );
  return { feeFacts: used, sameCategory: await readFeesOfCategories(db, listings, used, context) };
}

/** What was taken of sales by the categories by which these listings, or others of their product type, were last charged. */
async function readFeesOfCategories(
  db: Db,
  listings: readonly CaseRow[],
  reported: CostParts['feeFacts'],
  { feeKnowledge, facts: { now } }: PricingContext,
): Promise<CostParts['sameCategory']> {
  // The newest of each listing is first.
  const charged = listings.flatMap((listing) => {
    const { id, marketplace } = listing;
    const facts = reported.get(id) ?? [];
    const own = facts.find(({ categoryTold }) => categoryTold != null)?.categoryTold;
    const category = own ?? (facts.length === 0 ? feeKnowledge.chargedCategoryOf(listing) : null);
    return category == null ? [] : [{ id, marketplace, category }];
  });
  if (charged.length === 0) return new Map();
  const keyOf = ({ marketplace, category }: { marketplace: Marketplace; category: string }) =>
    `${marketplace} ${category}`;
  const categories = new Map(charged.map((each) => [keyOf(each), each]));
  const facts = groupBy(await listFeesOfCategories(db, [...categories.values()], now), keyOf);
  const byListing = new Map(
    [...facts].map(([key, sales]) => [key, groupBy(sales, ({ listingId }) => listingId)]),
  );
  return new Map(
    charged.map((each) => {
      const others = [...(byListing.get(keyOf(each)) ?? [])].filter(([id]) => id !== each.id);
      return [each.id, others.map(([, sales]) => sales)];
    }),
  );
}

/** Costs of one unit of a listing. */
export function costOf(
  context: PricingContext,
  listing: CaseRow,
  { components, assumed, feeFacts }: CostParts,
): ListingCost {
  const { id, sku, bundleUnconfirmed } = listing;
  const parts = components.get(sku) ?? [];
  const stored = (part: ComponentRow): SkuCosts | null => (part.isDeleted ? null : part);
  const reported = { feeFacts: feeFacts.get(id) ?? NOTHING_REPORTED };
  return costWith(context, listing, reported, {
    own: costsNow(assumed, sku, ownCosts(listing)),
    components: parts.map((part) => ({
      sku: part.sku,
      quantity: part.quantity,
      costs: costsNow(assumed, part.sku, stored(part)),
      isBundle: part.isBundle,
    })),
    bundleUnconfirmed,
  });
}

/** Costs of one unit of a listing, made from these SKUs. */
export function costWith(
  context: PricingContext,
  listing: CaseRow,
  { feeFacts }: { readonly feeFacts: readonly FeeFact[] },
  { own, components, bundleUnconfirmed }: Pick<CostInputs, 'own' | 'components' | 'bundleUnconfirmed'>,
): ListingCost {
  const { marketplace, fulfillmentType, sku } = listing;
  const { now } = context.facts;
  const doubtedSince = context.feeKnowledge.doubtedSince(marketplace);
  const reportedFulfillment = hasEnteredFulfillment(listing)
    ? NOTHING_COUNTS
    : countedOnce({ marketplace, answers: fulfillmentAnswers(feeFacts), doubtedSince, now });
  const stored = listing.fulfillmentCost;
  return costOfListing({
    sku,
    marketplace,
    fulfillmentType,
    price: listing.currentPrice,
    feeCategory: fulfillmentCategory(context.feeKnowledge, listing),
    now,
    shippingCost: listing.shippingCost,
    // Of a reported fee whose answers were purged the stored amount is all that is left.
    fulfillmentCost: stored !== null && areAllUndecided(reportedFulfillment(null)) ? stored : null,
    reportedFulfillment,
    fulfillmentDoubtedSince: doubtedSince,
    own,
    components,
    bundleUnconfirmed,
    tiers: context.tiersOf(marketplace, fulfillmentType),
  });
}

function costsNow(assumed: AssumedCosts, sku: string, stored: SkuCosts | null): SkuCosts | null {
  // Undefined where nothing is assumed; null is an assumption too.
  const other = assumed.get(sku);
  return other === undefined ? stored : other;
}

function ownCosts(listing: CaseRow): SkuCosts | null {
  const { skuId, sku, productCost, weight, packagingCost, miscCost } = listing;
  if (skuId === null) return null;
  // The casts: never null together with an ID, since the columns are NOT NULL and only the join can be empty.
  return {
    sku,
    productCost,
    weight,
    size: packageSize(listing.lengthIn, listing.widthIn, listing.heightIn),
    isHazardous: listing.isHazardous as boolean,
    packagingCost: packagingCost as Cents,
    miscCost: miscCost as Cents,
  };
}

/** What is charged for fulfilling a unit, where it differs from the fee that the seller entered; else null. */
export function chargedInstead(
  { facts: { now } }: PricingContext,
  listing: CaseRow,
  reported: readonly FeeFact[],
): Cents | null {
  const { marketplace, fulfillmentType, fulfillmentCost: entered, currentPrice: price } = listing;
  if (fulfillmentType !== 'FBA/WFS' || entered === null || !hasEnteredFulfillment(listing)) return null;
  return differingCharge({ marketplace, price, entered }, fulfillmentAnswers(reported), now);
}

function hasEnteredFulfillment({ fulfillmentCost, isFulfillmentReported }: CaseRow): boolean {
  return fulfillmentCost !== null && !isFulfillmentReported;
}
