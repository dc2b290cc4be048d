import type { PriceReading, SentPrice } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { confirmIntent } from '#db/queries/marketplaces/confirm-intent.ts';
import { refuse } from '#db/queries/marketplaces/refusals.ts';
import {
  awaitOrphan,
  type CurrentPrice,
  lockCurrentPrices,
  markDue,
  type OpenIntent,
  readAgain,
  readToReadBack,
  readUnconfirmed,
  settle,
} from '#db/queries/marketplaces/send-queue.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/held-lease.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { OWN_FAULT } from '#usecases/own-fault.ts';
import { CONFIRMATION_TIMEOUT } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { adoptExternalPrice } from './external-edit.ts';
import { refOf } from './listing-ref.ts';
import { nextReadAfter, retryReadAfter } from './read-times.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { wordsOf } from './sending-text.ts';

/** Listings per call. */
const AT_ONCE = 50;
const OUT = ['sent', 'accepted', 'unknown'] as const;

/**
 * Reads what buyers see of prices that are out and due to be looked at, and settles them by it.
 * @returns how many listings were settled
 */
export async function readBack(desk: MarketplaceSender, connection: Connection): Promise<number> {
  const { deps, marketplace, duty } = desk;
  const ids = await readToReadBack(deps.db, marketplace, AT_ONCE, deps.now());
  if (ids.length === 0 || (await duty.holdForCall()) === null) return 0;
  const out = groupBy(await readUnconfirmed(deps.db, ids), ({ listingId }) => listingId);
  // The newest of a listing: an older one is settled by it, or by being seen.
  const asked = [...out.values()].flatMap((intents) => intents.at(-1) ?? []);
  const readings = await read(desk.deps, connection, asked);
  let settled = 0;
  for (const { listingId, id } of asked) {
    const reading =
      readings.get(listingId) ?? unreadable(listingId, 'The marketplace did not return this price.');
    try {
      await transact(deps.db, (tx) => settleBy(tx, marketplace, id, reading, deps.now()));
      settled++;
    } catch (error) {
      // A fault with one listing must not keep the others from being settled.
      deps.onFault(error);
    }
  }
  return settled;
}

async function read(
  { now, onFault }: MarketplaceSender['deps'],
  { connector, account }: Connection,
  asked: readonly OpenIntent[],
): Promise<ReadonlyMap<number, PriceReading>> {
  const sent = asked.map((intent): SentPrice => {
    const { price, receipt, createdAt } = intent;
    const sentAt = intent.sentAt ?? createdAt;
    return { ref: refOf(intent), price, receipt, sentAt, isLastLook: nextReadAfter(sentAt, now()) === null };
  });
  try {
    const readings = await connector.readPrices(account, sent, AbortSignal.timeout(LONGEST_CALL));
    return new Map(readings.map((reading) => [reading.listingId, reading]));
  } catch (error) {
    const isTheirs = error instanceof ConnectorError;
    if (!isTheirs) onFault(error);
    const words = isTheirs ? error.tellable : OWN_FAULT;
    return new Map(sent.map(({ ref }) => [ref.listingId, unreadable(ref.listingId, words)]));
  }
}

function unreadable(listingId: number, message: string): PriceReading {
  return { listingId, kind: 'unreadable', message };
}

/** @param askedId the intent that was asked about */
async function settleBy(
  tx: Db,
  marketplace: Marketplace,
  askedId: number,
  reading: PriceReading,
  now: Instant,
): Promise<void> {
  const { listingId } = reading;
  const [listing] = await lockCurrentPrices(tx, marketplace, [listingId]);
  const out = await readUnconfirmed(tx, [listingId]);
  if (out.length === 0) return;
  await notify(tx, 'pricewright_listings', [listingId]);
  if (out.some(isOnTheWire)) return settleEarly(tx, listing, out, reading, now);
  const all = out.map(({ id }) => id);
  if (listing === undefined) return end(tx, all, 'The listing was deleted here.', now);
  if (reading.kind === 'gone') return refuse(tx, all, 'The listing is no longer on the marketplace.', now);
  if (reading.kind === 'unreadable') return tryAgain(tx, out, reading.message, now);
  if (!isPrice(reading.price))
    return tryAgain(tx, out, 'The price could not be read from the marketplace.', now);
  const { price, refusal, failure } = reading;
  // What buyers see was not refused, whatever is said of it.
  const isSeen = out.some((intent) => intent.id === askedId && intent.price === price);
  const isOver = !isSeen && (refusal !== null || failure !== undefined);
  if (isOver && refusal !== null) await refuse(tx, [askedId], wordsOf(refusal), now);
  if (isOver && failure !== undefined) await fail(tx, askedId, listingId, failure, now);
  const left = isOver ? out.filter(({ id }) => id !== askedId) : out;
  await settleSeen(tx, marketplace, listing, left, price, now);
}

