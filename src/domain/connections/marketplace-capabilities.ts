import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';

/** Performance metrics that a marketplace provides. */
export const FIGURES = ['reviews', 'rank', 'buy_box'] as const;

/** What a marketplace's API offers. Fixed, not configurable. */
export interface Capabilities {
  /**
   * How competitors are found. `offers`: every offer for the item. `buy_box`: the featured offer, and what the marketplace
   * reports about others. `search`: similar items, which may be other products. `none`: not at all.
   */
  readonly competitors: 'offers' | 'buy_box' | 'search' | 'none';
  /** Whether buyers see a price as soon as it is accepted, or later. */
  readonly publishing: 'immediate' | 'delayed';
  readonly figures: readonly (typeof FIGURES)[number][];
  /** When the marketplace reports its fees: before a sale, after it, or never. */
  readonly fees: 'before_sale' | 'after_sale' | 'none';
  /** Whether it reports what it booked, amount by amount. */
  readonly money: boolean;
  /** Whether it reports what it takes to become the featured offer. */
  readonly featuredPrices: boolean;
  /** Whether sellers may have prices for business buyers there, which can follow the regular price. */
  readonly hasBusinessPrices: boolean;
  /** Whether its authorization ends after a time without use, and each use prolongs and replaces it. */
  readonly lapsesUnused: boolean;
}

export const CAPABILITIES: Readonly<Record<Marketplace, Capabilities>> = {
  walmart: {
    competitors: 'buy_box',
    publishing: 'delayed',
    figures: ['reviews', 'rank', 'buy_box'],
    fees: 'after_sale',
    money: true,
    featuredPrices: false,
    hasBusinessPrices: false,
    lapsesUnused: false,
  },
  amazon: {
    competitors: 'offers',
    publishing: 'delayed',
    figures: ['rank', 'buy_box'],
    fees: 'before_sale',
    money: true,
    featuredPrices: true,
    hasBusinessPrices: true,
    lapsesUnused: false,
  },
  michaels: {
    competitors: 'none',
    publishing: 'delayed',
    figures: [],
    fees: 'none',
    money: false,
    featuredPrices: false,
    hasBusinessPrices: false,
    lapsesUnused: false,
  },
  ebay: {
    competitors: 'search',
    publishing: 'delayed',
    figures: ['reviews'],
    fees: 'after_sale',
    money: true,
    featuredPrices: false,
    hasBusinessPrices: false,
    lapsesUnused: false,
  },
  etsy: {
    competitors: 'none',
    publishing: 'immediate',
    figures: ['reviews'],
    fees: 'after_sale',
    money: true,
    featuredPrices: false,
    hasBusinessPrices: false,
    lapsesUnused: true,
  },
  shopify: {
    competitors: 'none',
    publishing: 'immediate',
    figures: [],
    fees: 'after_sale',
    money: true,
    featuredPrices: false,
    hasBusinessPrices: false,
    lapsesUnused: false,
  },
};

/** Marketplaces without competitor offers: these come only from imports or from other channels of the same SKU. */
export const WITHOUT_COMPETITOR_OFFERS: readonly Marketplace[] = MARKETPLACES.filter(
  (marketplace) => CAPABILITIES[marketplace].competitors === 'none',
);
