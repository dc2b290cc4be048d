import type { Account, PriceOrder, PriceReading, SendOutcome, SentPrice } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HttpAnswer } from '#connectors/http/http-client.ts';
import { sendEach } from '#connectors/http/send-each.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { readEach, Shared } from '#connectors/read-each.ts';
import { errorOutcome, notFound } from '#connectors/send-error.ts';
import { type Instant, instant, isPrice } from '#domain/units.ts';
import { type EtsyCalls, errorMessageOf, NAME } from './etsy-calls.ts';
import { Inventory } from './etsy-responses.ts';
import {
  inventoryOf,
  LONGEST_GAP,
  putInventory,
  type Sending,
  saysNoListing,
  shownInventory,
} from './inventory-calls.ts';
import { confirmed, hasLastPiece, type PricePlan, planOf, writtenStock } from './price-plan.ts';
import { groupsOf, priceOf } from './sku-groups.ts';
import {
  isLeft,
  notifyIfSold,
  notifyOfStock,
  SALE_MARGIN,
  takeOutRestored,
  takeOutSold,
  wasSoldSince,
} from './sold-stock.ts';
import { forgetWrite, keepWrite, unfinishedListings } from './unfinished-writes.ts';
import { compareLinks, linksBefore, UNLINKS_PICTURES } from './variation-pictures.ts';

/** Refusals after which the inventory is read again, once: it may have been changed in between. */
const CONFLICT_STATUSES = new Set([400, 409]);
/** Milliseconds between two looks whether the calls of one write are available. */
const RESERVE_WAIT = 500;
/** As many as the budget of a second. */
const CONCURRENT_READS = 3;
/** In place of 404 where Etsy says nothing of the listing: no refusal that it would repeat. */
const NO_SUCH_ADDRESS = 'no_such_address';
const NOT_ON_ETSY = 'The listing is no longer on Etsy.';

/** Orders of one listing: Etsy only accepts its complete inventory. */
interface Batch {
  readonly listingId: number;
  readonly orders: readonly PriceOrder[];
}

/**
 * Sends prices listing by listing: the inventory is read, its prices are replaced, and all of it is written back
 * immediately. Etsy's response contains the new inventory. A sale between both would be undone by that: it is looked for
 * afterwards, and its stock taken out again.
 */
