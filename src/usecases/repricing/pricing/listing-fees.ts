import type { CaseRow } from '#db/queries/repricing/pricing-input-rows.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { isFeeChanged } from '#domain/fees/changed-fee.ts';
import { ASSUMED_SALES_TAX, composeFees } from '#domain/fees/compose-fees.ts';
import { answersOf } from '#domain/fees/fee-answer.ts';
import type { FeeBasis, FeeSource } from '#domain/fees/fee-basis.ts';
import { answersSetAside, type FeeCandidate, feeCandidates } from '#domain/fees/fee-candidates.ts';
import {
  type CategoryFacts,
  type CategoryMap,
  categoryMap,
  feeCategoryOf,
  feesOfCategory,
  type MappedCategory,
} from '#domain/fees/fee-category.ts';
import { type FeeDrift, feeDrift } from '#domain/fees/fee-drift.ts';
import { type AnswerKey, type FeeFact, isSameAnswer } from '#domain/fees/fee-fact.ts';
import { type FeePartName, type FoundJump, feeJump, fulfillmentJump } from '#domain/fees/fee-jump.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import {
  type FeeTables,
  feesInForce,
  feeTables,
  type SalesTax,
  scheduleInForce,
} from '#domain/fees/fee-tables.ts';
import {
  countingAnswers,
  type FeeEvidence,
  feesOfListing,
  type ListingFees,
} from '#domain/fees/fees-of-listing.ts';
import { type FulfillmentAnswer, fulfillmentAnswers } from '#domain/fees/fulfillment-answer.ts';
import { withGuessedFees } from '#domain/fees/guessed-fulfillment.ts';
import { nextQuestion } from '#domain/fees/next-question.ts';
import { chargesToReject, type RejectedReading } from '#domain/fees/rejected-charges.ts';
import {
  heldFulfillment,
  nextFulfillmentQuestion,
  type PublishedSteps,
  reportedFulfillment,
} from '#domain/fees/reported-fulfillment.ts';
import { countingFulfillment } from '#domain/fees/settled-fulfillment.ts';
import { feeAtPrice } from '#domain/fees/warehouse-fee.ts';
import { allowedPrices } from '#domain/limits/allowed-prices.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, hours, type Instant, instant } from '#domain/units.ts';

import type { PricingInput } from './load-pricing-inputs.ts';

/** Fees of a marketplace that were reported for many listings at once, and that no administrator has decided about. */
export interface DoubtedFees {
  readonly marketplace: Marketplace;
  /** What was reported since is doubted. */
  readonly since: Instant;
}

/** What the fees of many listings are found from. */
export interface FeeKnowledge {
  readonly book: FeeTables;
  readonly categories: CategoryMap;
  /** The schedules of a marketplace that are in force, whatever their category. */
  candidatesOf(marketplace: Marketplace): readonly FeeCandidate[];
  salesTaxOf(marketplace: Marketplace): Bps;
  /** Since when what the marketplace reports is doubted; null: it is not. */
  doubtedSince(marketplace: Marketplace): Instant | null;
  /** The category by which listings like this one are charged; null where that is not known. */
  chargedCategoryOf(listing: ChargedType): string | null;
  readonly now: Instant;
}

/** What listings of one product type have in common. */
interface ChargedType {
  readonly marketplace: Marketplace;
  readonly productType: string | null;
  readonly fulfillmentType: FulfillmentType;
}

/** The one category by which listings of a product type were last charged. */
export interface CategoryOfType extends ChargedType {
  readonly productType: string;
  /** As the marketplace names it. */
  readonly category: string;
}

export function feeKnowledge({
  feeSchedules,
  salesTax,
  mappedCategories,
  categoriesOfTypes,
  doubtedFees,
  now,
}: {
  readonly feeSchedules: readonly FeeSchedule[];
  readonly salesTax: SalesTax;
  readonly mappedCategories: readonly MappedCategory[];
  readonly categoriesOfTypes: readonly CategoryOfType[];
  readonly doubtedFees: readonly DoubtedFees[];
  readonly now: Instant;
}): FeeKnowledge {
  const book = feeTables(feeSchedules, salesTax);
  const known = new Map<Marketplace, readonly FeeCandidate[]>();
  const salesTaxOf = (marketplace: Marketplace): Bps => salesTax[marketplace] ?? ASSUMED_SALES_TAX;
  const isInForce = (schedule: FeeSchedule): boolean =>
    scheduleInForce(book, schedule.marketplace, schedule.category, now) === schedule;
  const ofTypes = new Map(categoriesOfTypes.map((each) => [typeKey(each), each.category]));
  return {
    book,
    categories: categoryMap(mappedCategories),
    chargedCategoryOf: (listing) => ofTypes.get(typeKey(listing)) ?? null,
    now,
    salesTaxOf,
    doubtedSince: (marketplace) =>
      doubtedFees.find((each) => each.marketplace === marketplace)?.since ?? null,
    candidatesOf: (marketplace) => {
      const found = known.get(marketplace);
      if (found !== undefined) return found;
      const there = feeSchedules.filter(
        (schedule) => schedule.marketplace === marketplace && isInForce(schedule),
      );
      const candidates = feeCandidates(there, salesTaxOf(marketplace));
      known.set(marketplace, candidates);
      return candidates;
    },
  };
}

