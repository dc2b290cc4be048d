import type { ConnectionList, LastSync, PriceReadings } from '#contract/connections.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type SendPauseReason, sendPauseText } from '#domain/sending/send-pause.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { READING_SOURCE_LABELS } from '#web/lib/reading-source-labels.ts';

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
  stale: (count) => `${count} with a former price, not adopted`,
  leftOut: (count) => `${count} not for sale or without a price`,
  withoutShipper: (count) => `${count} skipped: fulfillment type unknown (import them from a file)`,
  passedOver: (count) => `${count} skipped`,
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

/** "598 taken, 3 new, 2 skipped, 1 other price is being checked": the result of a successful sync. */
export function syncCountText({ counts }: Pick<LastSync, 'counts'>): string {
  const { read, suspects = 0, ...others } = counts;
  return [
    ...(read === undefined ? [] : [`${formatCount(read - (others.passedOver ?? 0))} taken`]),
    ...Object.entries(COUNT_TEXT).flatMap(([name, say]) => {
      const count = others[name] ?? 0;
      return count === 0 ? [] : [say(formatCount(count))];
    }),
    ...(suspects === 0 ? [] : [`${countOf(suspects, 'other price is', 'other prices are')} being checked`]),
  ].join(', ');
}

type SendPauses = ConnectionList['marketplaces'][number]['sendPauses'][number];

/** Why these listings wait: "eBay has reached its daily limit of price changes for E-1 (250)." */
export function sendPausesText(marketplace: Marketplace, { why, listings, sku }: SendPauses): string {
  if (sku !== null) return sendPauseText(why, { marketplace, sku });
  return PAUSE_TEXT[why](MARKETPLACE_NAMES[marketplace], formatCount(listings));
}

const PAUSE_TEXT: Readonly<Record<SendPauseReason, (name: string, count: string) => string>> = {
  daily_limit: (name, count) => `${name} has reached its daily call limit; ${count} listings are waiting.`,
  revision_limit: (name, count) =>
    `${name} has reached its daily limit of price changes for ${count} listings.`,
  too_new: (name, count) => `${name} is still setting up ${count} listings.`,
  unclear: (name, count) =>
    `${name} did not accept the prices of ${count} listings. Pricewright retries automatically.`,
  not_told: (name, count) =>
    `${name} does not say whether a sale or another repricer sets the prices of ${count} listings.`,
  business_price: (name, count) =>
    `Business or quantity prices of ${count} listings on ${name} are too low and cannot follow a lower price.`,
  not_found: (name, count) =>
    `${name} did not find ${count} listings. Pricewright asks again before they count as removed.`,
};
/** What a reading with many other prices turned out to be. */
const READING_CHECK_TEXT: Readonly<
  Record<NonNullable<PriceReadings['check']>['outcome'], (where: string, other: string) => string>
> = {
  checking: (where, other) =>
    `${where} shows other prices for ${other}. Some of them are being checked first.`,
  behind: (where) => `${where} is out of date and was ignored. Your prices stay in force.`,
  changed: (where, other) => `${where} shows other prices for ${other}. They are being checked one by one.`,
};

/** "Walmart's list is out of date": what a reading with many other prices means; null for none. */
export function readingCheckText(marketplace: Marketplace, check: PriceReadings['check']): string | null {
  if (check === null) return null;
  const { outcome, source, suspects, compared } = check;
  const where = `${MARKETPLACE_NAMES[marketplace]}'s ${READING_SOURCE_LABELS[source]}`;
  const other = `${formatCount(suspects)} of ${countOf(compared, 'listing', 'listings')}`;
  return READING_CHECK_TEXT[outcome](where, other);
}

const MINUTES_A_DAY = 1_440;

/** "list up to 10 min": how late a marketplace shows changed prices, by source; empty where it was never late. */
export function readingLagText({ lags }: Pick<PriceReadings, 'lags'>): string {
  return lags
    .map(({ source, minutes }) => {
      const time = minutes >= MINUTES_A_DAY ? 'a day or more' : `up to ${minutes} min`;
      return `${READING_SOURCE_LABELS[source]} ${time}`;
    })
    .join(', ');
}
