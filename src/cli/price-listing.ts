import { newestSeen } from '#domain/competition/competition.ts';
import type { Offer } from '#domain/competition/offer.ts';
import { CAPABILITIES } from '#domain/connections/marketplace-capabilities.ts';
import type { BundleComponent, ListingCost } from '#domain/costs/cost.ts';
import { feesAtAnyPrice } from '#domain/costs/cost-without-fees.ts';
import { costOfListing } from '#domain/costs/listing-cost.ts';
import { isStillKnown, mapInForce } from '#domain/decision/entered-facts.ts';
import { type Explanation, explain } from '#domain/decision/explain.ts';
import { type ListingFacts, type ListingSignals, NO_SIGNALS } from '#domain/decision/facts.ts';
import { fixFor } from '#domain/decision/fix.ts';
import { composeFees } from '#domain/fees/compose-fees.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { type FeeTables, feesInForce } from '#domain/fees/fee-tables.ts';
import { NOTHING_COUNTS } from '#domain/fees/settled-fulfillment.ts';
import { withOwnMap } from '#domain/limits/marketplace-limits.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { sistersIn } from '#domain/lines/compile-lines.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import type { RuleIndex } from '#domain/rules/rule-choice.ts';
import { NOTHING_KNOWN, type ScopeFacts, scopeCost } from '#domain/rules/segment.ts';
import { isShippingTakenBack } from '#domain/sales/sale-fees.ts';
import { shopTime } from '#domain/time/local-time.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { BundleColumns, Component } from '#files/bundle-columns.ts';
import type { ListingRow } from '#files/listing-format.ts';
import type { TierTables } from '#files/load-tiers.ts';
import type { OfferStore } from '#files/offer-store.ts';
import type { SaleColumns } from '#files/sale-columns.ts';
import type { SkuColumns } from '#files/sku-columns.ts';
import type { ChannelPrices } from './channel-prices.ts';

/** The inputs of a run besides the listings. Null: the file was not given. */
export interface PricingInputs {
  readonly skus: SkuColumns;
  readonly bundles: BundleColumns | null;
  readonly offers: OfferStore | null;
  /** Null: no rule asks what our other listings ask. */
  readonly ownPrices: ChannelPrices | null;
  readonly sales: SaleColumns | null;
  readonly tiers: TierTables;
  readonly fees: FeeTables;
  readonly ruleIndex: RuleIndex;
  readonly policy: Policy;
  /** What the files are called, for the fix of a listing that an unreadable row blocks. */
  readonly files: { readonly skus: string; readonly bundles: string; readonly rules: string };
  /** Line of a rule's row by the rule's id, for rows that could not be read. */
  readonly badRuleLines: ReadonlyMap<string, number>;
}

/** One listing to price. */
export interface ListingCase {
  readonly marketplace: Marketplace;
  readonly sku: string;
  /** Its number among all SKU codes. */
  readonly skuNumber: number;
  readonly row: ListingRow;
  readonly ownRule: Rule | null;
  /** Names the cells of its row that could not be read; null when all could. */
  readonly unreadable: string | null;
}

export interface PricedListing {
  readonly choice: RuleChoice;
  readonly explanation: Explanation;
  /** What to do about a blocked listing, with the line of the file where a row is to blame. */
  readonly fix: string | null;
}

