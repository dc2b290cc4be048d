import type { Db } from '#db/client.ts';
import { withdrawRulePrices } from '#db/queries/marketplaces/sending/queued-prices.ts';
import {
  type ListingUpdate,
  type MetricsWrite,
  type PriceMove,
  type RunItemWrite,
  writeMetrics,
  writeRecommendations,
  writeRunItems,
} from '#db/queries/repricing/decision-rows.ts';
import { forgetLines, type LineMemoryRow, writeLineMemories } from '#db/queries/repricing/line-memories.ts';
import type { MetricsRow } from '#db/queries/repricing/pricing-input-rows.ts';
import type { Change, Decision } from '#domain/decision/decision.ts';
import { explain } from '#domain/decision/explain.ts';
import { storeCase } from '#domain/decision/stored-case.ts';
import { rememberDecision } from '#domain/lines/line-memory.ts';
import { type Bps, type Cents, type Instant, isPrice } from '#domain/units.ts';
import { applyDecidedPrices, type DecidedPrice } from './apply-decided-prices.ts';
import { hashOf, memoryFor } from './line-facts.ts';
import type { PricingInput } from './load-pricing-inputs.ts';
import { marginImpact } from './margin-impact.ts';
import { isSameDecision, isSameMetrics, marginAt, metricsOf, ownLineOf } from './metrics-of.ts';

/** A listing's input with its decision. */
export interface DecidedCase {
  readonly pricingInput: PricingInput;
  readonly decision: Decision;
}

/** Column length of `listings.recommended_price_reason` and `price_history.reason`. */
const MAX_REASON_LENGTH = 2_000;

/**
 * Records the engine's decisions for a batch of listings, in the caller's transaction: price changes in the ledger or in
 * the send queue, recommendations, figures of the lists, items of the run. A repeated decision writes nothing.
 * @throws a database error with SQLSTATE 40001 when a price changed after the facts were read: decide the batch again
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
  const memories: LineMemoryRow[] = [];
  const forgotten: number[] = [];
  for (const one of decided) {
    const { pricingInput, decision } = one;
    const { listing } = pricingInput;
    const { figures, word, isNews, isNewWord, areNewFigures } = listingUpdateOf(one);
    const explained = isNews ? explainDecision(one) : null;
    if (explained !== null) items.push(itemOf(one, explained));
    if (decision.kind === 'change' && explained !== null) {
      taken.push({ isConnected: pricingInput.isConnected, move: moveOf(pricingInput, decision, explained) });
    }
    if (isUnwanted(one)) unwanted.push(listing.id);
    const memory = memoryAfter(one);
    if (memory !== null) memories.push(memory);
    if (isForgotten(one)) forgotten.push(listing.id);
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
  await writeLineMemories(tx, memories);
  await forgetLines(tx, forgotten);
}

/** Whether recording a decision writes anything at all. */
export function isWorthRecording(one: DecidedCase): boolean {
  const { isNewWord, areNewFigures } = listingUpdateOf(one);
  return isNewWord || areNewFigures || isUnwanted(one) || memoryAfter(one) !== null || isForgotten(one);
}

/** What the lines of the rule remember after a decision; null where that is stored already. */
function memoryAfter({ pricingInput, decision }: DecidedCase): LineMemoryRow | null {
  const { listing, choice, policy, memory: stored } = pricingInput;
  if (choice.minimumMargin === null || choice.rule.lines === null) return null;
  const { rule } = choice;
  const known = memoryFor(rule, stored ?? undefined);
  const memory = rememberDecision(known, ownLineOf(pricingInput, decision), policy.now);
  if (memory === known) return null;
  return { listingId: listing.id, ruleId: rule.id, linesHash: hashOf(choice.rule.lines), ...memory };
}

/** Something is remembered, and not by the rule that prices the listing now. */
function isForgotten(one: DecidedCase): boolean {
  const { choice, memory } = one.pricingInput;
  if (memory === null || memoryAfter(one) !== null) return false;
  if (choice.minimumMargin === null || choice.rule.lines === null) return true;
  return memory.ruleId !== choice.rule.id || memory.linesHash !== hashOf(choice.rule.lines);
}

/** Whether a price in progress may no longer be the right one. A change supersedes it automatically. */
function isUnwanted({ pricingInput: { listing }, decision }: DecidedCase): boolean {
  return listing.pendingPrice !== null && decision.kind !== 'change' && decision.reason !== 'already_sent';
}

