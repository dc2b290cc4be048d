import { expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import type { MoneyEvent, ToldSettlement } from '#domain/money/money-event.ts';
import { type Instant, instant } from '#domain/units.ts';
import { orderIdOf } from '#sandbox/adapters/amazon/orders.ts';
import { purchaseOrderIdOf } from '#sandbox/adapters/walmart/orders.ts';
import { startSandbox } from '#sandbox/server.ts';
import type { Order } from '#sandbox/world/orders.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import type { BookedLine, Books } from '#sandbox/world/truth/books.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const DAY = 86_400_000;
/** Three settlements of two weeks. */
const SETTLED = instant(START + 42 * DAY);
/** Amazon tells up to two days late. */
const LAST = instant(SETTLED + 3 * DAY);

const SUBJECTS = {
  // Transactions name no order line: two lines of one SKU are one amount.
  amazon: {
    make: createAmazon,
    keyOfEvent: ({ orderRef, sku }: MoneyEvent) => `${orderRef} ${sku}`,
    keyOfLine: (order: Order, { sku }: BookedLine) => `${orderIdOf(order)} ${sku}`,
  },
  walmart: {
    make: createWalmart,
    keyOfEvent: ({ lineRef }: MoneyEvent) => String(lineRef),
    keyOfLine: (order: Order, { line }: BookedLine) => `${purchaseOrderIdOf(order)}:${line}`,
  },
} as const;
type Subject = keyof typeof SUBJECTS;

/** What a marketplace told of a store: the last version of each amount, after readings that overlap. */
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
    const settlements = new Map<string, ToldSettlement>();
    const refused: unknown[] = [];
    const read = async (since: Instant): Promise<void> => {
      const window = { since, until: world.now() };
      const pages = connector.readMoney?.(account, window, AbortSignal.timeout(60_000));
      for await (const page of pages ?? []) {
        for (const event of page.events) events.set(event.externalId, event);
        for (const settlement of page.settlements) settlements.set(settlement.ref, settlement);
        refused.push(...page.refused);
      }
    };
    world.advance(instant(START + 20 * DAY));
    await read(START);
    world.advance(LAST);
    await read(instant(START + 5 * DAY));
    const all = (await (await fetch(`${sandbox.url}/_sandbox/books`)).json()) as Books[];
    const books = all.find(({ marketplace }) => marketplace === subject);
    if (books === undefined) throw new Error('no books');
    const market = world.market(subject);
    // Money of the settlement that runs is told in part.
    const running = new Set(
      market.money.events().flatMap(({ at, order }) => (at >= SETTLED && order !== null ? [order] : [])),
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
  'what %s told of each order line and settlement is what its books say',
  async (subject) => {
    const { keyOfEvent, keyOfLine } = SUBJECTS[subject];
    const { events, settlements, refused, books, orders } = await tell(subject);
    expect(refused).toEqual([]);

    const lines = books.lines.flatMap((line) => {
      const order = orders.get(line.order);
      return order === undefined ? [] : [{ key: keyOfLine(order, line), amount: line.net }];
    });
    const booked = sumsBy(lines, ({ key }) => key);
    const ofSales = sumsBy(
      events.filter(({ kind }) => kind !== 'tax'),
      keyOfEvent,
    );
    const told = Object.fromEntries(Object.keys(booked).map((key) => [key, ofSales[key] ?? 0]));
    expect(told).toEqual(booked);
    expect(Object.values(booked).filter((net) => net !== 0).length).toBeGreaterThan(50);

    const totals = sumsBy(events, ({ settlementRef }) => settlementRef ?? '');
    const closed = settlements.toSorted((a, b) => (a.to ?? 0) - (b.to ?? 0));
    const expected = books.settlements.slice(0, 3).map(({ total }) => total);
    expect(closed.map(({ total }) => total)).toEqual(expected);
    expect(closed.map(({ ref }) => totals[ref])).toEqual(expected);
  },
);
