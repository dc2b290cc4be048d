import { z } from 'zod';
import { bookedCents, isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { MoneyEvent, MoneyKind, RefusedMoney, WholeTransaction } from '#domain/money/money-event.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { kindOf } from './money-kind.ts';

const Text = z.string().max(1_000);
const Name = z.string().trim().min(1).max(200);

/** Money before it is checked. */
const Money = z.object({ currencyCode: z.unknown().optional(), currencyAmount: z.unknown().optional() });
type Money = z.output<typeof Money>;

/** A node of a breakdown; one with children repeats their sum. */
interface Breakdown {
  readonly breakdownType: string;
  readonly breakdownAmount?: Money | null | undefined;
  readonly breakdowns?: readonly Breakdown[] | null | undefined;
}
/** The trees of known answers have four levels. */
const MOST_LEVELS = 8;

function breakdownOf(levels: number): z.ZodType<Breakdown> {
  return z.object({
    breakdownType: Name,
    breakdownAmount: Money.nullish(),
    breakdowns: z.array(levels > 1 ? breakdownOf(levels - 1) : z.never()).nullish(),
  });
}
const Breakdown = breakdownOf(MOST_LEVELS);

/** The contract lists breakdowns; its example wraps them once more. */
const Breakdowns = z
  .union([
    z.array(Breakdown),
    z.object({ breakdowns: z.array(Breakdown) }).transform((one) => one.breakdowns),
  ])
  .nullish()
  .transform((nodes) => nodes ?? []);

const Item = z.object({
  totalAmount: Money.nullish(),
  breakdowns: Breakdowns,
  contexts: z
    .array(
      z.object({
        contextType: Text.nullish(),
        asin: Text.nullish(),
        sku: Text.nullish(),
        quantityShipped: z.unknown().optional(),
      }),
    )
    .nullish(),
});
type Item = z.output<typeof Item>;

const Transaction = z.object({
  transactionId: z.string().trim().min(1).max(500),
  transactionType: Name,
  transactionStatus: Text.nullish(),
  postedDate: z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text))),
  totalAmount: Money.nullish(),
  relatedIdentifiers: z
    .array(z.object({ relatedIdentifierName: Text.nullish(), relatedIdentifierValue: Text.nullish() }))
    .nullish()
    .transform((all) => new Map(all?.map((one) => [one.relatedIdentifierName, one.relatedIdentifierValue]))),
  marketplaceDetails: z.object({ marketplaceId: Text.nullish() }).nullish(),
  items: z
    .array(Item)
    .nullish()
    .transform((items) => items ?? []),
  breakdowns: Breakdowns,
});
type Transaction = z.output<typeof Transaction>;

/** What identifies a transaction that cannot be read. */
const Identified = z.object({ transactionId: Name });

/** Roots that only repeat the sign of an amount: restated amounts may move from one to the other. */
const SIGNS = new Set(['Sales', 'Expenses', 'Refunded Sales', 'Refunded Expenses']);
/** Names that come with 0.00 where there is nothing. Any other 0.00 is reported: a fee was waived, or restated. */
const SILENT_ZEROS = new Set([...SIGNS, 'Tax', 'Promo']);
const LONGEST_RAW_TYPE = 200;

export interface Booked {
  readonly events: readonly MoneyEvent[];
  readonly refused: readonly RefusedMoney[];
  readonly whole: readonly WholeTransaction[];
}

const NOTHING: Booked = { events: [], refused: [], whole: [] };

/** One amount of a transaction, and what it was for. */
interface Leaf {
  readonly path: readonly string[];
  readonly money: Money | null;
  readonly product: Product;
}

/** The product of an item. Items have no ID that they keep: the second one of a SKU is number 2. */
interface Product extends Pick<MoneyEvent, 'sku' | 'itemId' | 'quantity'> {
  readonly number: number;
}
const NO_PRODUCT: Product = { sku: null, itemId: null, quantity: null, number: 0 };

/**
 * The amounts of one transaction: the leaves of its items' breakdowns, else those of its own.
 *
 * A deferred transaction and its release are two transactions over the same money, and one event: the release has the
 * ID of the transaction that it releases. That one is reported until it is released; then its release is.
 * @param reported as Amazon returned it
 */
export function bookedIn(reported: unknown, marketplaceId: string, now: Instant): Booked {
  const read = Transaction.safeParse(reported);
  if (!read.success) return refusal(reported, 'unreadable');
  const transaction = read.data;
  if (!isOf(transaction, marketplaceId)) return NOTHING;
  if (isAheadOf(now, transaction.postedDate)) return refusal(reported, 'future');
  const { transactionStatus: status, relatedIdentifiers: related } = transaction;
  if (isStatus(status, 'DEFERRED_RELEASED') && related.get('RELEASE_TRANSACTION_ID')) return NOTHING;
  return amountsOf(transaction, leavesOf(transaction));
}

function refusal(reported: unknown, why: RefusedMoney['why']): Booked {
  const id = Identified.safeParse(reported).data?.transactionId;
  const where = id === undefined ? 'transaction without an ID' : `transaction ${id}`;
  return { ...NOTHING, refused: [{ where, why: id === undefined ? 'no_id' : why }] };
}

/** Amounts of the account as a whole name no store. */
function isOf({ marketplaceDetails }: Transaction, marketplaceId: string): boolean {
  return (marketplaceDetails?.marketplaceId || marketplaceId) === marketplaceId;
}

