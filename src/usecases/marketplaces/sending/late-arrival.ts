import type { Db } from '#db/client.ts';
import type { CurrentPrice } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import { readNewestPrice, replacedObserved } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import { readRecentPrices } from '#db/queries/marketplaces/sync/recent-prices.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { ownRecentPrices } from '#domain/readings/own-recent-prices.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { checkLimits, holdAfterPrices, manualMoves } from '#usecases/repricing/prices/manual-price.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { isHeld } from './hold-externally-priced.ts';

/**
 * Sets a price again that was changed on the marketplace and that a price of ours replaced: ours was sent before, as in a feed,
 * and arrived after the change had been adopted. Once, and only on hold: without one the engine decides the listing anew. Where
 * the changed price is not allowed, ours stays, and the hold says what it replaced. Not for a price group, whose prices are
 * written by single calls.
 * @param before the listing before our price arrived, which was just confirmed
 */
export async function restoreExternalEdit(
  tx: Db,
  marketplace: Marketplace,
  before: CurrentPrice,
  arrived: Cents,
  now: Instant,
): Promise<void> {
  const edited = before.currentPrice;
  if (before.groupKey !== null || edited === arrived || !isHeld(before, now)) return;
  if (!(await replacedObserved(tx, before.id, edited))) return;
  // A former price of ours that the marketplace went back to is no edit.
  const recent = (await readRecentPrices(tx, [before.id], now)).get(before.id);
  if (recent !== undefined && ownRecentPrices(recent, now).has(edited)) return;
  const [listing] = await loadPricingInputs(tx, await loadPricingContext(tx, now), [before.id]);
  if (listing?.isConnected !== true) return;
  const where = MARKETPLACE_NAMES[marketplace];
  const { floor } = checkLimits(listing, edited);
  if (floor === null) {
    const reason = `Your price of ${moneyText(edited)} on ${where} was replaced by ${moneyText(arrived)}, sent before it`;
    return holdAfterPrices(tx, [before], reason, ENGINE, now);
  }
  const reason = `Set again: an earlier price, ${moneyText(arrived)}, reached ${where} after your change there.`;
  await applyDecidedPrices(tx, manualMoves(listing, edited, floor, reason), {
    source: 'undo',
    at: now,
    runId: null,
    actor: null,
    pastHalt: null,
  });
}

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
  const reason = `Sent again: an earlier price, ${moneyText(arrived)}, reached ${MARKETPLACE_NAMES[marketplace]} after this one.`;
  await applyDecidedPrices(tx, manualMoves(listing, price, floor, reason), {
    source,
    at: now,
    runId: null,
    actor: actorId === null || actor === null ? null : { id: actorId, name: actor },
    pastHalt: null,
  });
}
