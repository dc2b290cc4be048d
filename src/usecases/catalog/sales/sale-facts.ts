import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import {
  readDatedListingCosts,
  readDatedSkuCosts,
  readDatedTiers,
  readSoldListings,
  type SoldListing,
} from '#db/queries/catalog/due-sales.ts';
import { listFeeFactsOf } from '#db/queries/marketplaces/money/fee-facts.ts';
import { readComponents } from '#db/queries/repricing/case-rows.ts';
import { readFeeSchedules, readSalesTax } from '#db/queries/repricing/pricing-context.ts';
import type { SkuCosts } from '#domain/costs/cost.ts';
import { costOfListing } from '#domain/costs/listing-cost.ts';
import { precedingFacts } from '#domain/fees/fee-fact.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { fulfillmentAnswers } from '#domain/fees/reported-fulfillment.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import { groupBy } from '#domain/group-by.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type DatedSkuCosts, listingCostsAt, skuCostsAt, tiersAt } from '#domain/sales/dated-costs.ts';
import { type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { factsAt, pastFees } from './past-fees.ts';

/** What one unit of a listing cost at a moment, and which fees applied. Null is unknown. */
export interface SaleTerms {
  readonly fulfillmentType: FulfillmentType;
  readonly shippingCharge: Cents;
  readonly fees: FeeTable | null;
  /** Counts where what was reported does not reach. */
  readonly scheduledFees: FeeTable | null;
  readonly fulfillmentFee: Cents | null;
  readonly productCost: Cents | null;
  /** Product, packaging and misc cost. */
  readonly unitCost: Cents | null;
  readonly unitShippingCost: Cents | null;
}

/** An order line: an estimated fulfillment fee depends on the price of one unit. */
type Sold = {
  readonly listingId: number;
  readonly soldAt: Instant;
  readonly quantity: number;
  readonly revenue: Cents;
};

/** Costs and fees of listings at any moment. */
export interface SaleFacts {
  termsOf(sale: Sold): SaleTerms;
}

/** Costs of SKUs that replace the stored ones, by SKU code. */
export type AssumedSkuCosts = ReadonlyMap<string, readonly DatedSkuCosts[]>;

/**
 * Loads what the sales of these listings are calculated from, by a constant number of statements. What has no date, such
 * as the components of a bundle and the fee category, is that of now.
 */
export async function loadSaleFacts(
  db: Db,
  listingIds: readonly number[],
  assumed: AssumedSkuCosts = new Map(),
): Promise<SaleFacts> {
  const listings = await readSoldListings(db, listingIds);
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  const codes = [...new Set(listings.map(({ sku }) => sku))];
  const components = await readComponents(db, codes);
  const partCodes = components.map(({ sku }) => sku);
  const costs = groupBy(
    await readDatedSkuCosts(db, [...new Set([...codes, ...partCodes])]),
    ({ sku }) => sku,
  );
  const ownCosts = groupBy(await readDatedListingCosts(db, listingIds), ({ listingId }) => listingId);
  const parts = groupBy(components, ({ listingSku }) => listingSku);
  const tiers = await readDatedTiers(db);
  const told = groupBy(await listFeeFactsOf(db, listingIds), ({ listingId }) => listingId);
  const feesAt = pastFees({
    feeSchedules: await readFeeSchedules(db),
    salesTax: await readSalesTax(db),
    mappedCategories: await listMappedCategories(db),
  });
  const costsOf = (sku: string, at: Instant) => skuCostsAt(sku, assumed.get(sku) ?? costs.get(sku) ?? [], at);

  function termsOf({ listingId, soldAt: at, quantity, revenue }: Sold): SaleTerms {
    const listing = byId.get(listingId);
    if (listing === undefined) throw new Error(`There is no listing ${listingId}.`);
    const dated = listingCostsAt(ownCosts.get(listingId) ?? [], at) ?? presentCosts(listing);
    const { sku, marketplace, bundleUnconfirmed, shippingCharge } = listing;
    const { fulfillmentType } = dated;
    const facts = precedingFacts(factsAt(told.get(listingId) ?? [], at));
    const isEntered = listing.fulfillmentCost !== null && !listing.isFulfillmentReported;
    const answers = isEntered ? [] : fulfillmentAnswers(facts);
    const price = Math.round(revenue / quantity) as Cents;
    const { feeCategory, ...fees } = feesAt(
      { ...listing, fulfillmentType, price, feeRate: dated.feeRate },
      facts,
      at,
    );
    const cost = costOfListing({
      sku,
      marketplace,
      bundleUnconfirmed,
      price,
      feeCategory,
      now: at,
      fulfillmentType,
      shippingCost: dated.shipping,
      fulfillmentCost: answers.length > 0 ? null : dated.fulfillment,
      reportedFulfillment: answers,
      own: withSize(costsOf(sku, at), listing),
      components: (parts.get(sku) ?? []).map((part) => ({
        sku: part.sku,
        quantity: part.quantity,
        isBundle: part.isBundle,
        costs: costsOf(part.sku, at),
      })),
      tiers: tiersAt(
        tiers.filter((tier) => tier.marketplace === marketplace),
        at,
      ),
    });
    return {
      fulfillmentType,
      shippingCharge,
      ...fees,
      // At a price that was never asked the fee at the price of then.
      fulfillmentFee: cost.fulfillment ?? (answers.length > 0 ? dated.fulfillment : null),
      productCost: cost.product,
      unitCost: sum(cost.product, cost.packaging, cost.misc),
      unitShippingCost: cost.shipping ?? dated.firstShipping,
    };
  }
  return { termsOf };
}

function withSize(costs: SkuCosts | null, { lengthIn, widthIn, heightIn }: SoldListing): SkuCosts | null {
  return costs === null ? null : { ...costs, size: packageSize(lengthIn, widthIn, heightIn) };
}

/** A listing whose costs never changed. */
function presentCosts({ fulfillmentType, shippingCost, fulfillmentCost, feeRate }: SoldListing) {
  return {
    fulfillmentType,
    shipping: shippingCost,
    fulfillment: fulfillmentCost,
    feeRate,
    firstShipping: null,
  };
}

function sum(...parts: readonly (Cents | null)[]): Cents | null {
  let total = 0;
  for (const part of parts) {
    if (part === null) return null;
    total += part;
  }
  return total <= MAX_CENTS ? (total as Cents) : null;
}