export async function sendPrices(
  calls: EtsyCalls,
  account: Account,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<readonly SendOutcome[]> {
  const sending: Sending = { calls, account, signal, shopId: null };
  const unfinished = await unfinishedListings(sending);
  const outcomes = await sendEach(
    batchesOf(orders),
    (batch) => batch.orders.map(({ ref }) => ref.listingId),
    async (batch) =>
      unfinished.has(batch.listingId) ? batch.orders.map(waitingForStock) : sendBatch(sending, batch),
  );
  const byListing = new Map(outcomes.map((outcome) => [outcome.listingId, outcome]));
  return orders.map(({ ref: { listingId } }): SendOutcome => {
    const message = 'Etsy returned no listing that can be priced. Sync the listings again.';
    return byListing.get(listingId) ?? { listingId, kind: 'rejected', message, code: null };
  });
}

function waitingForStock({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message =
    'The stock of the listing is being corrected after the price before. Pricewright tries again.';
  return { listingId, kind: 'not_sent', message, retryAfter: SALE_MARGIN, othersMayGo: true };
}

function batchesOf(orders: readonly PriceOrder[]): Batch[] {
  const batches = new Map<number, PriceOrder[]>();
  for (const order of orders) {
    const listingId = numberOf(order.ref.keys.listingId ?? order.ref.itemId);
    if (listingId !== null) batches.set(listingId, [...(batches.get(listingId) ?? []), order]);
  }
  return [...batches].map(([listingId, own]) => ({ listingId, orders: own }));
}

async function sendBatch(sending: Sending, batch: Batch): Promise<SendOutcome[]> {
  const kept = keptForOthers(sending.calls, batch);
  if (kept !== null) return kept;
  const first = await tryBatch(sending, batch);
  if (first.kind === 'done') return first.outcomes;
  const second = await tryBatch(sending, batch);
  return second.kind === 'done' ? second.outcomes : second.refused;
}

/** The outcomes where the calls of the day are no longer for such a price; null where it may go. */
function keptForOthers(calls: EtsyCalls, { orders }: Batch): SendOutcome[] | null {
  const left = calls.dayLeft();
  if (left === null || (left.isForUrgent && orders.some(({ isUrgent }) => isUrgent))) return null;
  const message = left.isForUrgent
    ? 'Three quarters of the calls of a day are used: manual prices and prices that end a loss go first.'
    : 'The last fifth of the calls of a day is left to your other programs.';
  const more = left.isForUrgent ? ({ othersMayGo: true, urgentMayGo: true } as const) : {};
  return orders.map(({ ref: { listingId } }): SendOutcome => {
    const later = { why: 'daily_limit', until: left.until, retryAfter: null } as const;
    return { listingId, kind: 'not_sent', message, ...later, ...more };
  });
}

type Try =
  | { readonly kind: 'done'; readonly outcomes: SendOutcome[] }
  /** Refused, perhaps because of a change in between. */
  | { readonly kind: 'again'; readonly refused: SendOutcome[] };

async function tryBatch(sending: Sending, { listingId, orders }: Batch): Promise<Try> {
  const until = Math.min(...orders.map(({ notAfter }) => notAfter)) - LONGEST_GAP;
  if (!(await reserveCalls(sending, until))) {
    const message = 'Too many calls to Etsy at the moment. Pricewright retries automatically.';
    return done(orders.map(({ ref }) => notSent(ref.listingId, message, RESERVE_WAIT)));
  }
  const readAt = sending.calls.now();
  const inventory = await inventoryOf(sending, listingId);
  if (inventory === null) return done(orders.map(({ ref }) => notFound(ref.listingId, NOT_ON_ETSY)));
  const plan = planOf(listingId, inventory, orders, readAt);
  if (plan.carried.length === 0) return done(plan.settled);
  if (hasLastPiece(inventory) && (await wasSoldSince(sending, listingId, readAt))) {
    const message =
      'The listing just sold out. Updating its price now could restore sold stock, so it was not sent.';
    return done([
      ...plan.settled,
      ...carriedIds(plan).map((id): SendOutcome => notSent(id, message, SALE_MARGIN)),
    ]);
  }
  const links = await linksBefore(sending, listingId, inventory);
  if (links === 'lost' || links === 'unread') {
    const outcomeOf = links === 'lost' ? stoppedForPictures : waitingForPictures;
    return done([...plan.settled, ...carriedIds(plan).map(outcomeOf)]);
  }
  const written = { listingId, readAt, before: writtenStock(inventory) };
  const prices = plan.carried.map(({ order: { ref, price } }) => ({ sku: ref.sku, price }));
  await keepWrite(sending, { ...written, prices });
  const answer = await write(sending, listingId, plan, readAt);
  if (answer instanceof ConnectorError) {
    const shown = await readBackLost(sending, written, plan);
    const lost = plan.carried.map(({ order }) => errorOutcome(order.ref.listingId, answer));
    return done([...plan.settled, ...(shown ?? lost)]);
  }
  if (answer.status < 400) {
    // First, since the stock was restored whatever the answer says.
    if (await takeOutSold(sending, written, sending.calls.now())) await forgetWrite(sending, listingId);
    await compareLinks(sending, listingId, links);
    const stored = parseResponse(NAME, Inventory, answer, 'inventory', true);
    return done([...plan.settled, ...confirmed(plan, stored)]);
  }
  await forgetWrite(sending, listingId);
  const said = errorMessageOf(answer.body);
  const message = said === null ? `${NAME} rejected the price (${answer.status}).` : said.message;
  const isOfAddress = answer.status === 404 && !saysNoListing(said?.message ?? null);
  const code = isOfAddress ? NO_SUCH_ADDRESS : String(answer.status);
  const refused = plan.carried.map(({ order }) =>
    // The listing was changed at the same time, twice.
    answer.status === 409
      ? notSent(order.ref.listingId, message, SALE_MARGIN)
      : rejected(order, message, code),
  );
  const outcomes = [...plan.settled, ...refused];
  return CONFLICT_STATUSES.has(answer.status) ? { kind: 'again', refused: outcomes } : done(outcomes);
}

/**
 * Waits until all calls of one write are available: its inventory is read and written twice at most, and receipts are
 * read twice. Between them there must be no wait.
 */
async function reserveCalls({ calls, signal }: Sending, until: number): Promise<boolean> {
  const areLeft = (): boolean => calls.left('inventory') >= 4 && calls.left('stock') >= 2;
  while (!areLeft()) {
    if (signal.aborted || calls.now() + RESERVE_WAIT > until) return false;
    await calls.wait(RESERVE_WAIT, signal).catch(() => undefined);
  }
  return true;
}

/** @returns the error where it is unknown whether Etsy carried the write out */
async function write(
  sending: Sending,
  listingId: number,
  plan: PricePlan,
  readAt: Instant,
): Promise<HttpAnswer | ConnectorError> {
  const notAfter = Math.min(readAt + LONGEST_GAP, ...plan.carried.map(({ order }) => order.notAfter));
  try {
    return await putInventory(sending, listingId, plan.body, instant(notAfter));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.mayHaveActed) return error;
    await forgetWrite(sending, listingId);
    throw error;
  }
}

/**
 * Reads the inventory again after a write whose answer was lost, and puts the stock right where the write is shown.
 * @returns the outcomes of the carried orders; null where the write is not shown, or that cannot be read
 */
async function readBackLost(
  sending: Sending,
  written: Parameters<typeof takeOutRestored>[1],
  plan: PricePlan,
): Promise<readonly SendOutcome[] | null> {
  const { listingId } = written;
  let shown: Inventory | null;
  try {
    shown = await inventoryOf(sending, listingId);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (isLeft(sending)) return null;
    await notifyOfStock(sending, listingId);
    await forgetWrite(sending, listingId);
    return null;
  }
  // Without the listing there is nothing for sale.
  if (shown === null) {
    await forgetWrite(sending, listingId);
    return null;
  }
  const outcomes = confirmed(plan, shown);
  const isShown = plan.carried.some(({ order: { ref, price } }) =>
    outcomes.some((one) => one.listingId === ref.listingId && one.kind === 'live' && one.price === price),
  );
  const isSettled = isShown
    ? await takeOutRestored(sending, written, shown)
    : await notifyIfSold(sending, written);
  if (isSettled) await forgetWrite(sending, listingId);
  return isShown ? outcomes : null;
}

const done = (outcomes: readonly SendOutcome[]): Try => ({ kind: 'done', outcomes: [...outcomes] });

function carriedIds({ carried }: PricePlan): number[] {
  return carried.map(({ order }) => order.ref.listingId);
}

function stoppedForPictures(listingId: number): SendOutcome {
  return { listingId, kind: 'stopped', message: UNLINKS_PICTURES, found: { kind: 'not_repriceable' } };
}

function waitingForPictures(listingId: number): SendOutcome {
  const message = 'Etsy did not show whether pictures are linked to variations of the listing.';
  return { listingId, kind: 'not_sent', message, retryAfter: SALE_MARGIN, othersMayGo: true };
}

function notSent(listingId: number, message: string, retryAfter: number): SendOutcome {
  return { listingId, kind: 'not_sent', message, retryAfter };
}

function rejected({ ref }: PriceOrder, message: string, code: string | null): SendOutcome {
  return { listingId: ref.listingId, kind: 'rejected', message, code };
}

function numberOf(text: string | null | undefined): number | null {
  return text != null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** What buyers see of each SKU now, one call for each of Etsy's listings. */
export async function readPrices(
  calls: EtsyCalls,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  // The products of a listing share one.
  const inventories = new Shared<number, Inventory | null>();
  return readEach(sent, CONCURRENT_READS, async ({ ref }) => {
    const { listingId, sku } = ref;
    const number = numberOf(ref.keys.listingId ?? ref.itemId);
    if (number === null) {
      const message = 'Etsy gave no listing for this that could be read.';
      return { listingId, kind: 'unreadable', message };
    }
    const inventory = await inventories.of(number, () => shownInventory(calls, account, number, signal));
    return readingOf(listingId, sku, number, inventory);
  });
}

function readingOf(
  listingId: number,
  sku: string,
  number: number,
  inventory: Inventory | null,
): PriceReading {
  const unreadable = (message: string): PriceReading => ({ listingId, kind: 'unreadable', message });
  if (inventory === null) return { listingId, kind: 'missing' };
  const group = groupsOf(number, inventory).find((one) => one.sku === sku);
  if (group === undefined) return { listingId, kind: 'missing' };
  const price = priceOf(group);
  if (price?.currency !== 'USD' || !isPrice(price.amount)) {
    return unreadable(`${NAME} shows no single price in US dollars for this SKU.`);
  }
  if (price.finer !== undefined) {
    return unreadable(`${NAME} shows a price that is not in whole cents: ${price.finer.slice(0, 20)}.`);
  }
  return { listingId, kind: 'price', price: price.amount, source: 'item', refusal: null };
}
