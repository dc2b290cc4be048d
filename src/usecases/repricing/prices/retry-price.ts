import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { clearRefusals, readRefused } from '#db/queries/marketplaces/sending/refusals.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { lockListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import {
  auditedReason,
  type ConfirmedReasons,
  reasonsOfBatch,
  requireReasonsConfirmed,
} from './confirmed-reasons.ts';
import { manualMoves, validateManualPrice } from './manual-price.ts';
import { goPastHalt, type HaltConfirmation, loadCase, rejectEnginePriceInHalt } from './priced-listing.ts';
import { settleManualPrices } from './settle-prices.ts';

/** What a user saw and confirmed when sending a rejected price again. */
export interface RetryRequest {
  readonly price: Cents;
  readonly whileHalted?: HaltConfirmation;
  readonly despiteReasons?: ConfirmedReasons | undefined;
}

/**
 * Sends a rejected price again at a user's request. It is checked like a manual price with current facts; no hold follows.
 * @param request `price`: the rejected price that the user saw
 * @throws AppError not_found; conflict when that is no longer the rejected price, when no prices are sent to the
 *   marketplace, or when repricing is halted and decided it; halted when a user set it and did not confirm;
 *   validation_failed with the limit that rejects it; not_repriceable unless confirmed
 */
export async function retryPrice(
  { db, now }: ListingDeps,
  listingId: number,
  { price, whileHalted, despiteReasons = [] }: RetryRequest,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    await lockListing(tx, listingId);
    const pricingInput = await loadCase(tx, listingId, at);
    requireSending(pricingInput);
    const { listing } = pricingInput;
    const refused = await readRefused(tx, listingId);
    if (refused?.price !== price) {
      const what = `${moneyText(price)} is no longer the last rejected price of ${listing.sku}.`;
      throw new AppError('conflict', what);
    }
    const isDecided = refused.source === 'rule' || refused.source === 'apply';
    if (isDecided) rejectEnginePriceInHalt(pricingInput.policy.halted);
    const pastHalt = isDecided ? null : await goPastHalt(tx, whileHalted);
    const checked = validateManualPrice(pricingInput, price);
    if (checked.floor === null) throw new AppError('validation_failed', checked.message);
    const reason = `Sent again by ${editor.name} after a rejection.`;
    const taken = manualMoves(pricingInput, price, checked.floor, reason);
    const ids = taken.map((one) => one.listing.id);
    await requireReasonsConfirmed(tx, ids, despiteReasons, at);
    const { passed } = await reasonsOfBatch(tx, ids, despiteReasons, at);
    await clearRefusals(tx, listingId);
    // A manual price keeps its source; a price of the engine counts as applied by the user who retries it.
    const source = refused.source === 'rule' ? 'apply' : refused.source;
    const actor = { id: editor.id, name: editor.name };
    await applyDecidedPrices(tx, taken, {
      source,
      at,
      runId: null,
      actor,
      pastHalt,
      despiteReasons,
    });
    await settleManualPrices(tx, taken, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'price.retried',
      targetKind: 'listing',
      targetId: String(listingId),
      before: { price: decimalFromCents(listing.currentPrice), answer: refused.answer },
      after: {
        price: decimalFromCents(price),
        ...(pastHalt !== null && { whileHalted: true }),
        ...auditedReason(passed.get(listingId)),
      },
    });
    await notify(tx, 'pricewright_listings', ids);
  });
}

function requireSending({ isConnected, listing: { marketplace } }: PricingInput): void {
  if (isConnected) return;
  throw new AppError(
    'conflict',
    `No prices are sent to ${MARKETPLACE_NAMES[marketplace]} now. Check its settings.`,
  );
}
