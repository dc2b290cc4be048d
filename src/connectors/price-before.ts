import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { PriceOrder, SendOutcome } from './connector.ts';

/**
 * Whether the price that a marketplace shows right before a new one is sent stops it: it was changed there, and
 * the new one was decided without knowing that.
 * @param name the marketplace in messages
 * @param readAt by our clock, before the price was requested
 * @param source a list may be late: its listing's item is read before the price counts as changed, and urgent prices, which
 *   pass a price in doubt, do not wait for that
 */
export function stoppedByPrice(
  name: string,
  order: PriceOrder,
  shown: Cents,
  readAt: Instant,
  source: 'item' | 'list' = 'item',
): SendOutcome | null {
  const { price, currentPrice, ownPrices, ignoredPrices = [], isUrgent } = order;
  if ([price, currentPrice, ...ownPrices].includes(shown)) return null;
  if (source === 'list' && (isUrgent || ignoredPrices.includes(shown))) return null;
  const { listingId } = order.ref;
  const message = `${name} shows ${moneyText(shown)} instead of ${moneyText(currentPrice)}: the price was changed there.`;
  return {
    listingId,
    kind: 'stopped',
    message,
    found: { kind: 'other_price', price: shown, readAt, source },
  };
}
