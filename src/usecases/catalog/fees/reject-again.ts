import type { Db } from '#db/client.ts';
import {
  type ListingFeePart,
  listRejectedFees,
  rejectFees,
} from '#db/queries/marketplaces/money/fee-facts.ts';
import { type FeeFact, isFulfillmentCharge, isSameAnswer, isSameFee } from '#domain/fees/fee-fact.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { heldAnswers, isBelowFulfillment, isOfHeld } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/** A fee that a marketplace reported for a listing. */
type ListingFact = FeeFact & { readonly listingId: number };

/**
 * A lower fee that an administrator rejected is rejected again where it would wait: only accepted it counts. What was
 * rejected of sales says nothing of an answer to a question, which is another kind of evidence.
 * @param added facts that were just stored, each a used one
 */
export async function rejectAgain(tx: Db, added: readonly ListingFact[], now: Instant): Promise<void> {
  const ids = [...new Set(added.map(({ listingId }) => listingId))];
  const rejected = groupBy(await listRejectedFees(tx, ids), ({ listingId }) => listingId);
  if (rejected.size === 0) return;
  const context = await loadPricingContext(tx, now);
  const again: ListingFeePart[] = [];
  for (const input of await loadCosts(tx, context, [...rejected.keys()])) {
    const listingId = input.listing.id;
    const parts = partsOf(added.filter((fact) => fact.listingId === listingId));
    const isNew = (fact: FeeFact) => parts.some((part) => isOf(fact, part));
    let reported = input.feeFacts.filter((fact) => !isNew(fact));
    // One after another: of two sales that report the same the second one would confirm the first.
    for (const part of parts) {
      const own = input.feeFacts.filter((fact) => isOf(fact, part));
      const held = heldAnswers(context.feeKnowledge, { ...input, feeFacts: [...reported, ...own] });
      const isWaiting = held.some((each) => !each.isHigher && own.some((fact) => isOfHeld(each, fact)));
      const isRejected = (rejected.get(listingId) ?? []).some(
        (other) => other.source === part.source && isSameFee(part, other),
      );
      // A charge that others outweigh does not wait, but together with the next ones it would lower the fee.
      const isLower =
        isWaiting ||
        (part.isFulfillment &&
          part.source === 'settled' &&
          isBelowFulfillment(context.feeKnowledge, { ...input, feeFacts: reported }, part));
      if (isLower && isRejected) again.push(part);
      else reported = [...reported, ...own];
    }
  }
  await rejectFees(tx, again);
}

/** The fulfillment fee of each answer and of each charge, and the rest of it; oldest first. */
function partsOf(facts: readonly ListingFact[]): ListingFeePart[] {
  const parts: ListingFeePart[] = [];
  for (const fact of facts.toSorted((one, other) => one.toldAt - other.toldAt)) {
    const { listingId, source, fulfillmentType, askedPrice, askedShipping, toldAt, amount, feeBase } = fact;
    const known = parts.findIndex((part) => isOf(fact, part));
    const before = parts[known];
    if (before !== undefined) {
      // Charges of several sales are not added up.
      if (isFulfillmentCharge(fact)) continue;
      parts[known] = { ...before, amount: (before.amount + amount) as Cents };
      continue;
    }
    const answer = { listingId, source, fulfillmentType, askedPrice, askedShipping, toldAt };
    parts.push({ ...answer, isFulfillment: fact.kind === 'fulfillment', amount, feeBase: feeBase ?? null });
  }
  return parts;
}

/** Charges of one moment and price are apart. */
function isOf(fact: FeeFact, part: Omit<ListingFeePart, 'listingId'>): boolean {
  const isPart = (fact.kind === 'fulfillment') === part.isFulfillment && isSameAnswer(fact, part);
  return isPart && (!isFulfillmentCharge(fact) || fact.amount === part.amount);
}