/** Decides one listing as if live and without a history. */
export function priceListing(inputs: PricingInputs, listing: ListingCase): PricedListing {
  const { marketplace, ownRule, row, unreadable } = listing;
  const fulfillmentType = row.fulfillmentType ?? 'FBM';
  const { cost, fix: costFix } = costOf(inputs, listing);
  const fees = enteredFees(feesInForce(inputs.fees, marketplace, row.feeCategory, inputs.policy.now), row);
  // Null blocks the listing: no price may come from a row that is only half understood.
  const isTakenBack = isShippingTakenBack(marketplace, fulfillmentType);
  const charge = isTakenBack ? (0 as Cents) : row.shippingCharge;
  const shippingCharge = unreadable === null ? charge : null;
  const scope = scopeOf(inputs, listing, cost);
  const choice = inputs.ruleIndex.choose({ marketplace, fulfillmentType, ownRule, scope });
  const offers = inputs.offers?.offersOf(marketplace, listing.skuNumber) ?? [];
  const facts: ListingFacts = {
    marketplace,
    sku: listing.sku,
    fulfillmentType,
    currentPrice: row.currentPrice,
    anchorPrice: row.currentPrice,
    minPrice: row.minPrice,
    maxPrice: row.maxPrice,
    marketplaceLimits: withOwnMap(null, mapInForce(row.map, dayOf(inputs.policy))),
    greatestDiscount: 0 as Bps,
    shippingCharge,
    cost,
    fees: feesAtAnyPrice(fees, cost, shippingCharge),
    offers,
    readAt: readAtOf(inputs, listing, offers),
    coverage: CAPABILITIES[marketplace].competitors === 'none' ? 'none' : 'all',
    ownPrices: row.currentPrice === null ? [] : [row.currentPrice],
    featuredPrice: null,
    elsewhere: inputs.ownPrices?.elsewhere(marketplace, listing.skuNumber) ?? [],
    autoRepricing: row.autoRepricing,
    hold: null,
    pendingPrice: null,
    isMissing: false,
    isPriceUnverified: false,
    refusedPrices: [],
    sendPause: null,
    awaitingUpload: false,
    priceDayAgo: null,
    lastChangedAt: null,
    priceWarStreak: null,
    salesCount: inputs.sales?.unitsOf(marketplace, listing.skuNumber) ?? null,
    signals: signalsOf(inputs, listing, choice),
    // Files do not show which listings share a price.
    group: null,
  };
  const explanation = explain(facts, choice, inputs.policy);
  const { decision } = explanation;
  if (decision.kind === 'change') inputs.ownPrices?.move(marketplace, listing.skuNumber, decision.price);
  return { choice, explanation, fix: fixOf(inputs, explanation, { choice, facts, unreadable, costFix }) };
}

/** Where the store is, as YYYY-MM-DD: in UTC without its time zone. */
function dayOf({ now, local }: Policy): string {
  return (local ?? shopTime(now, null)).day;
}

/** What files know of that segments ask about: not how long a listing is listed. */
function scopeOf(
  { skus, policy: { now } }: PricingInputs,
  { skuNumber, row }: ListingCase,
  cost: ListingCost,
): ScopeFacts {
  const labels = skus.labelsOf(skuNumber);
  return {
    ...NOTHING_KNOWN,
    brand: row.brand ?? labels?.brand ?? null,
    supplier: row.supplier ?? labels?.supplier ?? null,
    category: row.feeCategory,
    tags: labels?.tags?.split('|').map((tag) => tag.trim()) ?? NOTHING_KNOWN.tags,
    ownPrice: row.currentPrice,
    cost: scopeCost(cost),
    ...stockOf(row, now),
  };
}

/** What lines can ask of a listing's row; null where no line asks. Nothing else of what they can ask is in a file. */
function signalsOf(
  { ownPrices, policy: { now } }: PricingInputs,
  { row }: ListingCase,
  { rule }: RuleChoice,
): ListingSignals | null {
  const lines = rule?.lines ?? null;
  if (lines === null) return null;
  const { externalPrice, externalPriceAt } = row;
  return {
    ...NO_SIGNALS,
    ...stockOf(row, now),
    externalPrice: externalPrice === null ? null : { price: externalPrice, at: externalPriceAt ?? now },
    sisters: ownPrices === null ? [] : sistersIn(lines).flatMap((each) => ownPrices.sisters(each)),
  };
}

/** The stock of a row and its age, while they count. */
function stockOf(
  { stock, stockAgeDays, stockAt }: ListingCase['row'],
  now: Instant,
): Pick<ScopeFacts, 'stock' | 'stockAgeDays'> {
  return isStillKnown(stockAt ?? now, now) ? { stock, stockAgeDays } : { stock: null, stockAgeDays: null };
}

/**
 * When the competitors of a listing were read. The offers file is the reading: without one nothing was read, and a listing
 * without a row in it has no competitor now.
 */
