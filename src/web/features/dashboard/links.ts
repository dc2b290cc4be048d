import type { AttentionKind } from '#contract/attention.ts';
import type { MarginFilter } from '#domain/costs/margin-bands.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Period } from '#web/lib/periods.ts';
import type { ScreenLink } from '#web/ui/screen-link.ts';

/*
 * Links from the figures of the Dashboard to the filtered lists whose totals they are.
 */

/** The cards over the whole catalog. */
export const METRIC_LINKS = {
  totalListings: { to: '/listings' },
  totalSkus: { to: '/skus' },
  // The same listings, sorted by value.
  totalValue: { to: '/listings', search: { sort: '-currentPrice' } },
  activeRules: { to: '/rules', search: { tab: 'active' } },
  recentPriceChanges: { to: '/history', search: { source: 'ours', days: '1' } },
} as const satisfies Record<string, ScreenLink>;

/** The figures of one marketplace's card. */
export function marketplaceLinks(marketplace: Marketplace) {
  return {
    totalListings: { to: '/listings', search: { marketplace } },
    activeListings: { to: '/listings', search: { marketplace, state: 'on' } },
    totalValue: { to: '/listings', search: { marketplace, sort: '-currentPrice' } },
    avgPrice: { to: '/listings', search: { marketplace, sort: 'currentPrice' } },
  } as const satisfies Record<string, ScreenLink>;
}

export function fulfillmentLink(marketplace: Marketplace, fulfillment: FulfillmentType): ScreenLink {
  return { to: '/listings', search: { marketplace, fulfillment } };
}

/** Listings whose buy box another seller has. */
export const NO_BUY_BOX_LINK: ScreenLink = { to: '/listings', search: { state: 'buy_box_lost' } };

/** The price changes of a period. */
export function changesLink({ from, to }: Period): ScreenLink {
  return { to: '/history', search: { source: 'ours', from, to } };
}

/** The price changes of one day of the chart. @param day as "2026-11-21" */
export function dayLink(day: string): ScreenLink {
  return { to: '/history', search: { source: 'ours', from: day, to: day } };
}

/** The price changes of one day by repricing. @param day as "2026-11-21" */
export function repricedOfDayLink(day: string): ScreenLink {
  return { to: '/history', search: { source: 'repricing', from: day, to: day } };
}

/** What needs attention. */
export const ATTENTION_LINKS = {
  below_floor: { to: '/listings', search: { state: 'below_floor' } },
  held_back: { to: '/listings', search: { state: 'held_back' } },
  price_war: { to: '/listings', search: { state: 'price_war' } },
  upload_late: { to: '/listings', search: { state: 'upload_late' } },
  buy_box_lost: { to: '/listings', search: { state: 'buy_box_lost' } },
  failed_jobs: { to: '/jobs', search: { state: 'failed' } },
} as const satisfies Record<AttentionKind, ScreenLink>;

/** Recommended prices; of one marketplace, or all of them. */
export function waitingLink(marketplace?: Marketplace): ScreenLink {
  return {
    to: '/listings',
    search: { state: 'recommended', ...(marketplace === undefined ? {} : { marketplace }) },
  };
}

/** One bar of the margin chart. */
export function marginLink(margin: MarginFilter): ScreenLink {
  return { to: '/listings', search: { margin } };
}
