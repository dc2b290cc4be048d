import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Store } from '#sandbox/world/price-lag.ts';

/** Items that are variations of one listing: they share its ID. */
export interface ListingGroup {
  readonly listingId: number;
  readonly items: readonly [MarketItem, ...MarketItem[]];
}

/** In the order of the first item of each. @param store whose prices are shown; the real ones by default */
export function listingsIn(market: Market, store?: Store): ListingGroup[] {
  const groups = new Map<string, [MarketItem, ...MarketItem[]]>();
  for (const item of store === undefined ? market.items() : market.itemsIn(store)) {
    const group = groups.get(item.itemId);
    if (group === undefined) groups.set(item.itemId, [item]);
    else group.push(item);
  }
  return [...groups].map(([itemId, items]) => ({ listingId: Number(itemId), items }));
}

/** Null without such a listing. */
export function listingIn(market: Market, listingId: string, store?: Store): ListingGroup | null {
  return listingsIn(market, store).find((group) => String(group.listingId) === listingId) ?? null;
}

export type ListingState = 'active' | 'inactive' | 'sold_out';

export function stateOf({ items }: ListingGroup): ListingState {
  if (!items.some(({ isActive }) => isActive)) return 'inactive';
  return items.some(({ isActive, quantity }) => isActive && quantity > 0) ? 'active' : 'sold_out';
}
