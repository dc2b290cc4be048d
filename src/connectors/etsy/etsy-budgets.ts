/** Etsy allows ten calls per second for one application, of any kind: we use eight, divided by purpose. */
export const ETSY_BUDGETS = {
  token: { perSecond: 0.5, burst: 2 },
  shop: { perSecond: 0.5, burst: 2 },
  listings: { perSecond: 0.75, burst: 3 },
  /** Inventories that are only read, as after a price whose answer was lost. */
  items: { perSecond: 1, burst: 3 },
  /** Inventories before and after a write. */
  inventory: { perSecond: 3, burst: 4 },
  receipts: { perSecond: 0.5, burst: 2 },
  /** Receipts around a write, for its stock. */
  stock: { perSecond: 1, burst: 3 },
  ledger: { perSecond: 0.5, burst: 2 },
  reviews: { perSecond: 0.25, burst: 2 },
};
