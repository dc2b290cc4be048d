import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, readableOf } from '#connectors/passed-over.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { NAME } from './etsy-calls.ts';
import { type Inventory, ReceiptPage } from './etsy-responses.ts';
import { inventoryOf, LONGEST_GAP, putInventory, requireShopId, type Sending } from './inventory-calls.ts';
import { restoredBy, type SoldProduct, type WrittenProduct, withoutSold } from './price-plan.ts';

/** Tolerance between Etsy's clock and ours, and for the delay of a sale. Milliseconds. */
export const SALE_MARGIN = 60_000;
/** Largest number of receipts in one response. */
const RECEIPTS_A_CALL = 100;
/** Names what of a listing's stock could not be taken out again. */
const STOCK_FINDING = 'etsy_stock';

/** A write of an inventory that restored the stock it had read. */
interface Written {
  readonly listingId: number;
  readonly before: readonly WrittenProduct[];
  /** Right before `before` was requested. */
  readonly readAt: Instant;
}

/**
 * Takes out of the stock what was sold between reading and writing it: the write has restored it. An administrator is
 * notified where that is not possible. The price is written in any case.
 * @returns false where the process has to stop before that is done, and it is left to the next one
 */
export function takeOutSold(
  sending: Sending,
  { listingId, readAt }: Omit<Written, 'before'>,
  writtenAt: Instant,
): Promise<boolean> {
  return orNotify(sending, listingId, async (found) => {
    found.sold = await soldBetween(sending, listingId, readAt, writtenAt);
    if (found.sold.length === 0) return true;
    const inventory = await inventoryOf(sending, listingId);
    return inventory !== null && (await putWithout(sending, listingId, inventory, found.sold));
  });
}

/**
 * The same after a write whose answer was lost, from the inventory that was read back after it. Etsy may have carried the
 * write out at any time since, so its quantities show which sales it restored.
 */
export function takeOutRestored(sending: Sending, written: Written, shown: Inventory): Promise<boolean> {
  return orNotify(sending, written.listingId, (found) => takeOut(sending, written, shown, found));
}

/**
 * The same after a write of a process that ended, long enough ago that it is carried out or never will be.
 * @param isCertain Etsy shows a price of the write; else its quantities may be higher for another reason, and an
 * administrator is notified instead
 * @throws ConnectorError to be tried again
 */
export async function takeOutAfterAll(
  sending: Sending,
  written: Written,
  shown: Inventory,
  isCertain: boolean,
): Promise<void> {
  const found: Found = { sold: null };
  if (!(await takeOut(sending, written, shown, found, isCertain))) {
    await notify(sending, written.listingId, found);
  }
}

/** @returns whether the stock is right now */
async function takeOut(
  sending: Sending,
  { listingId, before, readAt }: Written,
  shown: Inventory,
  found: Found,
  mayWrite = true,
): Promise<boolean> {
  const all = await soldBetween(sending, listingId, readAt, sending.calls.now());
  if (all.length === 0) return true;
  const restored = restoredBy(before, shown, all);
  if (restored === null) return false;
  found.sold = restored;
  return restored.length === 0 || (mayWrite && (await putWithout(sending, listingId, shown, restored)));
}

/**
 * Notifies where units were sold, or that is unknown, since a write whose answer was lost and that Etsy does not show: it
 * may still be carried out.
 */
export function notifyIfSold(
  sending: Sending,
  { listingId, readAt }: Omit<Written, 'before'>,
): Promise<boolean> {
  return orNotify(sending, listingId, async () => {
    const sold = await soldBetween(sending, listingId, readAt, sending.calls.now());
    return sold.length === 0;
  });
}

/** Notifies that the stock of a listing may be wrong, and by what is not known. */
export function notifyOfStock(sending: Sending, listingId: number): Promise<void> {
  return notify(sending, listingId, { sold: null });
}

/** What has to be taken out, as far as it is known. */
interface Found {
  sold: readonly SoldProduct[] | null;
}

/**
 * @param isRight puts the stock right
 * @returns false where the process has to stop before that is done, and the next one does it
 */
async function orNotify(
  sending: Sending,
  listingId: number,
  isRight: (found: Found) => Promise<boolean>,
): Promise<boolean> {
  const found: Found = { sold: null };
  try {
    if (await isRight(found)) return true;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (isLeft(sending)) return false;
  }
  await notify(sending, listingId, found);
  return true;
}

/** Whether the next process finishes what this one no longer can: its call was ended. */
export function isLeft({ signal, account: { findings } }: Sending): boolean {
  return signal.aborted && findings !== undefined;
}

async function notify(
  { calls, account: { findings } }: Sending,
  listingId: number,
  { sold }: Found,
): Promise<void> {
  const sku = sold?.[0]?.sku || null;
  const count = sold?.reduce((sum, { quantity }) => sum + quantity, 0) ?? null;
  const finding = { listing: String(listingId), sku, sold: count };
  await findings?.write(STOCK_FINDING, finding, instant(calls.now() + hours(24)));
}

async function putWithout(
  sending: Sending,
  listingId: number,
  inventory: Inventory,
  sold: readonly SoldProduct[],
): Promise<boolean> {
  const body = withoutSold(inventory, sold);
  if (body === null) return false;
  const notAfter = instant(sending.calls.now() + LONGEST_GAP);
  return (await putInventory(sending, listingId, body, notAfter)).status < 400;
}

/** Whether a receipt from about the time of the read contains the listing. */
export async function wasSoldSince(sending: Sending, listingId: number, readAt: Instant): Promise<boolean> {
  const { count, results } = await receiptsSince(sending, instant(readAt - SALE_MARGIN));
  // More sales in a minute than one response has, or one that cannot be read: this listing may be among them.
  if (count > results.length) return true;
  return results.some(
    (row) => isUnreadable(row) || row.transactions.some((one) => one.listing_id === listingId),
  );
}

/**
 * Units of a listing that were sold between reading and writing its inventory, by whole seconds: one sold in the second
 * of the write may be counted although it was not undone, so that too few are for sale rather than too many.
 * @throws ConnectorError also where there are more sales than one response has
 */
async function soldBetween(
  sending: Sending,
  listingId: number,
  readAt: Instant,
  writtenAt: Instant,
): Promise<readonly SoldProduct[]> {
  const { count, results } = await receiptsSince(sending, readAt);
  if (count > results.length) throw new ConnectorError('too_large', `${NAME} has more sales than one page.`);
  if (results.some(isUnreadable)) {
    throw new ConnectorError('unreadable', `${NAME} answered with a sale that cannot be read.`);
  }
  const second = (at: Instant): number => Math.floor(at / 1_000);
  return readableOf(results)
    .filter(({ created_timestamp: at }) => second(readAt) <= second(at) && second(at) <= second(writtenAt))
    .flatMap(({ transactions }) => transactions)
    .filter((one) => one.listing_id === listingId)
    .map(({ product_id, sku, quantity }) => ({ productId: product_id ?? null, sku: sku ?? '', quantity }));
}

async function receiptsSince(sending: Sending, since: Instant): Promise<ReceiptPage> {
  const { calls, account, signal } = sending;
  const query = new URLSearchParams({
    min_created: String(Math.floor(since / 1_000)),
    limit: String(RECEIPTS_A_CALL),
    sort_on: 'created',
    sort_order: 'desc',
  });
  const path = `/v3/application/shops/${await requireShopId(sending)}/receipts?${query}`;
  const answer = await calls.call(account, { method: 'GET', path, operation: 'stock' }, signal);
  return parseResponse(NAME, ReceiptPage, answer, 'list of receipts');
}
