/** The columns of the listings page that an export can contain, in default order. */
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
  'marginFloor',
  'profit',
  'fee',
  'units30',
  'profit30',
  'fulfillment',
  'channel',
  'autoReprice',
  'rule',
  'brand',
  'supplier',
  'tags',
] as const;
export type ListingListColumn = (typeof LISTING_LIST_COLUMNS)[number];

/** Columns of the listings page that are hidden while none of its listings has a value. */
export const SPARSE_COLUMNS = ['amazonWalmart', 'thirdPartyFbaWfs', 'thirdPartyFbm', 'totalCost'] as const;
export type SparseColumn = (typeof SPARSE_COLUMNS)[number];
