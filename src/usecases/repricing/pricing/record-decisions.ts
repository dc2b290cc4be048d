import type { Db } from '#db/client.ts';
import { withdrawRulePrices } from '#db/queries/marketplaces/price-intents.ts';
import type { MetricsRow } from '#db/queries/repricing/case-rows.ts';
import {
  type ListingUpdate,
  type MetricsWrite,
  type PriceMove,
  type RunItemWrite,
  writeMetrics,
  writeRecommendations,
  writeRunItems,
} from '#db/queries/repricing/write-decisions.ts';
import type { Change, Decision } from '#domain/decision.ts';
import { explain } from '#domain/explain.ts';
import { storeCase } from '#domain/stored-case.ts';
import { type Bps, type Cents, type Instant, isPrice } from '#domain/units.ts';
import { applyDecidedPrices, type DecidedPrice } from './apply-decided-prices.ts';
import type { PricingInput } from './load-pricing-inputs.ts';
import { isSameAnswer, isSameMetrics, marginAt, metricsOf } from './metrics-of.ts';

/** A listing and what was decided about it. */
export interface DecidedCase {
  readonly pricingCase: PricingInput;
  readonly decision: Decision;
}

const MOST_IMPACT = 99_999;
/** `listings.recommended_price_reason` and `price_history.reason`. */
const LONGEST_REASON = 2_000;

/**
 * Records what the engine decided for a batch of listings, in the caller's transaction: price moves in the ledger, or on
 * their way to the marketplace, recommendations, figures of the lists, items of the run. A decision that only repeats the
 * last one writes nothing.
 * @throws a database error with SQLSTATE 40001 when a price moved since the facts were read: decide the batch anew
 */
export async function recordDecisions(
  tx: Db,
  runId: number,
  decided: readonly DecidedCase[],
  now: Instant,
): Promise<void> {
  const taken: DecidedPrice[] = [];
  const unwanted: number[] = [];
  const words: ListingUpdate[] = [];
  const metrics: MetricsWrite[] = [];
  const items: RunItemWrite[] = [];
  for (const one of decided) {
    const { pricingCase, decision } = one;
    const { listing } = pricingCase;
    const { figures, word, isNews, isNewWord, areNewFigures } = listingUpdateOf(one);
    const told = isNews ? tell(one) : null;
    if (told !== null) items.push(itemOf(one, told));
    if (decision.kind === 'change' && told !== null) {
      taken.push({ isConnected: pricingCase.isConnected, move: moveOf(pricingCase, decision, told) });
    }
    if (isUnwanted(one)) unwanted.push(listing.id);
    if (isNewWord) words.push(word);
    if (areNewFigures) {
      metrics.push({ ...figures, listingId: listing.id, runId: itemRun(one, isNews, runId) });
    }
  }
  await applyDecidedPrices(tx, taken, { source: 'rule', at: now, runId, actor: null, pastHalt: null });
  await withdrawRulePrices(tx, unwanted, now);
  await writeRecommendations(tx, words, now);
  await writeMetrics(tx, metrics, now);
  await writeRunItems(tx, items, runId, now);
}

/** Whether recording a decision writes anything at all. */
export function isWorthRecording(one: DecidedCase): boolean {
  const { isNewWord, areNewFigures } = listingUpdateOf(one);
  return isNewWord || areNewFigures || isUnwanted(one);
}

/** Whether a price may be on its way that is no longer the one to ask. A change replaces it by itself. */
function isUnwanted({ pricingCase: { listing }, decision }: DecidedCase): boolean {
  return listing.pendingPrice !== null && decision.kind !== 'change' && decision.reason !== 'already_sent';
}

/** What a decision says, and which of it is new. */
interface Saying {
  readonly figures: MetricsRow;
  readonly word: ListingUpdate;
  /** Another decision than the last one, or another reason for it. */
  readonly isNews: boolean;
  readonly isNewWord: boolean;
  /** True with every news: the figures name the run that holds its item. */
  readonly areNewFigures: boolean;
}

