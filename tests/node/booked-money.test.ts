import { expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import type { MoneyEvent, ReportedSettlement } from '#domain/money/money-event.ts';
import { type Instant, instant } from '#domain/units.ts';
import { orderIdOf } from '#sandbox/adapters/amazon/orders.ts';
import { orderIdOf as ebayOrderIdOf } from '#sandbox/adapters/ebay/orders.ts';
import { receiptIdOf, transactionIdOf } from '#sandbox/adapters/etsy/receipts.ts';
import { orderGid } from '#sandbox/adapters/shopify/values.ts';
import { purchaseOrderIdOf } from '#sandbox/adapters/walmart/orders.ts';
import { startSandbox } from '#sandbox/server.ts';
import type { Order } from '#sandbox/world/orders.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import type { BookedLine, Books } from '#sandbox/world/truth/books.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const DAY = 86_400_000;
const never = new AbortController().signal;
/** Amazon reports up to two days late. */
const LATE = 3 * DAY;
/** Days until the first reading, back to which the second one reads, and that are settled then. */
const FORTNIGHTLY = { first: 20, again: 5, settled: 42 } as const;
const OFTEN = { first: 10, again: 7, settled: 21 } as const;

const SUBJECTS = {
  // Transactions name no order line: two lines of one SKU are one amount.
  amazon: {
    days: FORTNIGHTLY,
    make: createAmazon,
    keyOfEvent: ({ orderRef, sku }: MoneyEvent) => `${orderRef} ${sku}`,
    keyOfLine: (order: Order, { sku }: BookedLine) => `${orderIdOf(order)} ${sku}`,
  },
  walmart: {
    days: FORTNIGHTLY,
    make: createWalmart,
    keyOfEvent: ({ lineRef }: MoneyEvent) => String(lineRef),
    keyOfLine: (order: Order, { line }: BookedLine) => `${purchaseOrderIdOf(order)}:${line}`,
  },
  // What the buyer paid is reported for the order.
  ebay: {
    days: OFTEN,
    make: createEbay,
    keyOfEvent: ({ orderRef }: MoneyEvent) => String(orderRef),
    keyOfLine: (order: Order) => ebayOrderIdOf(order),
  },
  etsy: {
    days: OFTEN,
    make: createEtsy,
    keyOfEvent: ({ orderRef, lineRef }: MoneyEvent, orders: readonly Order[]) => {
      const isSold = (order: Order) =>
        order.lines.some((line) => String(transactionIdOf(order, line)) === lineRef);
      const order = lineRef === null ? undefined : orders.find(isSold);
      return order === undefined ? String(orderRef) : String(receiptIdOf(order));
    },
    keyOfLine: (order: Order) => String(receiptIdOf(order)),
  },
  shopify: {
    days: OFTEN,
    make: createShopify,
    keyOfEvent: ({ orderRef }: MoneyEvent) => String(orderRef),
    keyOfLine: (order: Order) => orderGid(order),
  },
} as const;
type Subject = keyof typeof SUBJECTS;

/** What a marketplace reported of a store: the last version of each amount, after readings that overlap. */
async function tell(subject: Subject) {
  const sample = sampleWorld('money', START);
  const items = sample.items.filter(({ marketplace }) => marketplace === subject);
  const world = createWorld({ ...sample, items });
  const sandbox = await startSandbox({ world, port: 0, now: world.now });
  try {
    const connector = SUBJECTS[subject].make({
      baseUrl: sandbox.addresses[subject],
      now: world.now,
      wait: async (milliseconds) => world.advance(instant(world.now() + milliseconds)),
    });
    const account = { credentials: sandbox.credentials[subject], tokens: memoryVault() };
    const events = new Map<string, MoneyEvent>();
    const settlements = new Map<string, ReportedSettlement>();
    const refused: unknown[] = [];
    const read = async (since: Instant): Promise<void> => {
      const window = { since, until: world.now() };
      const pages = connector.readMoney?.(account, window, never);
      for await (const page of pages ?? []) {
        for (const event of page.events) {
          // As in the ledger: a settlement that was reported stays known.
          const settlementRef = event.settlementRef ?? events.get(event.externalId)?.settlementRef ?? null;
          events.set(event.externalId, { ...event, settlementRef });
        }
        for (const settlement of page.settlements) {
          if (settlement.isClosed || !settlements.has(settlement.ref))
            settlements.set(settlement.ref, settlement);
        }
        refused.push(...page.refused);
      }
    };
    const { first, again, settled: days } = SUBJECTS[subject].days;
    world.advance(instant(START + first * DAY));
    await read(START);
    world.advance(instant(START + days * DAY + LATE));
    await read(instant(START + again * DAY));
    const all = (await (await fetch(`${sandbox.url}/_sandbox/books`)).json()) as Books[];
    const books = all.find(({ marketplace }) => marketplace === subject);
    if (books === undefined) throw new Error('no books');
    const market = world.market(subject);
    // Money of the settlement that runs is reported in part.
    const running = new Set(
      market.money
        .events()
        .flatMap(({ at, order }) => (at >= START + days * DAY && order !== null ? [order] : [])),
    );
    const settled = market.orders().filter((order) => !running.has(order));
    const orders = new Map(settled.map((order) => [order.number, order]));
    return { events: [...events.values()], settlements: [...settlements.values()], refused, books, orders };
  } finally {
    await sandbox.close();
  }
}

function sumsBy<Row extends { readonly amount: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const row of rows) totals[keyOf(row)] = (totals[keyOf(row)] ?? 0) + row.amount;
  return totals;
}

test.each(Object.keys(SUBJECTS) as Subject[])(
  'what %s reported of each order line and settlement is what its books say',
  async (subject) => {
    const { keyOfEvent, keyOfLine } = SUBJECTS[subject];
    const { events, settlements, refused, books, orders } = await tell(subject);
    expect(refused).toEqual([]);

    const lines = books.lines.flatMap((line) => {
      // The renewal of a canceled order comes back by an entry that names the listing only.
      const isUnreported = subject === 'etsy' && line.status === 'cancelled';
      const order = isUnreported ? undefined : orders.get(line.order);
      return order === undefined ? [] : [{ key: keyOfLine(order, line), amount: line.net }];
    });
    const booked = sumsBy(lines, ({ key }) => key);
    const ofSales = sumsBy(
      // A label is of its order, and of none of the lines that the books have.
      events.filter(({ kind }) => kind !== 'transfer' && kind !== 'label'),
      (event) => keyOfEvent(event, [...orders.values()]),
    );
    const reported = Object.fromEntries(Object.keys(booked).map((key) => [key, ofSales[key] ?? 0]));
    expect(reported).toEqual(booked);
    expect(Object.values(booked).filter((net) => net !== 0).length).toBeGreaterThan(40);

    const totals = sumsBy(events, ({ settlementRef }) => settlementRef ?? '');
    const closed = settlements
      .filter(({ isClosed }) => isClosed)
      .toSorted((a, b) => (a.to ?? 0) - (b.to ?? 0));
    // Etsy names no payout of an entry.
    const paid =
      subject === 'etsy' ? [] : books.settlements.filter(({ isPaid, total }) => isPaid && total !== 0);
    const expected = paid.map(({ total }) => total);
    expect(closed.map(({ total }) => total)).toEqual(expected);
    expect(closed.map(({ ref }) => totals[ref])).toEqual(expected);
  },
);
