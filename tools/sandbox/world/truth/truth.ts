import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { BoxState } from '#sandbox/world/box-snapshots.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { PriceChange, PriceStore } from './price-history.ts';

/** One purchase, from us or from a competitor. */
export interface Sale {
  readonly at: Instant;
  readonly sku: string;
  /** Null for ours. */
  readonly seller: string | null;
  readonly quantity: number;
  readonly price: Cents;
  readonly shippingCharge: Cents;
}

/** What really happened, for tests to compare with: never what the product recorded. */
export interface Truth {
  /** The states of a listing's price that buyers saw, oldest first. */
  prices(marketplace: Marketplace, sku: string): readonly PriceChange[];
  /** What buyers saw then; null before the listing existed. */
  priceAt(marketplace: Marketplace, sku: string, moment: Instant): Cents | null;
  /** The usual price of ours that a store showed then; null before the listing existed. */
  shownAt(marketplace: Marketplace, sku: string, store: PriceStore, moment: Instant): Cents | null;
  /** The states of a listing's buy box and when each was shown; only while the box is late. */
  boxes(marketplace: Marketplace, sku: string): readonly BoxState[];
  /** In order of time. */
  sales(marketplace: Marketplace): readonly Sale[];
}

/** The truth about the marketplaces of a world. */
export function truthOf(market: (marketplace: Marketplace) => Market): Truth {
  return {
    prices: (marketplace, sku) => market(marketplace).prices.of(sku),
    priceAt: (marketplace, sku, moment) => market(marketplace).prices.at(sku, moment),
    shownAt: (marketplace, sku, store, moment) =>
      market(marketplace).prices.shown(sku, store, moment)?.price ?? null,
    boxes: (marketplace, sku) => market(marketplace).boxStates(sku),
    sales: (marketplace) => market(marketplace).sales,
  };
}
