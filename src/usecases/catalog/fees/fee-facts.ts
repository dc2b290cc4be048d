import { FEE_ANSWER_LIMIT, type FeeAnswer, type FeeFacts } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { type FeeFactRow, listFeeFacts } from '#db/queries/marketplaces/fee-facts.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { groupBy } from '#domain/group-by.ts';
import { findLiveListing } from '#usecases/catalog/analytics/live-listing.ts';

/** More fees than an answer ever had. */
const FEES_PER_ANSWER = 20;

/**
 * What the marketplace told of the fees of a listing, also what is not used.
 * @throws AppError not_found
 */
export async function readFeeFacts(db: Db, listingId: number): Promise<FeeFacts> {
  await findLiveListing(db, listingId);
  const rows = await listFeeFacts(db, listingId, FEE_ANSWER_LIMIT * FEES_PER_ANSWER);
  const answers = groupBy(rows, ({ toldAt, askedPrice, askedShipping }) =>
    [toldAt, askedPrice, askedShipping].join(' '),
  );
  return { answers: [...answers.values()].slice(0, FEE_ANSWER_LIMIT).map(answerView) };
}

function answerView(rows: readonly FeeFactRow[]): FeeAnswer {
  const [{ toldAt, source, fulfillmentType, askedPrice, askedShipping, refusedBecause }] = rows as [
    FeeFactRow,
  ];
  return {
    toldAt: new Date(toldAt).toISOString(),
    source,
    fulfillmentType,
    askedPrice: decimalFromCents(askedPrice),
    askedShipping: decimalFromCents(askedShipping),
    refusedBecause,
    fees: rows.flatMap(({ kind, name, amount, promotion }) =>
      amount === null
        ? []
        : [{ kind, name, amount: decimalFromCents(amount), promotion: decimalFromCents(promotion) }],
    ),
  };
}
