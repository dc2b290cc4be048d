import type { Cents, Instant } from '#domain/units.ts';
import type { MarketItem, MutableItem, ShownOffer } from './item.ts';

export interface OrderLine {
  /** 1, 2, ... within the order. */
  readonly number: number;
  readonly sku: string;
  readonly itemId: string;
  readonly title: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly fulfillmentType: MarketItem['fulfillmentType'];
  readonly quantity: number;
  readonly unitPrice: Cents;
  /** For the whole line. */
  readonly shipping: Cents;
  /** The marketplace's fees for the line. */
  readonly fees: Cents;
}

/** An order of a simulated shopper. Adapters derive their own order numbers from `number`. */
export interface Order {
  /** Counts up per marketplace, from `WorldPlan.firstOrder`. */
  readonly number: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly status: 'open' | 'shipped' | 'cancelled';
  readonly lines: readonly OrderLine[];
}

export type MutableOrder = { -readonly [K in keyof Order]: Order[K] };

/** The order line for that quantity of an item. */
export function lineOf(item: MutableItem, quantity: number, number: number, fees: Cents): OrderLine {
  return {
    number,
    sku: item.sku,
    itemId: item.itemId,
    title: item.title,
    keys: item.keys,
    fulfillmentType: item.fulfillmentType,
    quantity,
    unitPrice: item.price,
    shipping: item.shippingCharge,
    fees,
  };
}

/** A shopper's choice. */
export interface Choice {
  /** The featured offer at that time. */
  readonly featured: ShownOffer | null;
  /** Null if the shopper bought nothing. */
  readonly bought: ShownOffer | null;
}
