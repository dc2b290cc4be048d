import type { DecideFees, FeesDecided } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { type AnswerToDecide, decideAnswers, lockAnswers } from '#db/queries/marketplaces/fee-facts.ts';
import { transact } from '#db/transact.ts';
import { FEE_FACT_KINDS, type FeeFactKind } from '#domain/fees/fee-fact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { heldAnswers } from '#usecases/repricing/pricing/listing-fees.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/**
 * Accepts or rejects what a marketplace told: a lower fee that waits until it is told again, without the other fees of its
 * answer, or an answer out of range; accepts one that was rejected. All of them or none.
 * @throws AppError conflict for an answer that counts already or is not used for another reason, not_found
 */
export async function decideFees(
  db: Db,
  { ids, decision }: DecideFees,
  editor: Editor,
  now: Instant,
): Promise<FeesDecided> {
  const factIds = [...new Set(ids.map(Number))];
  return transact(db, async (tx) => {
    const answers = await lockAnswers(tx, factIds);
    if (answers.length < factIds.length) {
      throw new AppError('not_found', 'One of these fees is no longer stored. Reload the page.');
    }
    const listings = [...new Set(answers.map(({ listingId }) => listingId))];
    const context = await loadPricingContext(tx, now);
    const inputs = await loadCosts(tx, context, listings);
    const held = new Map(
      inputs.map((input) => [input.listing.id, heldAnswers(context.feeKnowledge, input)] as const),
    );
    const kindsOf = ({ listingId, toldAt, refusedBecause }: AnswerToDecide): readonly FeeFactKind[] => {
      if (refusedBecause === 'out_of_range') return FEE_FACT_KINDS;
      if (refusedBecause === 'rejected') return decision === 'adopt' ? FEE_FACT_KINDS : [];
      if (refusedBecause !== null) return [];
      const waiting = held.get(listingId)?.filter((each) => each.toldAt === toldAt) ?? [];
      return FEE_FACT_KINDS.filter((kind) =>
        waiting.some(({ part }) => (part === 'fulfillment') === (kind === 'fulfillment')),
      );
    };
    const decided = answers.map((answer) => ({ id: answer.id, kinds: kindsOf(answer) }));
    if (decided.some(({ kinds }) => kinds.length === 0)) {
      throw new AppError(
        'conflict',
        'One of these fees no longer waits: it counts already, or was told differently since. Reload the page.',
      );
    }
    await decideAnswers(tx, decided, decision === 'adopt', now);
    await insertAudit(tx, {
      ...madeBy(editor, now),
      action: decision === 'adopt' ? 'fees.told_accepted' : 'fees.told_rejected',
      after: { listings, facts: factIds },
    });
    await notify(tx, 'pricewright_listings', listings);
    return { listings: listings.length };
  });
}
