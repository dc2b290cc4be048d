import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { EbayForm } from './ebay-form.ts';
import type { Habit } from './item.ts';
import type { QuirkPlan } from './quirks.ts';
import type { Terms } from './terms.ts';
import type { FeePlan } from './truth/fee-truth.ts';
import type { Variation } from './variation.ts';

/** A competitor at the start of a world; missing values are generated from the seed. */
export interface CompetitorPlan {
  readonly name: string;
  readonly habit: Habit;
  readonly price: Cents;
  readonly sellerId?: string;
  readonly shippingCharge?: Cents;
  readonly fulfillmentType?: FulfillmentType;
  readonly isInStock?: boolean;
  readonly lowest?: Cents;
  /** Share of good ratings. */
  readonly rating?: Bps;
}

/** A listing at the start of a world; missing values are generated from the seed. */
export interface ItemPlan {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  readonly price: Cents;
  readonly fulfillmentType: FulfillmentType;
  readonly itemId?: string;
  readonly keys?: Readonly<Record<string, string>>;
  readonly imageUrl?: string | null;
  readonly brand?: string;
  readonly category?: string;
  readonly shippingCharge?: Cents;
  readonly quantity?: number;
  readonly isActive?: boolean;
  readonly handlingDays?: number;
  readonly weightOunces?: number;
  readonly competitors?: readonly CompetitorPlan[];
  /** What the seller arranged besides the price; nothing by default. */
  readonly terms?: Partial<Terms>;
  /** How it was made at eBay; a fixed-price listing with a label by default. */
  readonly ebay?: Partial<EbayForm>;
  /** How it differs from the other items with its ID. */
  readonly variation?: Variation;
  /** When it was listed; at the start of the world, or when it is added, by default. */
  readonly createdAt?: Instant;
  /** Average page views per day; 0 for no shoppers. */
  readonly viewsPerDay?: number;
}

/** A product in the warehouse, as the inventory program (Veeqo) knows it. */
export interface StockPlan {
  readonly sku: string;
  readonly name: string;
  /** Null if not entered. */
  readonly cost: Cents | null;
  readonly weightOunces: number | null;
  readonly isKit?: boolean;
}

/** The initial state of a world. */
export interface WorldPlan {
  readonly seed: string;
  readonly startsAt: Instant;
  readonly items: readonly ItemPlan[];
  readonly stock: readonly StockPlan[];
  /** Speeds up competitors' reactions and the delay of accepted prices; 1 by default. */
  readonly pace?: number;
  /** The number of the first order; 1 by default. */
  readonly firstOrder?: number;
  readonly fees?: FeePlan;
  /** How marketplaces misbehave; not at all by default. */
  readonly quirks?: Readonly<Partial<Record<Marketplace, QuirkPlan>>>;
}
