import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import {
  readDatedBundles,
  readDatedListingCosts,
  readDatedSkuCosts,
  readDatedTiers,
  readSoldListings,
} from '#db/queries/catalog/due-sales.ts';
import { listFeeFactsOf } from '#db/queries/marketplaces/money/fee-facts.ts';
import { readFeeSchedules, readSalesTax } from '#db/queries/repricing/pricing-context.ts';
import { costOfListing } from '#domain/costs/listing-cost.ts';
import { isFulfillmentCharge, precedingFacts } from '#domain/fees/fee-fact.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { fulfillmentAnswers } from '#domain/fees/fulfillment-answer.ts';
import { areAllUndecided, countedOnce, NOTHING_COUNTS } from '#domain/fees/settled-fulfillment.ts';
import { groupBy } from '#domain/group-by.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import {
  componentsAt,
  type DatedListingCosts,
  type DatedSkuCosts,
  type DatedTier,
  listingCostsAt,
  skuCostsAt,
  tiersAt,
} from '#domain/sales/dated-costs.ts';
import { type IsOtherPackage, type OtherPackages, otherPackages } from '#domain/sales/package-changes.ts';
import { type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { factsAt, pastCharges, pastFees } from './past-fees.ts';

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

/** Dated costs in place of the stored ones. */
export interface AssumedCosts {
  /** By SKU code. */
  readonly skus?: ReadonlyMap<string, readonly DatedSkuCosts[]>;
  /** By ID. */
  readonly listings?: ReadonlyMap<number, readonly DatedListingCosts[]>;
  /** All of them, in the order of {@link readDatedTiers}. */
  readonly tiers?: readonly DatedTier[];
}

/** Loads what the sales of these listings are calculated from, by a constant number of statements. */
export async function loadSaleFacts(
  db: Db,
  listingIds: readonly number[],
  assumed: AssumedCosts = {},
): Promise<SaleFacts> {
  const listings = await readSoldListings(db, listingIds);
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  const codes = [...new Set(listings.map(({ sku }) => sku))];
  const bundles = groupBy(await readDatedBundles(db, codes), ({ listingSku }) => listingSku);
  const partCodes = [...bundles.values()]
    .flat()
    .flatMap(({ components }) => components.map(({ sku }) => sku));
  const costs = groupBy(
    await readDatedSkuCosts(db, [...new Set([...codes, ...partCodes])]),
    ({ sku }) => sku,
  );
  const ownCosts = groupBy(await readDatedListingCosts(db, listingIds), ({ listingId }) => listingId);
  const tiers = assumed.tiers ?? (await readDatedTiers(db));
  const reported = groupBy(await listFeeFactsOf(db, listingIds), ({ listingId }) => listingId);
  // A listing has a charge for each sale: they are apart from what every sale looks through.
  const answered = new Map(
    [...reported].map(([id, facts]) => [id, facts.filter((fact) => !isFulfillmentCharge(fact))]),
  );
  const chargesAt = new Map(
    listings.map(({ id, marketplace }) => [id, pastCharges(marketplace, reported.get(id) ?? [])]),
  );
  const feesAt = pastFees({
    feeSchedules: await readFeeSchedules(db),
    salesTax: await readSalesTax(db),
    mappedCategories: await listMappedCategories(db),
  });
  const datedCostsOf = (sku: string) => assumed.skus?.get(sku) ?? costs.get(sku) ?? [];
  const costsOf = (sku: string, at: Instant) => skuCostsAt(sku, datedCostsOf(sku), at);
  const others = new Map<string, OtherPackages>();
  const otherPackagesThan = (marketplace: Marketplace, sku: string, at: Instant): IsOtherPackage | null => {
    const key = `${marketplace} ${sku}`;
    const known = others.get(key);
    const history = { marketplace, sku, bundles: bundles.get(sku) ?? [], costsOf: datedCostsOf };
    const found = known ?? otherPackages(history);
    if (known === undefined) others.set(key, found);
    return found(at);
  };

  function termsOf({ listingId, soldAt: at, quantity, revenue }: Sold): SaleTerms {
    const listing = byId.get(listingId);
    const dated = listingCostsAt(assumed.listings?.get(listingId) ?? ownCosts.get(listingId) ?? [], at);
    if (listing === undefined || dated === null) throw new Error(`There is no listing ${listingId}.`);
    const { id, sku, marketplace, bundleUnconfirmed, shippingCharge } = listing;
    const { fulfillmentType, shipping, fulfillment, firstShipping, isFulfillmentReported, ...terms } = dated;
    const facts = precedingFacts(factsAt(answered.get(listingId) ?? [], at));
    const isEntered = fulfillment !== null && !isFulfillmentReported;
    const reportedFees = isEntered ? [] : fulfillmentAnswers(facts);
    const answers =
      isEntered || reportedFees.length > 0
        ? countedOnce({ marketplace, answers: reportedFees, now: at })
        : (chargesAt.get(listingId)?.(at, otherPackagesThan(marketplace, sku, at)) ?? NOTHING_COUNTS);
    const price = Math.round(revenue / quantity) as Cents;
    const { feeCategory, ...fees } = feesAt(
      { ...terms, id, marketplace, shippingCharge, fulfillmentType, price },
      facts,
      at,
    );
    const components = componentsAt(bundles.get(sku) ?? [], at);
    const cost = costOfListing({
      sku,
      marketplace,
      // What was in it then is known.
      bundleUnconfirmed: bundleUnconfirmed && components.length === 0,
      price,
      feeCategory,
      now: at,
      fulfillmentType,
      shippingCost: shipping,
      fulfillmentCost: fulfillment !== null && areAllUndecided(answers(null)) ? fulfillment : null,
      reportedFulfillment: answers,
      own: costsOf(sku, at),
      components: components.map((part) => ({ ...part, costs: costsOf(part.sku, at) })),
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
      fulfillmentFee: cost.fulfillment ?? (answers === NOTHING_COUNTS ? null : fulfillment),
      productCost: cost.product,
      unitCost: sum(cost.product, cost.packaging, cost.misc),
      unitShippingCost: cost.shipping ?? firstShipping,
    };
  }
  return { termsOf };
}

function sum(...parts: readonly (Cents | null)[]): Cents | null {
  let total = 0;
  for (const part of parts) {
    if (part === null) return null;
    total += part;
  }
  return total <= MAX_CENTS ? (total as Cents) : null;
}
