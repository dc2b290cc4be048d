import { notify } from '#db/listen.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { lockListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { applicablePrice, appliedMoves } from './applicable-price.ts';
import {
  auditedReason,
  type ConfirmedReasons,
  reasonsOfBatch,
  requireReasonsConfirmed,
} from './confirmed-reasons.ts';
import { loadCase, rejectEnginePriceInHalt } from './priced-listing.ts';
import { settleManualPrices } from './settle-prices.ts';

/** What a user saw and confirmed when applying a recommended price. */
export interface ApplyRequest {
  readonly shown: Cents;
  readonly despiteReasons?: ConfirmedReasons | undefined;
}

/**
 * Applies the recommended price of a listing. It is decided again, without the limits for automatic changes.
 * @param request `shown`: the recommended price the user saw
 * @throws AppError not_found; conflict when another price would be applied, with it as `fields.price`, when there is no
 *   longer a recommendation, or when repricing is halted; not_repriceable unless confirmed
 */
export async function applyPrice(
  { db, now }: ListingDeps,
  listingId: number,
  { shown, despiteReasons = [] }: ApplyRequest,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    await lockListing(tx, listingId);
    const pricingInput = await loadCase(tx, listingId, at);
    rejectEnginePriceInHalt(pricingInput.policy.halted);
    const applicable = applicablePrice(pricingInput);
    if (applicable.kind === 'none') {
      throw new AppError('conflict', `There is no longer a price to apply. ${applicable.message}`);
    }
    if (applicable.price !== shown) {
      throw new AppError(
        'conflict',
        `The recommendation changed from ${moneyText(shown)} to ${moneyText(applicable.price)}. ${applicable.explanation.sentence}`,
        { fields: { price: decimalFromCents(applicable.price) } },
      );
    }
    const taken = appliedMoves(pricingInput, applicable);
    const moves = taken.map(({ move }) => move);
    const ids = moves.map((move) => move.listingId);
    await requireReasonsConfirmed(tx, ids, despiteReasons, at);
    const { passed } = await reasonsOfBatch(tx, ids, despiteReasons, at);
    const actor = { id: editor.id, name: editor.name };
    await applyDecidedPrices(tx, taken, {
      source: 'apply',
      at,
      runId: null,
      actor,
      pastHalt: null,
      despiteReasons,
    });
    await settleManualPrices(tx, taken, at);
    await insertAudits(
      tx,
      moves.map((move) => ({
        ...madeBy(editor, at),
        action: 'price.applied',
        targetKind: 'listing',
        targetId: String(move.listingId),
        before: { price: decimalFromCents(move.oldPrice) },
        after: { price: decimalFromCents(move.newPrice), ...auditedReason(passed.get(move.listingId)) },
      })),
    );
    await notify(tx, 'pricewright_listings', ids);
  });
}