function readAtOf(
  { offers: file, policy: { now } }: PricingInputs,
  { marketplace, skuNumber }: ListingCase,
  offers: readonly Offer[],
): Instant | null {
  if (file === null) return null;
  const seen = newestSeen(offers, marketplace, now);
  const none = file.noneAt(marketplace, skuNumber);
  if (seen !== null && none !== null && none <= now) return Math.max(seen, none) as Instant;
  return seen ?? none ?? now;
}

interface FixQuestion {
  readonly choice: RuleChoice;
  readonly facts: ListingFacts;
  /** Names the cells of its row that could not be read; null when all could. */
  readonly unreadable: string | null;
  /** Set when an unreadable row is why the cost is unknown. */
  readonly costFix: string | null;
}

function fixOf(
  inputs: PricingInputs,
  { decision, fix }: Explanation,
  { choice: { rule }, facts, unreadable, costFix }: FixQuestion,
): string | null {
  switch (decision.reason) {
    case 'unreadable_price':
    case 'unreadable_facts':
      return unreadable ?? fix;
    case 'unknown_cost':
      return costFix ?? fixFor('unknown_cost', facts, 'files');
    case 'unreadable_rule': {
      const line = inputs.badRuleLines.get(rule?.id ?? '');
      return line === undefined ? fix : `Correct line ${line} of ${inputs.files.rules}.`;
    }
    default:
      return fix;
  }
}

interface CostCase {
  readonly cost: ListingCost;
  /** Set when an unreadable row is why the cost is unknown. */
  readonly fix: string | null;
}

function costOf(inputs: PricingInputs, { marketplace, sku, skuNumber, row }: ListingCase): CostCase {
  const { skus, bundles, files } = inputs;
  const badBundleLine = bundles?.badLineOf(skuNumber) ?? 0;
  if (badBundleLine > 0) return unreadableCost(`line ${badBundleLine} of ${files.bundles}`);
  const parts = bundles?.componentsOf(skuNumber) ?? [];
  const badLine =
    skus.badLineOf(skuNumber) ||
    (parts.map((part) => skus.badLineOf(part.sku)).find((line) => line > 0) ?? 0);
  if (badLine > 0) return unreadableCost(`line ${badLine} of ${files.skus}`);
  const fulfillmentType = row.fulfillmentType ?? 'FBM';
  const cost = costOfListing({
    sku,
    marketplace,
    fulfillmentType,
    price: row.currentPrice,
    feeCategory: row.feeCategory,
    now: inputs.policy.now,
    shippingCost: row.shippingCost,
    fulfillmentCost: row.fulfillmentCost,
    reportedFulfillment: NOTHING_COUNTS,
    own: skus.costsOf(skuNumber),
    components: parts.map((part) => componentOf(inputs, part)),
    bundleUnconfirmed: false,
    tiers: inputs.tiers[marketplace][fulfillmentType],
  });
  return { cost, fix: null };
}

function componentOf({ skus, bundles }: PricingInputs, { sku, quantity }: Component): BundleComponent {
  const isBundle = bundles?.isBundle(sku) ?? false;
  return { sku: skus.codeOf(sku), quantity, costs: skus.costsOf(sku), isBundle };
}

function unreadableCost(what: string): CostCase {
  const cost: ListingCost = {
    product: null,
    shipping: null,
    fulfillment: null,
    packaging: null,
    misc: null,
    weight: null,
    total: null,
    gaps: [{ kind: 'unreadable', what }],
    estimate: null,
  };
  return { cost, fix: `Correct ${what}.` };
}

/** The fees of a schedule with the commission and the shares that the row enters. */
function enteredFees(fees: FeeTable | null, { feeRate, adShare, returnShare }: ListingRow): FeeTable | null {
  if (fees === null || fees.pieces.length === 0 || fees.basis.source.kind !== 'schedule') return fees;
  if (feeRate === null && adShare === null && returnShare === null) return fees;
  const { source } = fees.basis;
  const none = 0 as Bps;
  return composeFees({
    ...fees.basis,
    source:
      feeRate === null ? source : { kind: 'person', rate: feeRate, by: null, schedule: source.schedule },
    adShare: adShare ?? none,
    returnShare: returnShare ?? none,
  });
}