function listingUpdateOf(one: DecidedCase): Saying {
  const { pricingCase, decision } = one;
  const { metrics, recommendedPriceReason } = pricingCase.listing;
  const figures = metricsOf(pricingCase, decision);
  const isNewAnswer =
    decision.kind === 'change' || (decision.kind !== 'keep' && !isSameAnswer(metrics, figures));
  const sentence = decision.kind === 'recommend' ? sentenceOf(one) : null;
  // Other words come from other facts: what is stored has to explain the reason that people read.
  const isNews = isNewAnswer || (sentence !== null && sentence !== recommendedPriceReason);
  const word = wordOf(one, sentence);
  return {
    figures,
    word,
    isNews,
    isNewWord: decision.kind === 'change' || !isSameWord(word, one),
    areNewFigures: isNews || !isSameMetrics(metrics, figures),
  };
}

/** The run that holds the item of a decision: of a repeated one the run that decided it first. */
function itemRun({ pricingCase, decision }: DecidedCase, isNews: boolean, runId: number): number | null {
  if (isNews) return runId;
  return decision.kind === 'keep' ? null : (pricingCase.listing.metrics?.runId ?? null);
}

/** A decision in words, with what is stored of it. */
interface Told {
  readonly sentence: string;
  readonly facts: string;
  readonly before: Bps | null;
  readonly after: Bps | null;
}

function tell({ pricingCase, decision }: DecidedCase): Told {
  const { facts, choice, policy } = pricingCase;
  const { sentence, competitor } = explain(facts, choice, policy);
  return {
    sentence: sentence.slice(0, LONGEST_REASON),
    facts: JSON.stringify(storeCase(pricingCase, competitor?.seller ?? null)),
    before: marginAt(facts.currentPrice, facts),
    after: marginAt(decision.price, facts),
  };
}

/** The words alone: a repeated decision is stored already, and to write its facts out again costs more than to decide. */
function sentenceOf({ pricingCase: { facts, choice, policy } }: DecidedCase): string {
  return explain(facts, choice, policy).sentence.slice(0, LONGEST_REASON);
}

function moveOf({ listing, facts, choice }: PricingInput, decision: Change, told: Told): PriceMove {
  return {
    listingId: listing.id,
    oldPrice: listing.currentPrice,
    newPrice: decision.price,
    reason: told.sentence,
    marginImpact: impactOf(told),
    ruleId: choice.rule === null ? null : Number(choice.rule.id),
    competitorPrice: priceOrNull(decision.reference),
    marginFloor: decision.marginFloor,
    feeVersion: facts.fees?.version ?? null,
    facts: told.facts,
  };
}

function itemOf({ pricingCase, decision }: DecidedCase, told: Told): RunItemWrite {
  const { listing, facts, choice } = pricingCase;
  return {
    listingId: listing.id,
    outcome: decision.kind,
    reasonCode: decision.reason,
    reviewReason: decision.reviewReason,
    bindingLimit: decision.bindingLimit,
    oldPrice: listing.currentPrice,
    price: decision.price,
    marginFloor: priceOrNull(decision.marginFloor),
    reference: decision.reference,
    marginBefore: told.before,
    marginAfter: told.after,
    ruleId: choice.rule === null ? null : Number(choice.rule.id),
    feeVersion: facts.fees?.version ?? null,
    facts: told.facts,
  };
}

/** @param sentence null unless it is a recommendation */
function wordOf({ pricingCase, decision }: DecidedCase, sentence: string | null): ListingUpdate {
  const isRecommended = decision.kind === 'recommend';
  return {
    listingId: pricingCase.listing.id,
    recommendedPrice: isRecommended ? decision.price : null,
    recommendedPriceReason: sentence,
    competitorPrice: priceOrNull(decision.reference),
    awaitsUpload: decision.kind === 'change' && !pricingCase.isConnected,
  };
}

function isSameWord(word: ListingUpdate, { pricingCase: { listing } }: DecidedCase): boolean {
  return (
    listing.recommendedPrice === word.recommendedPrice &&
    listing.recommendedPriceReason === word.recommendedPriceReason &&
    listing.competitorPrice === word.competitorPrice
  );
}

function impactOf({ before, after }: Told): Bps | null {
  if (before === null || after === null) return null;
  const impact = after - before;
  return Math.abs(impact) > MOST_IMPACT ? null : (impact as Bps);
}

/** Columns that hold prices take none at or below zero, such as a reference that our shipping charge eats up. */
function priceOrNull(value: Cents | null): Cents | null {
  return isPrice(value) ? value : null;
}
