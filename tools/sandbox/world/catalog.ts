import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';
import type { Habit } from './item.ts';

/** A rival to begin with; what is left out is made up by the seed. */
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

/** A listing to begin with; what is left out is made up by the seed. */
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
  readonly rivals?: readonly CompetitorPlan[];
  /** Page views in a day on average; 0 and nobody ever comes. */
  readonly viewsPerDay?: number;
}

/** A product in the warehouse, as the inventory program (Veeqo) knows it. */
export interface StockPlan {
  readonly sku: string;
  readonly name: string;
  /** Null where nobody entered it. */
  readonly cost: Cents | null;
  readonly weightOunces: number | null;
  readonly isKit?: boolean;
}

/** What a world begins with. */
export interface WorldPlan {
  readonly seed: string;
  readonly startsAt: Instant;
  readonly items: readonly ItemPlan[];
  readonly stock: readonly StockPlan[];
  /** How many times sooner than usual rivals look again and accepted prices become live; 1 unless it says otherwise. */
  readonly pace?: number;
  /** Orders are numbered from here on; 1 unless it says otherwise. */
  readonly firstOrder?: number;
}
