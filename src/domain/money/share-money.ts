import { splitCents } from '#domain/sales/split-cents.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { MoneyEvent, MoneyKind, ReportedFee } from './money-event.ts';

/** An order line, as far as it decides which amounts belong to it. */
export interface MoneyLine {
  /** The line as its marketplace names it. */
  readonly externalId: string | null;
  readonly sku: string;
  /** Absent: lines of one SKU are of one listing. */
  readonly listingId?: number;
  /** From 1. */
  readonly quantity: number;
  /** What the buyer paid for it, with shipping. */
  readonly paid: Cents;
  /** Shipping is not in it: what was paid for that is unknown. */
  readonly isShippingUnknown: boolean;
}

/** An amount booked for an order or one of its lines. */
export type OrderMoney = Pick<
  MoneyEvent,
  'kind' | 'rawType' | 'amount' | 'lineRef' | 'sku' | 'quantity' | 'postedAt' | 'releasedAt' | 'fee'
>;

/** What of an amount belongs to one line. */
export interface MoneyShare {
  readonly kind: MoneyKind;
  /** The marketplace's own name of the type: one kind may be reported in several parts. */
  readonly rawType: string;
  readonly amount: Cents;
  /** Units of the line that it is for; with the other amounts of its type at most all of them. */
  readonly units: number;
  readonly postedAt: Instant;
  /** Booked, but not released yet. */
  readonly isPending: boolean;
  /** It was booked for the whole order, which has lines that are not recorded: without their part. */
  readonly isPart: boolean;
  /** It was booked for lines of several listings together: what each of them costs is not known. Absent: it was not. */
  readonly isOfSeveral?: true;
  /** What the marketplace reported of it besides, its amounts split as the amount is. */
  readonly fee?: ReportedFee;
}

/** What the buyer paid, with sales tax where the marketplace books it and takes it back. */
export const REVENUE_KINDS: readonly MoneyKind[] = ['principal', 'shipping', 'discount', 'tax'];

/** Charged by unit, whatever the price. */
const PER_UNIT: ReadonlySet<MoneyKind> = new Set<MoneyKind>(['fulfillment', 'closing', 'renewal', 'storage']);

/**
 * Gives the amounts of an order to its lines: to the line that an amount names, else to those of its SKU; one that names
 * neither to all. One of a line that is not recorded is given to none. More revenue for the order than its lines have is
 * that of such lines: of an amount for the order they have the same part. One for several lines is split to the cent, by quantity where it is charged by unit, else by what the buyer paid; of equal
 * remainders the earlier line gets the cent. Its units are those that no other amount of the type was for.
 * @param lines in their order, at least one
 * @returns the shares of each line; an amount for recorded lines alone is given away whole
 */
export function shareMoney(lines: readonly MoneyLine[], booked: readonly OrderMoney[]): MoneyShare[][] {
  const shares: MoneyShare[][] = lines.map(() => []);
  const unreported = new Map<string, number[]>();
  const recorded = lines.reduce((sum, { paid }) => sum + paid, 0);
  const missing = revenueOfMissingLines(lines, recorded, booked);
  for (const { event, chosen } of mostSpecificFirst(lines, booked)) {
    const { kind, rawType, amount, quantity, postedAt, releasedAt } = event;
    const weights = chosen.map(({ line }) => (PER_UNIT.has(kind) ? line.quantity : line.paid));
    const isPart = missing > 0 && isOfOrder(event);
    const [own = 0 as Cents] = splitCents(Math.abs(amount) as Cents, isPart ? [recorded, missing] : [1]);
    const parts = splitCents(own, weights);
    const fees = feeParts(event.fee, weights, isPart ? [recorded, missing] : [1]);
    const isOfSeveral = new Set(chosen.map(({ line }) => line.listingId ?? line.sku)).size > 1;
    const type = `${kind} ${rawType}`;
    const left = unreported.get(type) ?? lines.map((line) => line.quantity);
    unreported.set(type, left);
    // An amount without a quantity is for all units.
    let units = quantity ?? Number.POSITIVE_INFINITY;
    chosen.forEach(({ index }, place) => {
      const part = (parts[place] ?? 0) * Math.sign(amount) + 0;
      const reported = Math.min(units, left[index] ?? 0);
      units -= reported;
      left[index] = (left[index] ?? 0) - reported;
      shares[index]?.push({
        kind,
        rawType,
        amount: part as Cents,
        units: reported,
        postedAt,
        isPending: releasedAt === null,
        isPart,
        ...(isOfSeveral ? { isOfSeveral } : {}),
        ...(fees === null ? {} : { fee: fees[place] as ReportedFee }),
      });
    });
  }
  return shares;
}

/** What was reported of a fee besides, split over its lines; null where nothing was reported. */
function feeParts(
  fee: ReportedFee | undefined,
  weights: readonly number[],
  known: readonly number[],
): readonly ReportedFee[] | null {
  if (fee === undefined) return null;
  const split = (amount: Cents | null) => {
    const [own = 0 as Cents] = amount === null ? [] : splitCents(amount, known);
    return amount === null ? null : splitCents(own, weights);
  };
  const [bases, saved] = [split(fee.base), split(fee.saved)];
  return weights.map((_, place) => ({
    base: bases?.[place] ?? null,
    saved: saved?.[place] ?? null,
    category: fee.category,
  }));
}

interface Chosen {
  readonly line: MoneyLine;
  readonly index: number;
}

/** In any order of amounts the same units are reported: those of one line are known before those of any of several. */
function mostSpecificFirst(
  lines: readonly MoneyLine[],
  booked: readonly OrderMoney[],
): { readonly event: OrderMoney; readonly chosen: readonly Chosen[] }[] {
  return booked
    .map((event) => ({ event, chosen: linesOf(lines, event) }))
    .sort((one, other) => one.chosen.length - other.chosen.length);
}

function linesOf(lines: readonly MoneyLine[], event: Names): Chosen[] {
  const all = lines.map((line, index) => ({ line, index }));
  if (isOfOrder(event)) return all;
  const { lineRef, sku } = event;
  const named = lineRef === null ? [] : all.filter(({ line }) => line.externalId === lineRef);
  return named.length > 0 || sku === null ? named : all.filter(({ line }) => line.sku === sku);
}

type Names = Pick<OrderMoney, 'lineRef' | 'sku'>;

function isOfOrder({ lineRef, sku }: Names): boolean {
  return lineRef === null && sku === null;
}

/** What the buyer paid for lines that are not recorded, as far as it was reported. */
function revenueOfMissingLines(
  lines: readonly MoneyLine[],
  recorded: number,
  booked: readonly OrderMoney[],
): number {
  const sums = { order: 0, line: 0, missing: 0 };
  for (const event of booked) {
    if (!REVENUE_KINDS.includes(event.kind)) continue;
    const place = isOfOrder(event) ? 'order' : linesOf(lines, event).length > 0 ? 'line' : 'missing';
    sums[place] += event.amount;
  }
  // Beyond it may be the shipping.
  const isComparable = lines.every(({ isShippingUnknown }) => !isShippingUnknown);
  const beyond = isComparable ? sums.order - Math.max(0, recorded - sums.line) : 0;
  return Math.max(0, sums.missing) + (sums.order > 0 ? Math.max(0, beyond) : 0);
}
