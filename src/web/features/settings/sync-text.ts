import type { ConnectionList, LastSync } from '#contract/connections.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type SendPauseReason, sendPauseText } from '#domain/send-pause.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import { countOf, formatCount } from '#web/lib/format.ts';

/** Labels of the kinds. */
export const SYNC_KIND_LABELS: Readonly<Record<SyncKind, string>> = {
  listings: 'Listings',
  offers: 'Competitor offers',
  sales: 'Sales',
  figures: 'Reviews and rank',
  fees: 'Fees',
  money: 'Money',
  featured_prices: 'Featured offer prices',
};

/** Labels of the event subscriptions. */
export const SUBSCRIPTION_LABELS: Readonly<Partial<Record<Marketplace, string>>> = {
  amazon: 'Offer change notifications',
  shopify: 'Order and product notifications',
  walmart: 'Order, offer and buy box notifications',
};

/** Labels of the counts besides the total; zeros are omitted. */
const COUNT_TEXT: Readonly<Record<string, (count: string) => string>> = {
  added: (count) => `${count} new`,
  changed: (count) => `${count} with new details`,
  leftOut: (count) => `${count} not for sale or without a price`,
  withoutShipper: (count) => `${count} skipped: fulfillment type unknown (import them from a file)`,
  passedOver: (count) => `${count} passed over`,
  withoutPrice: (count) => `${count} without a price in whole cents`,
  leftDeleted: (count) => `${count} deleted here`,
  gone: (count) => `${count} no longer found`,
  foundAgain: (count) => `${count} found again`,
  neverFound: (count) => `${count} of your listings never found`,
  recorded: (count) => `${count} recorded`,
  cancelled: (count) => `${count} canceled`,
  told: (count) => `${count} answered`,
  filled: (count) => `${count} filled in`,
  refused: (count) => `${count} with fees that cannot be right`,
  refusedAmounts: (count) => `${count} with an amount that cannot be right`,
  unread: (count) => `${count} without a response`,
  waiting: (count) => `${count} remaining for the next sync`,
};

/** "598 taken, 3 new, 2 passed over, 1 price changed on the marketplace": the result of a successful sync. */
export function syncCountText({ counts }: Pick<LastSync, 'counts'>): string {
  const { read, adopted = 0, ...others } = counts;
  return [
    ...(read === undefined ? [] : [`${formatCount(read - (others.passedOver ?? 0))} taken`]),
    ...Object.entries(COUNT_TEXT).flatMap(([name, say]) => {
      const count = others[name] ?? 0;
      return count === 0 ? [] : [say(formatCount(count))];
    }),
    ...(adopted === 0 ? [] : [`${countOf(adopted, 'price', 'prices')} changed on the marketplace`]),
  ].join(', ');
}

type SendPauses = ConnectionList['marketplaces'][number]['sendPauses'][number];

/** Why these listings wait: "eBay takes no more changes of E-1 today (250)." */
export function sendPausesText(marketplace: Marketplace, { why, listings, sku }: SendPauses): string {
  if (sku !== null) return sendPauseText(why, { marketplace, sku });
  return PAUSE_TEXT[why](MARKETPLACE_NAMES[marketplace], formatCount(listings));
}

const PAUSE_TEXT: Readonly<Record<SendPauseReason, (name: string, count: string) => string>> = {
  daily_limit: (name, count) => `${name} takes no more calls today; ${count} listings wait.`,
  revision_limit: (name, count) => `${name} takes no more changes of ${count} listings today.`,
  too_new: (name, count) => `${name} is still setting up ${count} listings.`,
  unclear: (name, count) => `${name} did not accept the prices of ${count} listings; they are tried again.`,
};
