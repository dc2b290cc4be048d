import { describe, expect, test } from 'vitest';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { booksOf } from './books.ts';
import { totalOf } from './fee-truth.ts';
import { sumOf } from './money-events.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const DAY = 86_400_000;

const world = createWorld(sampleWorld('books', START));
world.advance(instant(START + 45 * DAY));
const shops = MARKETPLACES.map((name) => {
  const market = world.market(name);
  const orders = market.orders();
  return { orders, events: market.money.events(), books: booksOf(name, orders, market.money) };
});

describe('the books of the world', () => {
  test('a sale that nothing happened to earned its charges less its fees', () => {
    for (const { orders, events, books } of shops) {
      const plain = new Set(
        events
          .filter(({ type, entries }) => type === 'sale' && !entries.some(isExtra))
          .map(({ order }) => order),
      );
      const touched = new Set(events.filter(({ type }) => type !== 'sale').map(({ order }) => order));
      const lines = orders
        .filter((order) => plain.has(order) && !touched.has(order))
        .flatMap((order) => order.lines.map((line) => ({ order, line })));
      expect(lines.length).toBeGreaterThan(20);
      for (const { order, line } of lines) {
        const booked = books.lines.find((one) => one.order === order.number && one.line === line.number);
        expect(booked?.net).toBe(line.unitPrice * line.quantity + line.shipping - totalOf(line.fees));
      }
    }
  });

  test('all of it adds up: lines and other amounts are the settlements, and payouts are their sums', () => {
    for (const { events, books } of shops) {
      const taxOf = ({ tax = 0, tax_withheld = 0 }) => tax + tax_withheld;
      const ofLines = books.lines.reduce(
        (sum, { net, sale, refund }) => sum + net + taxOf(sale) + taxOf(refund),
        0,
      );
      const ofOthers = Object.values(books.others).flatMap((parts) =>
        Object.entries(parts).flatMap(([kind, amount]) => (kind === 'payout' ? [] : [amount])),
      );
      const settled = books.settlements.reduce((sum, { total }) => sum + total, 0);
      expect(ofLines + ofOthers.reduce((sum, amount) => sum + amount, 0)).toBe(settled);
      const paid = books.settlements.filter(({ isPaid }) => isPaid);
      const payouts = events.filter(({ type }) => type === 'payout').flatMap(({ entries }) => entries);
      expect(paid.length).toBeGreaterThan(1);
      expect(-sumOf(payouts)).toBe(paid.reduce((sum, { total }) => sum + total, 0));
    }
  });

  test('a canceled order leaves nothing, and everything that can happen to money happens', () => {
    const kinds = new Set(
      shops.flatMap(({ events }) =>
        events.flatMap(({ type, entries }) => [type, ...entries.map(({ kind }) => kind)]),
      ),
    );
    for (const { books } of shops) {
      expect(books.lines.filter(({ status, net }) => status === 'cancelled' && net !== 0)).toEqual([]);
    }
    for (const kind of [
      'refund',
      'storage',
      'reimbursement',
      'ad',
      'funded',
      'waived',
      'unnamed',
      'refund_fee',
    ]) {
      expect(kinds).toContain(kind);
    }
    const all = shops.flatMap(({ books }) => books.lines);
    expect(all.filter(({ returned, restocked }) => returned > restocked)).not.toEqual([]);
    expect(all.filter(({ restocked }) => restocked > 0)).not.toEqual([]);
    const events = shops.flatMap((shop) => shop.events);
    expect(events.filter(({ releasedAt }) => releasedAt !== null)).not.toEqual([]);
    expect(events.filter(({ restated }) => restated !== null)).not.toEqual([]);
  });
});

function isExtra({ kind }: { readonly kind: string }): boolean {
  return kind === 'ad' || kind === 'unnamed';
}
