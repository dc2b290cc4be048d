import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';

/** Items that are variations of one listing: they share its ID. */
export interface ListingGroup {
  readonly listingId: number;
  readonly items: readonly [MarketItem, ...MarketItem[]];
}

/** In the order of the first item of each. */
export function listingsIn(market: Market): ListingGroup[] {
  const groups = new Map<string, [MarketItem, ...MarketItem[]]>();
  for (const item of market.items()) {
    const group = groups.get(item.itemId);
    if (group === undefined) groups.set(item.itemId, [item]);
    else group.push(item);
  }
  return [...groups].map(([itemId, items]) => ({ listingId: Number(itemId), items }));
}

/** Null without such a listing. */
export function listingIn(market: Market, listingId: string): ListingGroup | null {
  return listingsIn(market).find((group) => String(group.listingId) === listingId) ?? null;
}

export type ListingState = 'active' | 'inactive' | 'sold_out';

export function stateOf({ items }: ListingGroup): ListingState {
  if (!items.some(({ isActive }) => isActive)) return 'inactive';
  return items.some(({ isActive, quantity }) => isActive && quantity > 0) ? 'active' : 'sold_out';
}