function typeKey({ marketplace, productType, fulfillmentType }: ChargedType): string {
  return `${marketplace}/${fulfillmentType}/${productType ?? ''}`;
}

/** A listing's fees, and where the commission reported for it differs from its fee schedule. */
export interface FoundFees {
  /** Null while they are unknown. */
  readonly table: FeeTable | null;
  readonly drift: FeeDrift | null;
  /** Whether a lower commission waits to be reported again. */
  readonly isHeld: boolean;
}

/** A listing, as far as its fees depend on it. */
export type FeeListing = Pick<
  CaseRow,
  'fulfillmentType' | 'currentPrice' | 'shippingCharge' | 'feeRate' | 'feeRateBy'
> &
  CategoryFacts;

/** The fees of a listing by its category, entered or found; null while they are unknown. */
export function scheduledFees(
  { book, categories, now }: FeeKnowledge,
  listing: CategoryFacts,
): FeeTable | null {
  return feesOfCategory(book, listing.marketplace, feeCategoryOf(book, categories, listing, now), now);
}

/** The fee category of a listing, entered or found, accepted or not: apparel has fulfillment fees of its own. */
export function fulfillmentCategory(
  { book, categories, now }: FeeKnowledge,
  listing: CategoryFacts,
): string | null {
  return feeCategoryOf(book, categories, listing, now).category;
}

/**
 * @param reported used facts of the listing, in any order
 * @param sameCategory what was taken of sales of each other listing by the same category, in any order; of listings of the same
 *   product type for one that was never charged
 */
export function feesOf(
  knowledge: FeeKnowledge,
  listing: FeeListing,
  reported: readonly FeeFact[],
  sameCategory: readonly (readonly FeeFact[])[] = [],
): FoundFees {
  const { marketplace, fulfillmentType, feeCategory } = listing;
  const { book, now } = knowledge;
  const scheduled = scheduledFees(knowledge, listing);
  const hasOwnRate = listing.feeRate !== null && scheduled !== null && scheduled.pieces.length > 0;
  if (reported.length === 0 && sameCategory.length === 0 && !hasOwnRate)
    return { table: scheduled, drift: null, isHeld: false };
  const evidence = evidenceOf(knowledge, listing, reported, sameCategory);
  const { inForce: source, held } = feesOfListing(evidence);
  const isOwn =
    source?.kind === 'told' ||
    (source?.kind === 'person' && hasOwnRate) ||
    (source?.kind === 'schedule' && source.isRaisedByType === true);
  // The table of a schedule is the same object for all its listings.
  const table = isOwn ? composeFees(basisOf(source, evidence, null)) : scheduled;
  return {
    table,
    isHeld: held !== null,
    // Compared with what was entered: what was reported comes before a category that is only mapped.
    drift: feeDrift(
      reported,
      fulfillmentType,
      source?.kind === 'person' ? table : feesInForce(book, marketplace, feeCategory, now),
      evidence.revenue,
    ),
  };
}

/** A lower fee counts when it is reported again after this long. */
const DAY = hours(24);

/** For which price the marketplace is asked next. */
export interface NextQuestion {
  readonly price: Cents;
  /** Not before; null: at once. */
  readonly after: Instant | null;
}

type FeeInput = Pick<PricingInput, 'listing' | 'facts' | 'choice' | 'feeFacts' | 'sameCategory'>;

/**
 * The next question about a listing: the fulfillment fee of a price band that was not reported, or whatever is open of the
 * commission; of two that wait the one that may be asked first, since the other one is found after its answer.
 * @returns null where nothing is left to ask
 */
export function nextFeeQuestion(knowledge: FeeKnowledge, input: FeeInput): NextQuestion | null {
  const [fulfillment, commission] = [openFulfillment(knowledge, input), openCommission(knowledge, input)];
  if (fulfillment === null || commission === null) return fulfillment ?? commission;
  return (commission.after ?? knowledge.now) < (fulfillment.after ?? knowledge.now)
    ? commission
    : fulfillment;
}