/** What a decision updates, and which parts are new. */
interface DecisionUpdate {
  readonly figures: MetricsRow;
  readonly word: ListingUpdate;
  /** Differs from the last decision, or has another reason. */
  readonly isNews: boolean;
  readonly isNewWord: boolean;
  /** Also true for every new decision: the figures refer to the run with its item. */
  readonly areNewFigures: boolean;
}

function listingUpdateOf(one: DecidedCase): DecisionUpdate {
  const { pricingInput, decision } = one;
  const { metrics, recommendedPriceReason } = pricingInput.listing;
  const figures = metricsOf(pricingInput, decision);
  const isNewAnswer =
    decision.kind === 'change' || (decision.kind !== 'keep' && !isSameDecision(metrics, figures));
  const sentence = decision.kind === 'recommend' ? sentenceOf(one) : null;
  // A different sentence results from different facts, and the stored facts have to explain the shown reason.
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

/** The run with the item of a decision; for a repeated one the run that decided it first. */
function itemRun({ pricingInput, decision }: DecidedCase, isNews: boolean, runId: number): number | null {
  if (isNews) return runId;
  return decision.kind === 'keep' ? null : (pricingInput.listing.metrics?.runId ?? null);
}

/** A decision's sentence, with the facts stored with it. */
interface ExplainedDecision {
  readonly sentence: string;
  readonly facts: string;
  readonly before: Bps | null;
  readonly after: Bps | null;
}

function explainDecision({ pricingInput, decision }: DecidedCase): ExplainedDecision {
  const { facts, choice, policy } = pricingInput;
  const { sentence, against } = explain(facts, choice, policy);
  return {
    sentence: sentence.slice(0, MAX_REASON_LENGTH),
    facts: JSON.stringify(storeCase(pricingInput, against)),
    before: marginAt(facts.currentPrice, facts),
    after: marginAt(decision.price, facts),
  };
}

/** Only the sentence: a repeated decision is stored already, and serializing its facts costs more than deciding. */
function sentenceOf({ pricingInput: { facts, choice, policy } }: DecidedCase): string {
  return explain(facts, choice, policy).sentence.slice(0, MAX_REASON_LENGTH);
}

function moveOf(
  { listing, facts, choice }: PricingInput,
  decision: Change,
  explained: ExplainedDecision,
): PriceMove {
  return {
    listingId: listing.id,
    oldPrice: listing.currentPrice,
    newPrice: decision.price,
    reason: explained.sentence,
    marginImpact: marginImpact(explained.before, explained.after),
    marginAfter: explained.after,
    ruleId: choice.rule === null ? null : Number(choice.rule.id),
    competitorPrice: priceOrNull(decision.reference),
    marginFloor: decision.marginFloor,
    feeVersion: facts.fees?.version ?? null,
    facts: explained.facts,
  };
}

function itemOf({ pricingInput, decision }: DecidedCase, explained: ExplainedDecision): RunItemWrite {
  const { listing, facts, choice } = pricingInput;
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
    marginBefore: explained.before,
    marginAfter: explained.after,
    ruleId: choice.rule === null ? null : Number(choice.rule.id),
    feeVersion: facts.fees?.version ?? null,
    facts: explained.facts,
  };
}

/** @param sentence null unless it is a recommendation */
function wordOf({ pricingInput, decision }: DecidedCase, sentence: string | null): ListingUpdate {
  const isRecommended = decision.kind === 'recommend';
  return {
    listingId: pricingInput.listing.id,
    recommendedPrice: isRecommended ? decision.price : null,
    recommendedPriceReason: sentence,
    competitorPrice: priceOrNull(decision.reference),
    awaitsUpload: decision.kind === 'change' && !pricingInput.isConnected,
  };
}

function isSameWord(word: ListingUpdate, { pricingInput: { listing } }: DecidedCase): boolean {
  return (
    listing.recommendedPrice === word.recommendedPrice &&
    listing.recommendedPriceReason === word.recommendedPriceReason &&
    listing.competitorPrice === word.competitorPrice
  );
}

/** Null for a price at or below zero, which price columns reject, such as a reference below our shipping charge. */
function priceOrNull(value: Cents | null): Cents | null {
  return isPrice(value) ? value : null;
}
