import type { PriceExplanation } from '#contract/explanation.ts';
import { findItemOfRun, findListing, findRunItem } from '#db/queries/repricing/explanations.ts';
import { findPriceRow } from '#db/queries/repricing/price-rows.ts';
import { otherMatches } from '#domain/decision/explanation-text.ts';
import { asManualDecision } from '#domain/decision/manual-decision.ts';
import { readStoredCase } from '#domain/decision/stored-case.ts';
import { AppError } from '#usecases/app-error.ts';
import { listingNotFound } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { explainDecision } from './explained-decision.ts';
import { explainLedgerRow } from './explained-ledger-row.ts';
import { explainManualPrice } from './explained-manual-price.ts';

/**
 * Decides a listing from current facts and explains the decision. Nothing changes.
 * @throws AppError not_found
 */
export async function explainNow({ db, now }: ListingDeps, listingId: number): Promise<PriceExplanation> {
  const at = now();
  const shop = await loadPricingContext(db, at);
  const [pricingInput] = await loadPricingInputs(db, shop, [listingId]);
  if (pricingInput === undefined) throw listingNotFound(listingId);
  const { listing, choice } = pricingInput;
  const { marketplace, fulfillmentType } = listing;
  const question = { marketplace, fulfillmentType, scope: pricingInput.scope };
  const otherRules = otherMatches(shop.facts.rules, choice.rule, question, shop.local);
  return explainDecision(listing, pricingInput, { of: 'now', at, actor: null, otherRules });
}

/**
 * Explains the engine's last decision about a listing from its stored facts.
 * @throws AppError not_found when there is no such listing, or no facts are stored because the last decision kept the price
 */
export async function explainRecommendation(
  { db }: ListingDeps,
  listingId: number,
): Promise<PriceExplanation> {
  const listing = await findListing(db, listingId);
  if (listing === null) throw listingNotFound(listingId);
  const item = await findRunItem(db, listingId);
  const stored = item === null ? null : readStoredCase(item.facts);
  if (item === null || stored === null) {
    throw new AppError(
      'not_found',
      `No decision is stored for ${listing.sku}: the last one kept its price or is too old.`,
    );
  }
  return explainDecision(listing, stored, {
    of: 'recommendation',
    at: item.at,
    actor: null,
    otherRules: null,
  });
}

/**
 * Explains what a run decided about a listing, from its stored facts.
 * @throws AppError not_found when there is no such listing, or no facts are stored because the run kept the price or is too old
 */
export async function explainRunItem(
  { db }: ListingDeps,
  runId: number,
  listingId: number,
): Promise<PriceExplanation> {
  const listing = await findListing(db, listingId);
  if (listing === null) throw listingNotFound(listingId);
  const item = await findItemOfRun(db, runId, listingId);
  const stored = item === null ? null : readStoredCase(item.facts);
  if (item === null || stored === null) {
    const why = 'it kept the price or is too old';
    throw new AppError('not_found', `No decision of run ${runId} is stored for ${listing.sku}: ${why}.`);
  }
  return explainDecision(listing, stored, { of: 'run', at: item.at, actor: null, otherRules: null });
}

/**
 * Explains a row of the price history from its stored facts.
 * @throws AppError not_found
 */
export async function explainHistory(
  { db }: ListingDeps,
  listingId: number,
  historyId: number,
): Promise<PriceExplanation> {
  const listing = await findListing(db, listingId);
  if (listing === null) throw listingNotFound(listingId);
  const row = await findPriceRow(db, listingId, historyId);
  if (row === null) throw new AppError('not_found', `${listing.sku} has no price change ${historyId}.`);
  const stored = readStoredCase(row.facts);
  if (stored === null) return explainLedgerRow(listing, row);
  if (row.source === 'person' || row.source === 'undo' || row.source === 'repair')
    return explainManualPrice(listing, row, stored);
  const decided = row.source === 'apply' ? asManualDecision(stored) : stored;
  return explainDecision(listing, decided, {
    of: 'history',
    at: row.timestamp,
    actor: row.actor,
    otherRules: null,
  });
}