function openFulfillment(knowledge: FeeKnowledge, input: FeeInput): NextQuestion | null {
  const { now } = knowledge;
  const { listing, facts, feeFacts } = input;
  // A marketplace that has only charged it answers no question about it.
  const answers = fulfillmentAnswers(feeFacts).filter(({ source }) => source === 'estimate');
  const isEntered = listing.fulfillmentCost !== null && !listing.isFulfillmentReported;
  if (answers.length === 0 || isEntered || listing.fulfillmentType !== 'FBA/WFS') return null;
  const { marketplace, currentPrice } = listing;
  const feeCategory = fulfillmentCategory(knowledge, listing);
  const range = rangeOfInterest(input);
  const doubtedSince = knowledge.doubtedSince(marketplace);
  const isHazardous = facts.cost.isHazardous === true;
  const evidence = { marketplace, feeCategory, isHazardous, answers, doubtedSince, now };
  const asked = evidenceOf(knowledge, listing, feeFacts, []).answers;
  return nextFulfillmentQuestion({ ...evidence, currentPrice, range, asked });
}

/** A part of an answer whose lower fee, or a charge that is far higher, waits until it is reported again. */
export interface HeldAnswer {
  readonly answer: AnswerKey;
  /** The fulfillment fee, or everything else. */
  readonly part: FeePartName;
  /** It waits because it is so high. */
  readonly isHigher: boolean;
  /** Of a charge of fulfillment: its amount; others of its moment and price are apart. Else null. */
  readonly charge: Cents | null;
}

/** Whether a stored fee is what waits, or a part of it. */
export function isOfHeld({ answer, part, charge }: HeldAnswer, fact: FactOfAnswer): boolean {
  return (
    isSameAnswer(answer, fact) &&
    (part === 'fulfillment') === (fact.kind === 'fulfillment') &&
    (charge === null || charge === fact.amount)
  );
}

type FactOfAnswer = AnswerKey & Pick<FeeFact, 'kind'> & { readonly amount: Cents | null };

/** What waits until it is reported again, of the same evidence that the fees in force are found from. */
export function heldAnswers(
  knowledge: FeeKnowledge,
  {
    listing,
    facts,
    feeFacts,
    sameCategory,
  }: Pick<PricingInput, 'listing' | 'facts' | 'feeFacts' | 'sameCategory'>,
): HeldAnswer[] {
  const { held } = feesOfListing(evidenceOf(knowledge, listing, feeFacts, sameCategory));
  const { marketplace, fulfillmentType } = listing;
  const feeCategory = fulfillmentCategory(knowledge, listing);
  const doubtedSince = knowledge.doubtedSince(marketplace);
  const reported = fulfillmentType === 'FBA/WFS' ? fulfillmentAnswers(feeFacts) : [];
  const { now } = knowledge;
  const answers = countingFulfillment(
    { marketplace, answers: reported, doubtedSince, now },
    publishedOf(facts),
  );
  const isHazardous = facts.cost.isHazardous === true;
  const evidence = { marketplace, feeCategory, isHazardous, answers, doubtedSince };
  const fulfillment = answers.length === 0 ? [] : heldFulfillment(evidence);
  return [
    ...(held?.answers ?? []).map((answer) => {
      return { answer, part: 'commission' as const, isHigher: false, charge: null };
    }),
    ...fulfillment.map((answer) => {
      const charge = answer.source === 'settled' ? answer.fee : null;
      return { answer, part: 'fulfillment' as const, isHigher: answer.waits === 'high', charge };
    }),
  ];
}

/**
 * The charges of a listing that count no more once a reading is rejected.
 * @param since when the first charge of the reading that jumped was
 */
export function chargesToRejectOf(
  knowledge: FeeKnowledge,
  { listing, facts, feeFacts }: Pick<PricingInput, 'listing' | 'facts' | 'feeFacts'>,
  reading: Pick<RejectedReading, 'since' | 'hasJumped'>,
): FulfillmentAnswer[] {
  const { marketplace } = listing;
  const feeCategory = fulfillmentCategory(knowledge, listing);
  const isHazardous = facts.cost.isHazardous === true;
  const answers = fulfillmentAnswers(feeFacts);
  const evidence = { marketplace, feeCategory, isHazardous, answers, now: knowledge.now };
  const published = publishedOf(facts);
  return chargesToReject({ ...evidence, ...reading }, published);
}

