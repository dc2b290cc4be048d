import type { ConnectionCheck } from '#contract/connections.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';

const DAY = 86_400_000;
/** Number of days before the end from which a renewal is suggested. */
const WARNED_DAYS = 30;

/** What the seller grants, and has to renew when it ends. */
const GIVEN: Readonly<Partial<Record<Marketplace, string>>> = {
  ebay: 'authorization',
  etsy: 'authorization',
};

/**
 * "The eBay consent ends in 12 days: renew it."; null while that is far off or unknown.
 * @param now epoch milliseconds
 */
export function endWarning(
  marketplace: Marketplace,
  endsAt: ConnectionCheck['endsAt'],
  now: number,
): string | null {
  if (endsAt === null) return null;
  const left = Math.floor((Date.parse(endsAt) - now) / DAY);
  if (left > WARNED_DAYS) return null;
  const what = `The ${MARKETPLACE_NAMES[marketplace]} ${GIVEN[marketplace] ?? 'key'}`;
  if (left < 0) return `${what} has expired. Renew it.`;
  return left === 0
    ? `${what} expires today. Renew it.`
    : `${what} expires in ${countOf(left, 'day', 'days')}. Renew it.`;
}

/** "Mug Shop", or the marketplace if it returns no store name. */
export function storeText(marketplace: Marketplace, { shopName }: ConnectionCheck): string {
  return shopName ?? MARKETPLACE_NAMES[marketplace];
}
