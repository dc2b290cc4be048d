/** The columns of the list of listings that a file can have too, in the order as delivered. */
export const LISTING_LIST_COLUMNS = [
  'marketplace',
  'sku',
  'product',
  'price',
  'amazonWalmart',
  'thirdPartyFbaWfs',
  'thirdPartyFbm',
  'totalCost',
  'margin',
  'fulfillment',
  'autoReprice',
  'brand',
  'supplier',
  'tags',
] as const;
export type ListingListColumn = (typeof LISTING_LIST_COLUMNS)[number];
