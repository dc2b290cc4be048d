import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { Habit } from './item.ts';
import type { FeePlan } from './truth/fee-truth.ts';

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
}
