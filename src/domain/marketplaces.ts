/** The six channels, in the order every screen and file uses. */
export const MARKETPLACES = ['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'] as const;
export type Marketplace = (typeof MARKETPLACES)[number];

export const MARKETPLACE_NAMES = {
  walmart: 'Walmart',
  amazon: 'Amazon',
  michaels: 'Michaels',
  ebay: 'eBay',
  etsy: 'Etsy',
  shopify: 'Shopify',
} as const satisfies Record<Marketplace, string>;

/** Who ships: the marketplace's warehouse (FBA on Amazon, WFS on Walmart) or the merchant. */
export const FULFILLMENT_TYPES = ['FBA/WFS', 'FBM'] as const;
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number];
