import type { Db } from '#db/client.ts';
import {
  addFeeJumps,
  countFeeJumps,
  openFeeBreaker,
  widenFeeBreaker,
} from '#db/queries/marketplaces/money/fee-breakers.ts';
import { listUsableFeeFacts } from '#db/queries/marketplaces/money/fee-facts.ts';
import { type AnswerKey, type FeeFact, isSameAnswer } from '#domain/fees/fee-fact.ts';
import { areTooManyJumps, SMALLEST_JUMP } from '#domain/fees/fee-jump.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant, WHOLE } from '#domain/units.ts';
import { jumpsOf } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext, type PricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/** An answer about a listing. */
type ListingAnswer = AnswerKey & { readonly listingId: number };

/**
 * Keeps which fees jumped, and doubts what a marketplace reports where they are too many.
 * @param inputs the listings, with what was reported of them
 * @param added the answers that were just stored
 */
export async function watchJumps(
  tx: Db,
  { feeKnowledge, facts: { now, doubtedFees } }: PricingContext,
  inputs: readonly PricingInput[],
  added: readonly ListingAnswer[],
): Promise<void> {
  const answers = groupBy(added, ({ listingId }) => listingId);
  const jumps = inputs.flatMap((input) => {
    const listingId = input.listing.id;
    const fresh = answers.get(listingId) ?? [];
    const isNew = (answer: AnswerKey) => fresh.some((each) => isSameAnswer(each, answer));
    const { marketplace } = input.listing;
    return jumpsOf(feeKnowledge, input, isNew).map((jump) => ({ ...jump, listingId, marketplace }));
  });
  if (jumps.length === 0) return;
  await addFeeJumps(tx, jumps, now);
  for (const [marketplace, theirs] of groupBy(jumps, (jump) => jump.marketplace)) {
    const doubted = doubtedFees.find((each) => each.marketplace === marketplace);
    const since = instant(Math.min(...theirs.map((jump) => jump.since)));
    if (doubted === undefined) await doubtIfTooMany(tx, marketplace, now);
    else if (since < doubted.since) await widenFeeBreaker(tx, marketplace, since);
  }
}

/** The same for what was just taken of sales. Reads costs only of listings with a fee far from one before. */
export async function watchSettledJumps(
  tx: Db,
  added: readonly (FeeFact & { readonly listingId: number })[],
  now: Instant,
): Promise<void> {
  const fresh = groupBy(added, ({ listingId }) => listingId);
  const known = groupBy(await listUsableFeeFacts(tx, [...fresh.keys()], now), ({ listingId }) => listingId);
  const ids = [...fresh].flatMap(([id, facts]) => (isAnyFar(facts, known.get(id) ?? []) ? [id] : []));
  if (ids.length === 0) return;
  const context = await loadPricingContext(tx, now);
  const inputs = await loadCosts(tx, context, ids);
  await watchJumps(tx, context, inputs, added);
}

function isAnyFar(fresh: readonly FeeFact[], known: readonly FeeFact[]): boolean {
  const feeShareOf = ({ amount, feeBase, askedPrice, askedShipping }: FeeFact) =>
    amount / (feeBase ?? askedPrice + askedShipping);
  // A fulfillment fee is no share of the price: at another price the same fee is no jump.
  const distanceOf = (fact: FeeFact, other: FeeFact) =>
    fact.kind === 'fulfillment'
      ? Math.abs(other.amount - fact.amount) / fact.askedPrice
      : Math.abs(feeShareOf(other) - feeShareOf(fact));
  return fresh.some((fact) =>
    known.some((other) => other.kind === fact.kind && distanceOf(fact, other) * WHOLE > SMALLEST_JUMP),
  );
}

async function doubtIfTooMany(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  const { since, ...counts } = await countFeeJumps(tx, marketplace, now);
  if (since !== null && areTooManyJumps(counts)) await openFeeBreaker(tx, marketplace, since, now);
}
