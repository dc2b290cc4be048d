import type { Db } from '#db/client.ts';
import { readNewestPrice } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import type { CurrentPrice } from '#db/queries/marketplaces/sending/current-prices.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { isHeld } from '#usecases/marketplaces/sync/hold-externally-priced.ts';
import { checkLimits, manualMoves } from '#usecases/repricing/prices/manual-price.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/**
 * Queues a user's price again that an older one replaced on the marketplace, where it is still allowed. Only on hold:
 * without one the engine decides the listing anew, and with one nothing else would set the user's price again.
 * @param before the listing before the older price arrived, which was just confirmed
 */
export async function resendUserPrice(
  tx: Db,
  marketplace: Marketplace,
  before: CurrentPrice,
  arrived: Cents,
  now: Instant,
): Promise<void> {
  if (before.currentPrice === arrived || !isHeld(before, now)) return;
  const newest = await readNewestPrice(tx, before.id);
  const isOfUser = newest?.source === 'person' || newest?.source === 'undo';
  if (newest === null || !isOfUser || !newest.isConfirmed || newest.price !== before.currentPrice) return;
  const [listing] = await loadPricingInputs(tx, await loadPricingContext(tx, now), [before.id]);
  if (listing?.isConnected !== true) return;
  const { price, source, actorId, actor } = newest;
  const { floor } = checkLimits(listing, price);
  if (floor === null) return;
  const reason = `Sent again: ${moneyText(arrived)}, sent before it, arrived on ${MARKETPLACE_NAMES[marketplace]} after it.`;
  await applyDecidedPrices(tx, manualMoves(listing, price, floor, reason), {
    source,
    at: now,
    runId: null,
    actor: actorId === null || actor === null ? null : { id: actorId, name: actor },
    pastHalt: null,
  });
}
