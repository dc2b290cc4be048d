import { MARKETPLACES, type Marketplace } from './marketplaces.ts';

/** Figures that a marketplace gives about how a listing does. */
export const FIGURES = ['reviews', 'rank', 'buy_box'] as const;

/** What a marketplace lets a seller's program read and do. The same for every shop; nobody sets it. */
export interface Capabilities {
  /**
   * How rivals are found. `offers`: every offer for the item. `buy_box`: the one in the buy box, and what the marketplace
   * says of others. `search`: similar items, which may be other goods. `none`: it shows none.
   */
  readonly rivals: 'offers' | 'buy_box' | 'search' | 'none';
  /** Whether buyers see a sent price at once, or some time after it was taken. */
  readonly live: 'at_once' | 'later';
  readonly figures: readonly (typeof FIGURES)[number][];
  /** When its fees are known: before a sale, with the sale, or never from there. */
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

/** Marketplaces that show no rival's offer: only a file, or another channel of the same SKU, tells of any. */
export const WITHOUT_COMPETITOR_OFFERS: readonly Marketplace[] = MARKETPLACES.filter(
  (marketplace) => CAPABILITIES[marketplace].rivals === 'none',
);
