import type { Account, SaleLine } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { isUnreadable, readableOf, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { splitCents } from '#domain/sales/split-cents.ts';
import { type Cents, cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { type EtsyCalls, listPage, NAME, shopIdOf } from './etsy-calls.ts';
import { type Inventory, type Receipt, ReceiptPage, type Transaction } from './etsy-responses.ts';
import { shownInventory } from './inventory-calls.ts';
import { groupsOf, propertiesKey } from './sku-groups.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 1_000;
const REFUNDED = 'fully refunded';
const OFF = new Set(['canceled', REFUNDED]);

/** Lines of receipts that were created or changed after that time; unpaid ones are included once they are paid. */
export async function* readSales(
  calls: EtsyCalls,
  account: Account,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]> {
  const shopId = await shopIdOf(calls, account, signal);
  const inventories = new Map<number, Inventory | null>();
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      min_last_modified: String(Math.floor(since / 1_000)),
      sort_on: 'updated',
      sort_order: 'asc',
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const path = `/v3/application/shops/${shopId}/receipts?${query}`;
    const { count, results } = await listPage(
      calls,
      account,
      { path, operation: 'receipts' },
      { schema: ReceiptPage, what: 'list of receipts' },
      signal,
    );
    const nameless = readableOf(results)
      .flatMap(({ transactions }) => transactions)
      .filter((one) => !one.sku?.trim());
    for (const { listing_id: number } of nameless) {
      if (number != null && !inventories.has(number)) {
        inventories.set(number, await inventoryOf(calls, account, number, signal));
      }
    }
    const lines = dedupeOrderLines(
      results.flatMap((receipt) => (isUnreadable(receipt) ? [receipt] : linesOf(receipt, inventories))),
    );
    if (lines.length > 0) yield lines;
    if (results.length === 0 || (page + 1) * PAGE_SIZE >= count) return;
  }
  throw new ConnectorError('too_large', `${NAME} has more receipts than can be synced at once.`);
}

/** That of a listing whose sold products have no SKU; null where there is none, or it cannot be read. */
async function inventoryOf(
  calls: EtsyCalls,
  account: Account,
  number: number,
  signal: AbortSignal,
): Promise<Inventory | null> {
  try {
    return await shownInventory(calls, account, number, signal, 'listings');
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.fault !== 'unreadable' && error.status !== 404) throw error;
    return null;
  }
}

function linesOf(
  receipt: Receipt,
  inventories: ReadonlyMap<number, Inventory | null>,
): (SaleLine | UnreadableRow)[] {
  const status = receipt.status.toLowerCase();
  const isCancelled = OFF.has(status);
  const isRefunded = status === REFUNDED;
  if (!isCancelled && !receipt.is_paid) return [];
  const { transactions } = receipt;
  if (transactions.some(({ price }) => price.currency !== 'USD')) return [];
  const costs = transactions.map(({ price, quantity }) => price.amount * quantity);
  const absurd = costs.find((cost) => cost > MAX_CENTS);
  if (absurd !== undefined) return [unreadableRow(String(receipt.receipt_id), 'transactions.price', absurd)];
  const revenues = revenuesOf(receipt, costs);
  const shipping = shippingOf(receipt, revenues);
  return transactions.map((line, index) => {
    const revenue = revenues[index] ?? cents(0);
    return {
      externalId: String(line.transaction_id),
      orderRef: String(receipt.receipt_id),
      lineNumber: index + 1,
      sku: skuOf(line, inventories),
      itemId: line.listing_id == null ? null : String(line.listing_id),
      soldAt: line.paid_timestamp ?? receipt.created_timestamp,
      quantity: line.quantity,
      unitPrice: cents(Math.round(revenue / line.quantity)),
      revenue,
      shippingRevenue: shipping?.[index] ?? null,
      // Etsy books its fees separately from orders, and not on lines.
      fees: null,
      isCancelled,
      ...(isRefunded && { isRefunded }),
    };
  });
}

/** What was paid for each line: the receipt's total after discounts, in proportion to the line prices before them. */
function revenuesOf({ subtotal }: Receipt, costs: readonly number[]): Cents[] {
  return subtotal?.currency === 'USD' ? splitCents(subtotal.amount, costs) : costs.map(cents);
}

/** What was paid for shipping each line: the receipt's total, in proportion to that of the lines; null where unreported. */
function shippingOf(
  { total_shipping_cost: total, transactions }: Receipt,
  revenues: readonly Cents[],
): Cents[] | null {
  if (total?.currency !== 'USD') return null;
  const costs = transactions.map(({ shipping_cost: cost }) => cost?.amount ?? 0);
  return splitCents(total.amount, costs.some((cost) => cost > 0) ? costs : revenues);
}

/** Its SKU, or the generated one; null when the listing does not show which. */
function skuOf(line: Transaction, inventories: ReadonlyMap<number, Inventory | null>): string | null {
  const { sku, listing_id, product_id, product_data } = line;
  const own = sku?.trim() ?? '';
  if (own !== '') return own;
  const inventory = listing_id == null ? null : (inventories.get(listing_id) ?? null);
  if (listing_id == null || inventory === null) return null;
  const [only, ...others] = groupsOf(listing_id, inventory);
  if (only === undefined || others.length === 0) return only?.sku ?? null;
  // The product ID may be from before its inventory was written.
  const bought = propertiesKey(product_data);
  const group = [only, ...others].find(({ products }) =>
    products.some((one) => one.product_id === product_id || propertiesKey(one.property_values) === bought),
  );
  return group?.sku ?? null;
}
