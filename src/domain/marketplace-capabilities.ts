import { MARKETPLACES, type Marketplace } from './marketplaces.ts';

/** Performance metrics that a marketplace provides. */
export const FIGURES = ['reviews', 'rank', 'buy_box'] as const;

/** What a marketplace's API offers. Fixed, not configurable. */
export interface Capabilities {
  /**
   * How competitors are found. `offers`: every offer for the item. `buy_box`: the featured offer, and what the marketplace
   * reports about others. `search`: similar items, which may be other products. `none`: not at all.
   */
  readonly rivals: 'offers' | 'buy_box' | 'search' | 'none';
  /** Whether buyers see a price as soon as it is accepted, or later. */
  readonly live: 'at_once' | 'later';
  readonly figures: readonly (typeof FIGURES)[number][];
  /** When the marketplace reports its fees: before a sale, after it, or never. */
  readonly fees: 'before_sale' | 'after_sale' | 'none';
}

export const CAPABILITIES: Readonly<Record<Marketplace, Capabilities>> = {
  walmart: { rivals: 'buy_box', live: 'later', figures: ['reviews', 'rank', 'buy_box'], fees: 'after_sale' },
  amazon: { rivals: 'offers', live: 'later', figures: ['rank', 'buy_box'], fees: 'before_sale' },
  michaels: { rivals: 'none', live: 'later', figures: [], fees: 'none' },
  ebay: { rivals: 'search', live: 'later', figures: ['reviews'], fees: 'after_sale' },
  etsy: { rivals: 'none', live: 'at_once', figures: ['reviews'], fees: 'after_sale' },
  shopify: { rivals: 'none', live: 'at_once', figures: [], fees: 'none' },
};

/** Marketplaces without competitor offers: these come only from imports or from other channels of the same SKU. */
export const WITHOUT_COMPETITOR_OFFERS: readonly Marketplace[] = MARKETPLACES.filter(
  (marketplace) => CAPABILITIES[marketplace].rivals === 'none',
);
