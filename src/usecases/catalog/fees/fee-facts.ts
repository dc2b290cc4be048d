import { FEE_ANSWER_LIMIT, type FeeAnswer, type FeeFacts } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import { type FeeFactRow, listFeeFacts } from '#db/queries/marketplaces/money/fee-facts.ts';
import { readFeeSchedules } from '#db/queries/repricing/pricing-context.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { categoryMap, feeCategoryOf } from '#domain/fees/fee-category.ts';
import { isFulfillmentCharge } from '#domain/fees/fee-fact.ts';
import { feeTables } from '#domain/fees/fee-tables.ts';
import { isInBand, type PriceBand, priceBandsOf, stepAtPrice } from '#domain/fees/warehouse-fee.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import { type HeldAnswer, heldAnswers, isOfHeld } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/** More fees than an answer ever had. */
const FEES_PER_ANSWER = 20;

/**
 * What the marketplace reported of the fees of a listing, also what is not used, and its fee category.
 * @throws AppError not_found
 */
export async function readFeeFacts(db: Db, listingId: number, now: Instant): Promise<FeeFacts> {
  const listing = await findLiveListing(db, listingId);
  const book = feeTables(await readFeeSchedules(db));
  const map = categoryMap(await listMappedCategories(db));
  const { category: name, ...found } = feeCategoryOf(book, map, listing, now);
  const bands = priceBandsOf(listing.marketplace);
  const rows = await listFeeFacts(db, listingId, bands, FEE_ANSWER_LIMIT * FEES_PER_ANSWER);
  // Of an answer an administrator may have rejected a part. Charges of several sales may have one moment and price.
  const answers = groupBy(rows, (fact) => {
    const { toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause, amount } = fact;
    const answer = [toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause];
    return [...answer, isFulfillmentCharge(fact) ? amount : ''].join(' ');
  });
  const use = await feesInUse(db, listingId, now);
  const views = [...answers.values()].map((facts) => answerView(facts, use));
  // What can be decided about is always among them.
  const [open, rest] = [views.filter(isOpen), views.filter((view) => !isOpen(view))];
  const shown = new Set([...open, ...rest].slice(0, FEE_ANSWER_LIMIT));
  return {
    answers: views.filter((view) => shown.has(view)),
    category: { name, ...found, productType: listing.productType },
  };
}

function isOpen({ isHeld, isInForce }: FeeAnswer): boolean {
  return isHeld || isInForce;
}

/** What is used of the fees of a listing. */
interface FeesInUse {
  /** The answers that wait until they are reported again. */
  readonly held: readonly HeldAnswer[];
  /** What is charged for fulfilling a unit at the current price; null where that is not found from charges. */
  readonly charged: ChargeInForce | null;
}

async function feesInUse(db: Db, listingId: number, now: Instant): Promise<FeesInUse> {
  const context = await loadPricingContext(db, now);
  const input = (await loadCosts(db, context, [listingId])).find(({ listing }) => listing.id === listingId);
  if (input === undefined) return { held: [], charged: null };
  return { held: heldAnswers(context.feeKnowledge, input), charged: chargeInForce(input) };
}

/** The charge that is the fulfillment fee at the current price. */
interface ChargeInForce {
  readonly fee: Cents;
  /** Of its own price band; null where it follows from that of another one. */
  readonly band: PriceBand | null;
  /** Prices are only recommended with it. */
  readonly isAssumed: boolean;
}

function chargeInForce({ listing, facts: { cost }, feeFacts }: PricingInput): ChargeInForce | null {
  const { marketplace, currentPrice } = listing;
  const { fulfillment: fee, reportedBy, estimate, toldSteps = [] } = cost;
  const isCharged = reportedBy === 'settled' || estimate?.isChargedHigher === true;
  if (fee === null || !isCharged) return null;
  const own = priceBandsOf(marketplace).find((band) => isInBand(band, currentPrice)) ?? null;
  const isOwn = feeFacts.some((fact) => isFulfillmentCharge(fact) && isAt(fact, { fee, band: own }));
  const isAssumed = stepAtPrice(toldSteps, currentPrice)?.isAssumed === true;
  return { fee, band: isOwn ? own : null, isAssumed };
}

function isAt(
  { amount, askedPrice }: Pick<FeeFactRow, 'amount' | 'askedPrice'>,
  { fee, band }: Pick<ChargeInForce, 'fee' | 'band'>,
): boolean {
  return amount === fee && (band === null || isInBand(band, askedPrice));
}

function answerView(rows: readonly FeeFactRow[], { held, charged }: FeesInUse): FeeAnswer {
  const [fact] = rows as [FeeFactRow];
  const isUsed = fact.refusedBecause === null;
  const isHeld = isUsed && rows.some((row) => held.some((each) => isOfHeld(each, row)));
  const isCharge = isUsed && !isHeld && isFulfillmentCharge(fact);
  const isInForce = isCharge && charged !== null && isAt(fact, charged);
  const { id, toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause } = fact;
  return {
    id: String(id),
    toldAt: new Date(toldAt).toISOString(),
    source,
    fulfillmentType,
    askedPrice: decimalFromCents(askedPrice),
    askedShipping: decimalFromCents(askedShipping),
    refusedBecause,
    isHeld,
    isInForce,
    isAssumed: isInForce && charged.isAssumed,
    fees: rows.flatMap(({ kind, name, amount, promotion }) =>
      amount === null
        ? []
        : [{ kind, name, amount: decimalFromCents(amount), promotion: decimalFromCents(promotion) }],
    ),
  };
}
