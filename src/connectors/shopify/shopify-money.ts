import type { Account } from '#connectors/connector.ts';
import type { Span } from '#connectors/newest-first.ts';
import type { MoneyEvent, MoneyPage, RefusedMoney } from '#domain/money/money-event.ts';
import { moneyOfOrder } from './order-money.ts';
import { PaidOrder, PaymentsPage } from './payment-responses.ts';
import { readPayouts } from './payout-money.ts';
import { withRefundLines } from './refund-line-pages.ts';
import { NAME, type ShopifyCalls } from './shopify-calls.ts';
import { pagesOf } from './shopify-pages.ts';
import { ORDER_PAYMENTS } from './shopify-queries.ts';

const ORDERS_A_PAGE = 10;

/**
 * What buyers paid and got back, with the fees of Shopify Payments, order by order; then the payouts, where the key may
 * read them. Both tell the same amounts with the same IDs; only payouts tell which of them they contain.
 */
export async function* readMoney(
  calls: ShopifyCalls,
  account: Account,
  window: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const { since, until } = window;
  const changed = `updated_at:>='${new Date(since).toISOString()}' updated_at:<='${new Date(until).toISOString()}'`;
  const pages = pagesOf<unknown>(ORDERS_A_PAGE, async (first, after) => {
    const call = { operation: 'payments', query: ORDER_PAYMENTS, variables: { first, after, changed } };
    return (await calls.ask(account, call, PaymentsPage, 'list of payments', signal)).data.orders;
  });
  for await (const orders of pages) {
    const events: MoneyEvent[] = [];
    const refused: RefusedMoney[] = [];
    for (const one of orders) {
      const order = PaidOrder.safeParse(one);
      const money = order.success
        ? moneyOfOrder(await withRefundLines(calls, account, order.data, signal), new Map(), calls.now())
        : { events: [], refused: [refusalOf(one)] };
      events.push(...money.events);
      refused.push(...money.refused);
    }
    if (events.length + refused.length > 0) yield { events, refused, settlements: [] };
  }
  yield* readPayouts(calls, account, window, signal);
}

function refusalOf(order: unknown): RefusedMoney {
  const { id } = Object(order) as Record<string, unknown>;
  return typeof id === 'string' && id !== ''
    ? { where: id.slice(0, 200), why: 'unreadable' }
    : { where: `${NAME} order`, why: 'no_id' };
}
