import type { Cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';

export function gid(kind: string, id: string | number): string {
  return `gid://shopify/${kind}/${id}`;
}

/** ISO 8601 without milliseconds. */
export function isoTime(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

export function orderGid({ number }: Order): string {
  return gid('Order', 5_000_000_000_000 + number);
}

export function lineIdOf(order: Order, { number }: OrderLine): string {
  return gid('LineItem', 13_000_000_000_000 + order.number * 10 + number);
}

/** Shopify drops trailing zeros of an amount: "19.9". */
export function moneyBag(amount: Cents) {
  const money = { amount: dollarText(amount).replace(/0$/, ''), currencyCode: 'USD' };
  return { shopMoney: money, presentmentMoney: money };
}