/**
 * Whether what was charged for a unit at a price is lower than the fulfillment fee there, by these facts; a cent is rounding. Where
 * the fee is unknown it is: it would be the first to decide it.
 */
export function isBelowFulfillment(
  knowledge: FeeKnowledge,
  { listing, facts, feeFacts }: Pick<PricingInput, 'listing' | 'facts' | 'feeFacts'>,
  { askedPrice, amount }: { readonly askedPrice: Cents; readonly amount: Cents },
): boolean {
  const { now } = knowledge;
  const { marketplace } = listing;
  const doubtedSince = knowledge.doubtedSince(marketplace);
  const published = publishedOf(facts);
  const reported = fulfillmentAnswers(feeFacts);
  const answers = countingFulfillment({ marketplace, answers: reported, doubtedSince, now }, published);
  const feeCategory = fulfillmentCategory(knowledge, listing);
  const isHazardous = facts.cost.isHazardous === true;
  const evidence = { marketplace, feeCategory, isHazardous, answers, doubtedSince, now };
  const { steps } = reportedFulfillment(evidence, published);
  const fee = feeAtPrice(steps, askedPrice);
  return fee === null || amount < fee - 1;
}

/** The published fees of the package of a listing. */
function publishedOf({ cost }: PricingInput['facts']): PublishedSteps {
  return cost.publishedSteps ?? cost.estimate?.steps ?? null;
}

/** From half the lowest price that keeps the margin to the price ceiling; null while they are not known. */
function rangeOfInterest({ facts, choice, listing }: FeeInput): { lowest: number; highest: number } | null {
  const { fees, minPrice, maxPrice, anchorPrice } = facts;
  const totalCost = costWithoutFees(facts);
  const { minimumMargin } = choice;
  if (fees === null || totalCost === null || minimumMargin === null) return null;
  const { shippingCharge } = listing;
  const fulfillment = withGuessedFees(fees.basis.fulfillment);
  const assumed = fees.pieces.length === 0 ? fees : composeFees({ ...fees.basis, fulfillment });
  const terms = { totalCost, shippingCharge, minimumMargin, minPrice, maxPrice, anchorPrice };
  const { marginFloor, priceCeiling } = allowedPrices({ ...terms, fees: assumed });
  if (marginFloor === null || priceCeiling === null) return null;
  return { lowest: Math.ceil(marginFloor / 2), highest: priceCeiling };
}

/**
 * What was reported of the commission before a change; else the price of a lower one that waits to be reported a second time, else
 * where the margin floor is open.
 * @returns null where nothing is left to ask, and where the floor is unknown for another reason
 */
function openCommission(knowledge: FeeKnowledge, input: FeeInput): NextQuestion | null {
  const { now } = knowledge;
  const evidence = evidenceOf(knowledge, input.listing, input.feeFacts, input.sameCategory);
  const fees = feesOfListing(evidence);
  const tomorrow = instant(now + DAY);
  const isSettled = answersSetAside(evidence.candidates, countingAnswers(evidence)).length === 0;
  if (fees.held !== null && isSettled) return { price: fees.held.askedPrice, after: tomorrow };
  const today = openPrice(evidence, fees, input);
  if (today !== null) return { price: today, after: null };
  const later = openPrice({ ...evidence, now: tomorrow }, fees, input);
  return later === null ? null : { price: later, after: tomorrow };
}

function openPrice(
  evidence: FeeEvidence,
  { inForce: source }: ListingFees,
  { listing, facts, choice }: FeeInput,
): Cents | null {
  const { minPrice, maxPrice, anchorPrice, fees } = facts;
  const totalCost = costWithoutFees(facts);
  const { minimumMargin } = choice;
  if (source?.kind !== 'told' || totalCost === null || minimumMargin === null) return null;
  const { shippingCharge, currentPrice, recommendedPrice } = listing;
  const terms = { totalCost, shippingCharge, minimumMargin, minPrice, maxPrice, anchorPrice };
  const basis = basisOf(source, evidence, fees);
  const { candidates, now } = evidence;
  const answers = countingAnswers(evidence);
  return nextQuestion({ source, basis, answers, candidates, terms, currentPrice, recommendedPrice, now });
}

