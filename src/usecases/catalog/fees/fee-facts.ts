import { FEE_ANSWER_LIMIT, type FeeAnswer, type FeeFacts } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { listMappedCategories } from '#db/queries/catalog/category-map.ts';
import { type FeeFactRow, listFeeFacts } from '#db/queries/marketplaces/money/fee-facts.ts';
import { readFeeSchedules } from '#db/queries/repricing/pricing-context.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { categoryMap, feeCategoryOf } from '#domain/fees/fee-category.ts';
import { type AnswerKey, isSameAnswer } from '#domain/fees/fee-fact.ts';
import { feeTables } from '#domain/fees/fee-tables.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Instant } from '#domain/units.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import { heldAnswers } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
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
  const rows = await listFeeFacts(db, listingId, FEE_ANSWER_LIMIT * FEES_PER_ANSWER);
  // Of an answer an administrator may have rejected a part.
  const answers = groupBy(
    rows,
    ({ toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause }) =>
      [toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause].join(' '),
  );
  const held = await heldNow(db, listingId, now);
  const shown = [...answers.values()].slice(0, FEE_ANSWER_LIMIT);
  return {
    answers: shown.map((facts) => answerView(facts, held)),
    category: { name, ...found, productType: listing.productType },
  };
}

/** The answers that wait until they are reported again. */
async function heldNow(db: Db, listingId: number, now: Instant): Promise<readonly AnswerKey[]> {
  const context = await loadPricingContext(db, now);
  const inputs = await loadCosts(db, context, [listingId]);
  return inputs.flatMap((input) => heldAnswers(context.feeKnowledge, input).map(({ answer }) => answer));
}

function answerView(rows: readonly FeeFactRow[], held: readonly AnswerKey[]): FeeAnswer {
  const [fact] = rows as [FeeFactRow];
  const { id, toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause } = fact;
  return {
    id: String(id),
    toldAt: new Date(toldAt).toISOString(),
    source,
    fulfillmentType,
    askedPrice: decimalFromCents(askedPrice),
    askedShipping: decimalFromCents(askedShipping),
    refusedBecause,
    isHeld: refusedBecause === null && held.some((answer) => isSameAnswer(answer, fact)),
    fees: rows.flatMap(({ kind, name, amount, promotion }) =>
      amount === null
        ? []
        : [{ kind, name, amount: decimalFromCents(amount), promotion: decimalFromCents(promotion) }],
    ),
  };
}
