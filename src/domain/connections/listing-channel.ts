/**
 * How one listing is read and priced, where a marketplace has several ways: `inventory` through eBay's Inventory API,
 * `trading` through its Trading API, `read_only` not at all (an auction, another currency).
 */
export const LISTING_CHANNELS = ['inventory', 'trading', 'read_only'] as const;
export type ListingChannel = (typeof LISTING_CHANNELS)[number];

/** The heading of a column of {@link LISTING_CHANNEL_LABELS}. */
export const LISTING_CHANNEL_HEADING = 'Priced through';

/** Words for a listing's channel, as the panel and files show them. */
export const LISTING_CHANNEL_LABELS: Readonly<Record<ListingChannel, string>> = {
  inventory: 'Inventory API',
  trading: 'Trading API',
  read_only: 'Read only',
};