function evidenceOf(
  knowledge: FeeKnowledge,
  listing: FeeListing,
  reported: readonly FeeFact[],
  sameCategory: readonly (readonly FeeFact[])[],
): FeeEvidence {
  const { candidatesOf, salesTaxOf, doubtedSince, now } = knowledge;
  const { marketplace, fulfillmentType, currentPrice, shippingCharge, feeRate, feeRateBy } = listing;
  return {
    marketplace,
    fulfillmentType,
    ownRate: feeRate === null ? null : { rate: feeRate, by: feeRateBy },
    answers: answersOf(reported, salesTaxOf(marketplace)),
    sameCategory: sameCategory.map((facts) => answersOf(facts, salesTaxOf(marketplace))),
    candidates: candidatesOf(marketplace),
    ...scheduleOf(knowledge, listing),
    revenue: cents(currentPrice + shippingCharge),
    salesTax: salesTaxOf(marketplace),
    doubtedSince: doubtedSince(marketplace),
    now,
  };
}

/** A jump of a part of the fees of a listing. */
export interface PartJump extends FoundJump {
  readonly part: FeePartName;
}

/** How far what is new about a listing is from what was reported before: none, or one for each part of its fees. */
export function jumpsOf(
  knowledge: FeeKnowledge,
  {
    listing,
    facts,
    feeFacts,
    sameCategory,
  }: Pick<PricingInput, 'listing' | 'facts' | 'feeFacts' | 'sameCategory'>,
  isNew: (answer: AnswerKey) => boolean,
): PartJump[] {
  const { now } = knowledge;
  const { marketplace } = listing;
  const isEntered = listing.fulfillmentCost !== null && !listing.isFulfillmentReported;
  const isTheirs = listing.fulfillmentType === 'FBA/WFS' && !isEntered;
  const feeCategory = fulfillmentCategory(knowledge, listing);
  const answers = isTheirs ? fulfillmentAnswers(feeFacts) : [];
  const isHazardous = facts.cost.isHazardous === true;
  const commission = feeJump(evidenceOf(knowledge, listing, feeFacts, sameCategory), isNew);
  const published = publishedOf(facts);
  const evidence = { marketplace, feeCategory, isHazardous, answers, now };
  const fulfillment = fulfillmentJump(evidence, isNew, published);
  return [
    ...(commission === null ? [] : [{ ...commission, part: 'commission' as const }]),
    ...(fulfillment === null ? [] : [{ ...fulfillment, part: 'fulfillment' as const }]),
  ];
}

/** Whether what is new about a listing says that its commission changed, by however little. */
export function hasChangedRate(
  knowledge: FeeKnowledge,
  { listing, feeFacts, sameCategory }: Pick<PricingInput, 'listing' | 'feeFacts' | 'sameCategory'>,
  isNew: (answer: AnswerKey) => boolean,
): boolean {
  return isFeeChanged(evidenceOf(knowledge, listing, feeFacts, sameCategory), isNew);
}

const NOTHING_ADDED = {
  fulfillment: [],
  shippingCharge: cents(0),
  adShare: 0 as Bps,
  returnShare: 0 as Bps,
} as const;

/** Shares of the revenue that a seller counts for advertising and returns; null for none. */
export interface CountedShares {
  readonly adShare: Bps | null;
  readonly returnShare: Bps | null;
}

/** The fees with the shares of a listing, else those of its marketplace; they are no part of the fees of a sale. */
export function withCountedShares(
  fees: FeeTable | null,
  own: CountedShares,
  usual: CountedShares | undefined,
): FeeTable | null {
  const none = 0 as Bps;
  const adShare = own.adShare ?? usual?.adShare ?? none;
  const returnShare = own.returnShare ?? usual?.returnShare ?? none;
  if (fees === null || fees.pieces.length === 0 || adShare + returnShare === 0) return fees;
  return composeFees({ ...fees.basis, adShare, returnShare });
}

/** What is reported is compared with the fees that count without it: those of the category, entered or found. */
function scheduleOf(
  knowledge: FeeKnowledge,
  listing: FeeListing,
): Pick<FeeEvidence, 'schedule' | 'category' | 'atLeast'> {
  const table = scheduledFees(knowledge, listing);
  if (table === null || table.basis.source.kind !== 'schedule') return { schedule: null, category: 'none' };
  const { schedule, category, atLeast } = table.basis.source;
  return { schedule, category, ...(atLeast === undefined ? {} : { atLeast }) };
}

/** @param fees the table of the listing, for the fulfillment fee of each price band; null: fulfillment is a part of the cost */
function basisOf(source: FeeSource, { salesTax }: FeeEvidence, fees: FeeTable | null): FeeBasis {
  const { fulfillment, shippingCharge, adShare, returnShare } = fees?.basis ?? NOTHING_ADDED;
  return { source, salesTax, fulfillment, shippingCharge, adShare, returnShare };
}