function isStatus(status: string | null | undefined, expected: string): boolean {
  return status?.toUpperCase() === expected;
}

function leavesOf({ transactionType, totalAmount, items, breakdowns }: Transaction): Leaf[] {
  const counts = new Map<string, number>();
  const products = items.map((item): Product => {
    const { contexts } = item;
    const context = contexts?.find((one) => one.sku != null || one.asin != null) ?? null;
    const sku = context?.sku?.trim() || null;
    const itemId = context?.asin?.trim() || null;
    const name = sku ?? itemId ?? '';
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return { sku, itemId, quantity: quantityOf(context?.quantityShipped), number };
  });
  const ofItems = items.flatMap((item, at) => itemLeaves(transactionType, item, products[at] ?? NO_PRODUCT));
  if (ofItems.length > 0) return ofItems;
  // Some transactions name their product and break down the total alone, or nothing.
  const [first, ...others] = products;
  const product = first !== undefined && others.length === 0 ? first : NO_PRODUCT;
  const leaves = breakdowns.flatMap((node) => leavesUnder(node, [], product));
  return leaves.length > 0 ? leaves : [{ path: [transactionType], money: totalAmount ?? null, product }];
}

function itemLeaves(transactionType: string, { breakdowns, totalAmount }: Item, product: Product): Leaf[] {
  const leaves = breakdowns.flatMap((node) => leavesUnder(node, [], product));
  if (leaves.length > 0 || totalAmount == null || bookedCents(totalAmount.currencyAmount) === 0)
    return leaves;
  return [{ path: [transactionType], money: totalAmount, product }];
}

function leavesUnder(
  { breakdownType, breakdownAmount, breakdowns }: Breakdown,
  above: readonly string[],
  product: Product,
): Leaf[] {
  const path = above.length === 0 && SIGNS.has(breakdownType) ? [] : [...above, breakdownType];
  if (breakdowns != null && breakdowns.length > 0)
    return breakdowns.flatMap((node) => leavesUnder(node, path, product));
  return [{ path: path.length === 0 ? [breakdownType] : path, money: breakdownAmount ?? null, product }];
}

function quantityOf(reported: unknown): number | null {
  return typeof reported === 'number' && Number.isInteger(reported) && reported > 0 ? reported : null;
}

function amountsOf(transaction: Transaction, leaves: readonly Leaf[]): Booked {
  const { transactionId, transactionType, transactionStatus, postedDate, relatedIdentifiers } = transaction;
  const id = relatedIdentifiers.get('DEFERRED_TRANSACTION_ID') || transactionId;
  const orderRef = relatedIdentifiers.get('ORDER_ID') || null;
  const isPayout = transactionType === 'Transfer';
  const events: MoneyEvent[] = [];
  const refused: RefusedMoney[] = [];
  const counts = new Map<string, number>();
  const book = (path: readonly string[], money: Money | null, { number, ...product }: Product): void => {
    const name = path.join(' > ');
    const amount = centsIn(money);
    if (typeof amount === 'string') {
      return void refused.push({ where: `transaction ${transactionId}: ${name}`, why: amount });
    }
    const kind = kindOf(transactionType, path);
    if (amount === 0 && SILENT_ZEROS.has(path.at(-1) ?? '')) return;
    const key = moneyId(id, product.sku ?? product.itemId ?? '', number, name);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    events.push({
      externalId: count === 1 ? key : moneyId(key, count),
      kind,
      rawType: `${transactionType} > ${name}`.slice(0, LONGEST_RAW_TYPE),
      amount,
      orderRef,
      lineRef: null,
      ...product,
      postedAt: postedDate,
      releasedAt: isStatus(transactionStatus, 'DEFERRED') ? null : postedDate,
      // A payout is what a settlement adds up to, not a part of it.
      settlementRef: isPayout ? null : relatedIdentifiers.get('SETTLEMENT_ID') || null,
      ...(isSaving(kind, path) && amount > 0 ? { fee: { base: null, saved: amount, category: null } } : {}),
    });
  };
  for (const { path, money, product } of leaves) book(path, money, product);
  // Whatever the parts leave of the total is money too, of a kind without a known name.
  const total = refused.length === 0 ? centsIn(transaction.totalAmount ?? null) : null;
  const rest = typeof total === 'number' ? total - sumOf(events) : 0;
  if (rest !== 0) book(['not broken down'], { currencyCode: 'USD', currencyAmount: rest / 100 }, NO_PRODUCT);
  // A deferred one and its release share their amounts: it takes back nothing that its release reported.
  const state = isStatus(transactionStatus, 'DEFERRED') ? ({ isPending: true } as const) : {};
  const whole = typeof total === 'number' ? [{ id, orderRef, ...state }] : [];
  return { events, refused, whole };
}

/** Whether an amount is what a promotion took off a fee of a sale. */
function isSaving(kind: MoneyKind, path: readonly string[]): boolean {
  return path.at(-1) === 'Promo' && (kind === 'commission' || kind === 'fulfillment');
}

function centsIn(money: Money | null): Cents | RefusedMoney['why'] {
  if (money === null) return 'unreadable';
  return money.currencyCode === 'USD' ? bookedCents(money.currencyAmount) : 'currency';
}

function sumOf(events: readonly MoneyEvent[]): number {
  return events.reduce((sum, { amount }) => sum + amount, 0);
}
