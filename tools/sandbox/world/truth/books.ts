import type { Marketplace } from '#domain/marketplaces.ts';
import type { Order } from '#sandbox/world/orders.ts';
import type { MoneyEvent, MoneyKind } from './money-events.ts';
import type { MoneyJournal } from './money-journal.ts';

/** Cents by what they are for, without those that were never booked. */
type Parts = Partial<Record<MoneyKind, number>>;

/** What one order line truly earned. */
export interface BookedLine {
  readonly order: number;
  readonly line: number;
  readonly sku: string;
  readonly quantity: number;
  readonly status: Order['status'];
  /** ISO 8601. */
  readonly orderedAt: string;
  /** The sale with its advertising. */
  readonly sale: Parts;
  /** Refunds and cancellations. */
  readonly refund: Parts;
  readonly returned: number;
  readonly restocked: number;
  /** Everything booked for the line without sales tax, in cents, before the costs of the goods. */
  readonly net: number;
}

interface Settlement {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  /** In cents, without the payout. */
  readonly total: number;
  readonly isPaid: boolean;
}

export interface Books {
  readonly marketplace: Marketplace;
  readonly lines: readonly BookedLine[];
  /** Amounts of no sale, by listing; the empty name for those of no listing. */
  readonly others: Readonly<Record<string, Parts>>;
  readonly settlements: readonly Settlement[];
}

/** What a marketplace truly booked: only tests read it, to compare with what its calls report. */
export function booksOf(marketplace: Marketplace, orders: readonly Order[], journal: MoneyJournal): Books {
  const lines = new Map(
    orders.flatMap((order) => order.lines.map((line) => [line, lineOf(order, line.number - 1)])),
  );
  const others: Record<string, Parts> = {};
  const settlements = new Map<number, { total: number; isPaid: boolean }>();
  for (const event of journal.events()) {
    addToSettlement(settlements, event);
    for (const { kind, amount, line } of event.entries) {
      const booked = line === null ? undefined : lines.get(line);
      if (booked === undefined) {
        const name = event.sku ?? '';
        const own = others[name] ?? {};
        others[name] = { ...own, [kind]: (own[kind] ?? 0) + amount };
        continue;
      }
      const isBack = event.type === 'refund' || event.type === 'cancellation';
      const parts = isBack ? booked.refund : booked.sale;
      parts[kind] = (parts[kind] ?? 0) + amount;
      if (kind !== 'tax' && kind !== 'tax_withheld') booked.net += amount;
    }
    if (event.type !== 'refund') continue;
    const refunded = event.entries[0]?.line;
    const booked = refunded == null ? undefined : lines.get(refunded);
    if (booked === undefined) continue;
    booked.returned += event.returned;
    booked.restocked += event.restocked;
  }
  const timesOf = (number: number) => {
    const { from, to } = journal.spanOf(number);
    return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  };
  return {
    marketplace,
    lines: [...lines.values()],
    others,
    settlements: [...settlements].map(([number, sums]) => ({ number, ...timesOf(number), ...sums })),
  };
}

function lineOf({ number, status, createdAt, lines }: Order, at: number) {
  const line = lines[at];
  return {
    order: number,
    line: line?.number ?? 0,
    sku: line?.sku ?? '',
    quantity: line?.quantity ?? 0,
    status,
    orderedAt: new Date(createdAt).toISOString(),
    sale: {} as Parts,
    refund: {} as Parts,
    returned: 0,
    restocked: 0,
    net: 0,
  };
}

function addToSettlement(
  settlements: Map<number, { total: number; isPaid: boolean }>,
  { settlement, type, entries }: MoneyEvent,
): void {
  const sums = settlements.get(settlement) ?? { total: 0, isPaid: false };
  settlements.set(settlement, sums);
  if (type === 'payout') sums.isPaid = true;
  else for (const { amount } of entries) sums.total += amount;
}
