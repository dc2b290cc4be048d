import { splitCents } from '#domain/sales/split-cents.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { MoneyEvent, MoneyKind } from './money-event.ts';

/** An order line, as far as it decides which amounts belong to it. */
export interface MoneyLine {
  /** The line as its marketplace names it. */
  readonly externalId: string | null;
  readonly sku: string;
  /** From 1. */
  readonly quantity: number;
  /** What the buyer paid for it, with shipping. */
  readonly paid: Cents;
}

/** An amount booked for an order or one of its lines. */
export type OrderMoney = Pick<
  MoneyEvent,
  'kind' | 'rawType' | 'amount' | 'lineRef' | 'sku' | 'quantity' | 'postedAt' | 'releasedAt'
>;

/** What of an amount belongs to one line. */
export interface MoneyShare {
  readonly kind: MoneyKind;
  /** The marketplace's own name of the type: one kind may be told in several parts. */
  readonly rawType: string;
  readonly amount: Cents;
  /** Units of the line that it is for; with the other amounts of its type at most all of them. */
  readonly units: number;
  readonly postedAt: Instant;
  /** Booked, but not released yet. */
  readonly isPending: boolean;
}

/** Charged by unit, whatever the price. */
const PER_UNIT: ReadonlySet<MoneyKind> = new Set<MoneyKind>(['fulfillment', 'closing', 'renewal', 'storage']);

/**
 * Gives the amounts of an order to its lines: to the line that an amount names, else to those of its SKU, else to all. One
 * for several lines is split to the cent, by quantity where it is charged by unit, else by what the buyer paid; of equal
 * remainders the earlier line gets the cent. Its units are those that no other amount of the type was for.
 * @param lines in their order, at least one
 * @returns the shares of each line; every amount is given away whole
 */
export function shareMoney(lines: readonly MoneyLine[], booked: readonly OrderMoney[]): MoneyShare[][] {
  const shares: MoneyShare[][] = lines.map(() => []);
  const untold = new Map<string, number[]>();
  for (const { event, chosen } of mostSpecificFirst(lines, booked)) {
    const { kind, rawType, amount, quantity, postedAt, releasedAt } = event;
    const weights = chosen.map(({ line }) => (PER_UNIT.has(kind) ? line.quantity : line.paid));
    const parts = splitCents(Math.abs(amount) as Cents, weights);
    const type = `${kind} ${rawType}`;
    const left = untold.get(type) ?? lines.map((line) => line.quantity);
    untold.set(type, left);
    // An amount without a quantity is for all units.
    let units = quantity ?? Number.POSITIVE_INFINITY;
    chosen.forEach(({ index }, place) => {
      const part = (parts[place] ?? 0) * Math.sign(amount) + 0;
      const own = Math.min(units, left[index] ?? 0);
      units -= own;
      left[index] = (left[index] ?? 0) - own;
      shares[index]?.push({
        kind,
        rawType,
        amount: part as Cents,
        units: own,
        postedAt,
        isPending: releasedAt === null,
      });
    });
  }
  return shares;
}

interface Chosen {
  readonly line: MoneyLine;
  readonly index: number;
}

/** In any order of amounts the same units are told: those of one line are known before those of any of several. */
function mostSpecificFirst(
  lines: readonly MoneyLine[],
  booked: readonly OrderMoney[],
): { readonly event: OrderMoney; readonly chosen: readonly Chosen[] }[] {
  return booked
    .map((event) => ({ event, chosen: linesOf(lines, event) }))
    .sort((one, other) => one.chosen.length - other.chosen.length);
}

function linesOf(
  lines: readonly MoneyLine[],
  { lineRef, sku }: Pick<OrderMoney, 'lineRef' | 'sku'>,
): Chosen[] {
  const all = lines.map((line, index) => ({ line, index }));
  const named = lineRef === null ? [] : all.filter(({ line }) => line.externalId === lineRef);
  if (named.length > 0) return named;
  const ofSku = sku === null ? [] : all.filter(({ line }) => line.sku === sku);
  return ofSku.length > 0 ? ofSku : all;
}
