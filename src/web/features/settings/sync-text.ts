import type { LastSync } from '#contract/connections.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import { countOf, formatCount } from '#web/lib/format.ts';

/** What people call each kind. */
export const READ_NAMES: Readonly<Record<SyncKind, string>> = {
  listings: 'Listings',
  offers: 'Offers of others',
  sales: 'Sales',
  figures: 'Reviews and rank',
  fees: 'Fees',
};

/** What people call that which a marketplace sends by itself. */
export const INFLOW_NAMES: Readonly<Partial<Record<Marketplace, string>>> = {
  amazon: 'Messages about changed offers',
  shopify: 'Events of orders and products',
  walmart: 'Events of orders, offers and the buy box',
};

/** What each count means, beside how many were read; nothing is said of those that are 0. */
const COUNT_WORDS: Readonly<Record<string, (count: string) => string>> = {
  added: (count) => `${count} new`,
  changed: (count) => `${count} with new details`,
  leftOut: (count) => `${count} not for sale or without a price`,
  withoutShipper: (count) =>
    `${count} left out because it does not say who ships them (add them from a file)`,
  passedOver: (count) => `${count} that cannot be repriced`,
  leftDeleted: (count) => `${count} deleted here`,
  gone: (count) => `${count} no longer found there`,
  foundAgain: (count) => `${count} found there again`,
  neverFound: (count) => `${count} of yours never found there`,
  recorded: (count) => `${count} recorded`,
  cancelled: (count) => `${count} cancelled`,
  filled: (count) => `${count} filled in`,
  unread: (count) => `${count} without an answer`,
  waiting: (count) => `${count} left for the next time`,
};

/** "600 read, 3 new, 1 price changed there": what came of a reading that succeeded. */
export function readCountWords({ counts }: Pick<LastSync, 'counts'>): string {
  const { read, adopted = 0, ...others } = counts;
  return [
    ...(read === undefined ? [] : [`${formatCount(read)} read`]),
    ...Object.entries(COUNT_WORDS).flatMap(([name, say]) => {
      const count = others[name] ?? 0;
      return count === 0 ? [] : [say(formatCount(count))];
    }),
    ...(adopted === 0 ? [] : [`${countOf(adopted, 'price', 'prices')} changed there`]),
  ].join(', ');
}
