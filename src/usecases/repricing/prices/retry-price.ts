import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { clearRefusals, readRefused } from '#db/queries/marketplaces/refusals.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { BulkActionDeps } from '#usecases/catalog/listings/bulk-action-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { judgePersonsPrice, personsMove } from './manual-price.ts';
import { loadCase, lockListing, refuseEnginesPrice } from './priced-listing.ts';
import { settleTaken } from './settle-prices.ts';

/**
 * Sends a refused price once more, because a person says so. It is checked like a typed one by the facts of now; no hold
 * begins with it.
 * @param price the refused price that the person saw
 * @throws AppError not_found; conflict when that is not the refused price any more, when nothing is sent to the
 *   marketplace, or when everything is halted; validation_failed with the limit that refuses it
 */
export async function retryPrice(
  { db, now }: BulkActionDeps,
  listingId: number,
  price: Cents,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    await lockListing(tx, listingId);
    const pricingCase = await loadCase(tx, listingId, at);
    refuseEnginesPrice(pricingCase.policy.halted);
    refuseUnsent(pricingCase);
    const { isConnected, listing } = pricingCase;
    const refused = await readRefused(tx, listingId);
    if (refused?.price !== price) {
      const what = `${moneyText(price)} is no longer the last rejected price of ${listing.sku}.`;
      throw new AppError('conflict', what);
    }
    const judged = judgePersonsPrice(pricingCase, price);
    if (judged.floor === null) throw new AppError('validation_failed', judged.message);
    await clearRefusals(tx, listingId);
    const reason = `Sent again by ${editor.name} after a rejection.`;
    const taken = [{ isConnected, ...personsMove(pricingCase, price, judged.floor, reason) }];
    // What a person had asked for stays theirs; the engine's is applied by whoever tries it again.
    const source = refused.source === 'rule' ? 'apply' : refused.source;
    const actor = { id: editor.id, name: editor.name };
    await applyDecidedPrices(tx, taken, { source, at, runId: null, actor, pastHalt: null });
    await settleTaken(tx, taken, at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'price.retried',
      targetKind: 'listing',
      targetId: String(listingId),
      before: { price: decimalFromCents(listing.currentPrice), answer: refused.answer },
      after: { price: decimalFromCents(price) },
    });
    await notify(tx, 'pricewright_listings', [listingId]);
  });
}

function refuseUnsent({ isConnected, listing: { marketplace } }: PricingInput): void {
  if (isConnected) return;
  throw new AppError(
    'conflict',
    `No prices are sent to ${MARKETPLACE_NAMES[marketplace]} now. Check its settings.`,
  );
}
