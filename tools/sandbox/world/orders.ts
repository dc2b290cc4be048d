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
  /** What the marketplace keeps of the line. */
  readonly fees: Cents;
}

/** An order of a simulated shopper. The faces make their own kind of number out of `number`. */
export interface Order {
  /** Counts up within the marketplace, from 1 unless the plan says otherwise. */
  readonly number: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly status: 'open' | 'shipped' | 'cancelled';
  readonly lines: readonly OrderLine[];
}

export type MutableOrder = { -readonly [K in keyof Order]: Order[K] };

/** The line of somebody who takes so many. */
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

/** What the shopper chose among, and what it was. */
export interface Choice {
  /** The offer in the buy box at that moment. */
  readonly featured: ShownOffer | null;
  /** Null: went away. */
  readonly bought: ShownOffer | null;
}
