import type { Cents, Instant } from '#domain/units.ts';
import type { MarketItem, MutableItem, ShownOffer } from './item.ts';
import type { LineFees } from './truth/fee-truth.ts';
import type { BuyerPlace } from './truth/sales-tax.ts';

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
  /** Sales tax, which the marketplace collects and remits. */
  readonly tax: Cents;
  readonly fees: LineFees;
}

/** An order of a simulated shopper. Adapters derive their own order numbers from `number`. */
export interface Order {
  /** Counts up per marketplace, from `WorldPlan.firstOrder`. */
  readonly number: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly status: 'open' | 'shipped' | 'cancelled';
  readonly place: BuyerPlace;
  readonly lines: readonly OrderLine[];
}

export type MutableOrder = { -readonly [K in keyof Order]: Order[K] };

/** The order line for that quantity of an item. */
export function lineOf(
  item: MutableItem,
  own: Pick<OrderLine, 'number' | 'quantity' | 'unitPrice' | 'shipping' | 'tax' | 'fees'>,
): OrderLine {
  const { sku, itemId, title, keys, fulfillmentType } = item;
  return { sku, itemId, title, keys, fulfillmentType, ...own };
}

/** A shopper's choice. */
export interface Choice {
  /** The featured offer at that time. */
  readonly featured: ShownOffer | null;
  /** Null if the shopper bought nothing. */
  readonly bought: ShownOffer | null;
}