/** Its call need not be over: the process that began it lost its lease, and may live on. */
function isOnTheWire({ state }: OpenIntent): boolean {
  return state === 'sent';
}

/** Before the call is over only a price that can have come by one of these alone says anything. */
async function settleEarly(
  tx: Db,
  listing: CurrentPrice | undefined,
  out: readonly OpenIntent[],
  reading: PriceReading,
  now: Instant,
): Promise<void> {
  const seen = reading.kind === 'price' && reading.price !== listing?.currentPrice ? reading.price : null;
  const [arrived, ...alike] = out.filter(({ price }) => price === seen);
  const isSure = arrived !== undefined && alike.length === 0 && listing !== undefined;
  if (isSure) await confirmIntent(tx, arrived.id, now);
  const left = isSure ? out.filter(({ id }) => id !== arrived.id) : out;
  for (const { id } of left.filter(isOnTheWire)) await awaitOrphan(tx, id);
  // Of the others nothing is known by it: they are read again soon.
  const others = left.filter((intent) => !isOnTheWire(intent));
  await tryAgain(tx, others, '', now);
}

/** It did not arrive, and nothing was said against the price: the listing is decided anew. */
async function fail(tx: Db, id: number, listingId: number, why: string, now: Instant): Promise<void> {
  await end(tx, [id], wordsOf(why), now);
  await markDue(tx, [listingId]);
}

/** The price that buyers see is one that is out, or still the one in force, or somebody else's. */
async function settleSeen(
  tx: Db,
  marketplace: Marketplace,
  listing: CurrentPrice,
  out: readonly OpenIntent[],
  seen: Cents,
  now: Instant,
): Promise<void> {
  const arrived = out.findLast(({ price }) => price === seen);
  if (arrived !== undefined) {
    await confirmIntent(tx, arrived.id, now);
    // An older one may still come: marketplaces do not promise to take prices in order. It is looked for to its end.
    return waitOn(
      tx,
      out.filter(({ id }) => id !== arrived.id),
      now,
    );
  }
  if (seen === listing.currentPrice) return waitOn(tx, out, now);
  if (!(await adoptExternalPrice(tx, listing, seen, marketplace, now))) return waitOn(tx, out, now);
  const words = `Buyers see ${moneyText(seen)}: the price was changed on the marketplace.`;
  await end(
    tx,
    out.map(({ id }) => id),
    words,
    now,
  );
}

async function waitOn(tx: Db, out: readonly OpenIntent[], now: Instant): Promise<void> {
  for (const { id, listingId, state, sentAt, createdAt, isOvertaken } of out) {
    const at = sentAt ?? createdAt;
    const next = nextReadAfter(at, now);
    if (next !== null) {
      await readAgain(tx, id, next, true);
      if (state === 'unknown' && now - at >= CONFIRMATION_TIMEOUT) await markDue(tx, [listingId]);
      continue;
    }
    if (isOvertaken) {
      await settle(tx, [id], OUT, 'expired', 'Replaced by a newer price.', now);
      continue;
    }
    await end(tx, [id], 'Two hours after sending, buyers still see the previous price.', now);
    await markDue(tx, [listingId]);
  }
}

async function tryAgain(tx: Db, out: readonly OpenIntent[], why: string, now: Instant): Promise<void> {
  for (const { id, sentAt, createdAt } of out) {
    const next = retryReadAfter(sentAt ?? createdAt, now);
    if (next !== null) await readAgain(tx, id, next, false);
    else await end(tx, [id], wordsOf(`The price could not be confirmed within 24 hours. ${why}`), now);
  }
}

async function end(tx: Db, ids: readonly number[], answer: string, now: Instant): Promise<void> {
  await settle(tx, ids, OUT, 'rejected', answer, now);
}
