import type { FoundRefusal, PriceReading, SentPrice } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import {
  type CurrentPrice,
  confirmIntent,
  lockCurrentPrices,
} from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import type { OpenIntent } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { rejectIntents } from '#db/queries/marketplaces/sending/refusals.ts';
import { forgetPauses } from '#db/queries/marketplaces/sending/send-pauses.ts';
import {
  awaitOrphan,
  noteMissing,
  readToReadBack,
  readUnconfirmed,
  scheduleReadBack,
} from '#db/queries/marketplaces/sending/sent-prices.ts';
import { settle } from '#db/queries/marketplaces/sending/unsent-prices.ts';
import { readRecentPrices } from '#db/queries/marketplaces/sync/recent-prices.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { ownRecentPrices } from '#domain/readings/own-recent-prices.ts';
import { missingForGoodFrom } from '#domain/sending/not-found.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, type Instant, instant, isPrice } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/lease.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { CONFIRMATION_TIMEOUT } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { SYNC_FAILED } from '#usecases/sync-errors.ts';
import { adoptArrivedPrice, adoptExternalPrice } from './adopt-price.ts';
import { resendUserPrice } from './late-arrival.ts';
import { refOf } from './listing-ref.ts';
import { type PassingRefusal, passingRefusalOf, recordPassingRefusals } from './passing-refusals.ts';
import { nextReadAfter, retryReadAfter } from './read-back-schedule.ts';
import type { OutcomeSource } from './record-outcomes.ts';
import { repairExternalEdits, stopAfterRepairs } from './repair-external-edits.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { oneLine } from './sending-text.ts';

/** Listings per call. */
const READ_BATCH_SIZE = 50;
const OPEN_STATES = ['sent', 'accepted', 'unknown'] as const;

/**
 * Reads what buyers see for sent prices whose read-back is due, and settles their intents by it.
 * @returns how many listings were settled
 */
export async function readBack(sender: MarketplaceSender, connection: Connection): Promise<number> {
  const { deps, marketplace, heldLease } = sender;
  const outcomes = { marketplace, finalRefusals: connection.connector.finalRefusals };
  const due = await readToReadBack(deps.db, marketplace, READ_BATCH_SIZE, deps.now());
  if (due.length === 0 || (await heldLease.acquireForCall()) === null) return 0;
  const open = groupBy(await readWithGroups(deps.db, due), ({ listingId }) => listingId);
  // Only the newest of a listing is read: older ones are settled by it, or by being the price that buyers see.
  const newest = [...open.values()].flatMap((intents) => intents.at(-1) ?? []);
  const readings = await read(sender.deps, connection, newest);
  const groups = groupBy(newest, ({ id, groupOrder }) => groupOrder ?? String(id));
  let settled = 0;
  for (const members of groups.values()) {
    const reading = sharedReading(members, readings);
    try {
      const isTooMany = await transact(deps.db, (tx) => settleBy(tx, outcomes, members, reading, deps.now()));
      settled++;
      if (isTooMany === true) await stopAfterRepairs(deps.db, marketplace, deps.now());
    } catch (error) {
      // An error with one listing must not keep the others from being settled.
      deps.onUnexpectedError(error);
    }
  }
  return settled;
}

/** The open prices of these listings, and of those that share them. */
async function readWithGroups(db: Db, due: readonly number[]): Promise<readonly OpenIntent[]> {
  const open = await readUnconfirmed(db, due);
  const shared = open.filter(({ groupOrder }) => groupOrder !== null);
  if (shared.length === 0) return open;
  const known = new Set(open.map(({ listingId }) => listingId));
  const others = (await readGroupMembers(db, [...new Set(shared.map(({ listingId }) => listingId))])).filter(
    (id) => !known.has(id),
  );
  return [...open, ...(await readUnconfirmed(db, others))];
}

/** What buyers see of a price: of a price group only what all members show. */
function sharedReading(
  members: readonly OpenIntent[],
  readings: ReadonlyMap<number, PriceReading>,
): PriceReading {
  const own = members.map(
    ({ listingId }) =>
      readings.get(listingId) ?? unreadable(listingId, 'The marketplace did not return this price.'),
  );
  const [first, ...others] = own;
  const odd = others.find((reading) => !isSameReading(reading, first));
  const reading = own.find(({ kind }) => kind !== 'price') ?? first;
  if (reading === undefined) throw new Error('A price without an intent was read back.');
  if (odd === undefined || reading.kind === 'unreadable') return reading;
  return unreadable(reading.listingId, 'Listings that share this price are shown with different ones.');
}

function isSameReading(reading: PriceReading, other: PriceReading | undefined): boolean {
  if (reading.kind !== other?.kind) return false;
  return reading.kind !== 'price' || (other.kind === 'price' && reading.price === other.price);
}

async function read(
  { now, onUnexpectedError }: MarketplaceSender['deps'],
  { connector, account }: Connection,
  newest: readonly OpenIntent[],
): Promise<ReadonlyMap<number, PriceReading>> {
  const sent = newest.map((intent): SentPrice => {
    const { price, receipt, createdAt } = intent;
    const sentAt = intent.sentAt ?? createdAt;
    return { ref: refOf(intent), price, receipt, sentAt, isLastLook: nextReadAfter(sentAt, now()) === null };
  });
  try {
    const readings = await connector.readPrices(account, sent, AbortSignal.timeout(LONGEST_CALL));
    return new Map(readings.map((reading) => [reading.listingId, reading]));
  } catch (error) {
    const isConnectorError = error instanceof ConnectorError;
    if (!isConnectorError) onUnexpectedError(error);
    const message = isConnectorError ? error.publicMessage : SYNC_FAILED;
    return new Map(sent.map(({ ref }) => [ref.listingId, unreadable(ref.listingId, message)]));
  }
}

function unreadable(listingId: number, message: string): PriceReading {
  return { listingId, kind: 'unreadable', message };
}

/**
 * @param members the intents that were read back: one, or those of a price group, which are settled by the first
 * @returns true where more external edits were found than are repaired
 */
async function settleBy(
  tx: Db,
  outcomes: OutcomeSource,
  members: readonly OpenIntent[],
  reading: PriceReading,
  now: Instant,
): Promise<boolean | undefined> {
  const { marketplace } = outcomes;
  const ids = members.map((member) => member.listingId);
  const { listingId } = reading;
  const readId = members.find((member) => member.listingId === listingId)?.id;
  const listings = await lockCurrentPrices(tx, marketplace, ids);
  const listing = listings.find(({ id }) => id === listingId);
  const out = await readUnconfirmed(tx, [listingId]);
  if (out.length === 0 || readId === undefined) return undefined;
  await notify(tx, 'pricewright_listings', ids);
  if (out.some(isInFlight)) return without(settleEarly(tx, listing, out, reading, now));
  const all = out.map(({ id }) => id);
  if (listing === undefined) return without(end(tx, all, 'The listing was deleted here.', now));
  if (reading.kind === 'missing') return without(settleMissing(tx, out, now));
  if (reading.kind === 'unreadable') return without(readLater(tx, out, reading.message, now));
  if (!isPrice(reading.price))
    return without(readLater(tx, out, 'The price could not be read from the marketplace.', now));
  const { price, source, refusal, failure } = reading;
  await noteMissing(tx, all, null);
  const recent = (await readRecentPrices(tx, [listingId], now)).get(listingId) ?? { inForce: [], sent: [] };
  // A list may be behind: a price that was in force before proves nothing there.
  const isSure = source === 'item' || !recent.inForce.some((one) => one.price === price);
  // A price that buyers see was not rejected, whatever the response reports.
  const isSeen = isSure && out.some((intent) => intent.id === readId && intent.price === price);
  const isEnded = !isSeen && (refusal !== null || failure !== undefined);
  if (isEnded && refusal !== null) await refuse(tx, outcomes, members, refusal, now);
  if (isEnded && failure !== undefined) await fail(tx, readId, listingId, failure, now);
  const left = isEnded ? out.filter(({ id }) => id !== readId) : out;
  const isOwn = ownRecentPrices(recent, now).has(price);
  const seen = { price, isSure, isItem: source === 'item', isOwn };
  return settleSeen(
    tx,
    marketplace,
    [listing, ...listings.filter((one) => one !== listing)],
    left,
    seen,
    now,
  );
}

/** Its call may still be running: a process that lost its lease can be alive. */
function isInFlight({ state }: OpenIntent): boolean {
  return state === 'sent';
}

/** While a call may still be running, only a price that exactly one of these intents explains is conclusive. */
async function settleEarly(
  tx: Db,
  listing: CurrentPrice | undefined,
  out: readonly OpenIntent[],
  reading: PriceReading,
  now: Instant,
): Promise<void> {
  const isNew =
    reading.kind === 'price' && reading.source === 'item' && reading.price !== listing?.currentPrice;
  const seen = isNew ? reading.price : null;
  const [arrived, ...alike] = out.filter(({ price }) => price === seen);
  const isSure = arrived !== undefined && alike.length === 0 && listing !== undefined;
  if (isSure) await confirm(tx, arrived, now);
  const left = isSure ? out.filter(({ id }) => id !== arrived.id) : out;
  for (const { id } of left.filter(isInFlight)) await awaitOrphan(tx, id);
  // The reading decides nothing about the others; they are read again soon.
  const others = left.filter((intent) => !isInFlight(intent));
  await readLater(tx, others, '', now);
}

/**
 * A single reading may be wrong, or behind. A second one, some minutes later, that does not find the listing either ends its
 * prices.
 */
async function settleMissing(tx: Db, out: readonly OpenIntent[], now: Instant): Promise<void> {
  const ids = out.map(({ id }) => id);
  // A clock that was set back begins anew.
  const since = out.flatMap(({ missingSince: at }) => (at === null || at > now ? [] : [at]));
  const first = instant(Math.min(now, ...since));
  const endsAt = missingForGoodFrom(first);
  if (now >= endsAt) return rejectIntents(tx, ids, 'The listing is no longer on the marketplace.', now);
  await noteMissing(tx, ids, first);
  for (const id of ids) await scheduleReadBack(tx, id, endsAt, false);
}

/** As if it had been said when the price was sent: what may pass is no rejection. */
async function refuse(
  tx: Db,
  { marketplace, finalRefusals }: OutcomeSource,
  members: readonly OpenIntent[],
  refusal: FoundRefusal,
  now: Instant,
): Promise<void> {
  const ids = members.map(({ id }) => id);
  const passing = passingRefusalOf(refusal, finalRefusals);
  if (passing === null) return rejectIntents(tx, ids, oneLine(refusal.message), now);
  const listings = await lockListings(
    tx,
    members.map(({ listingId }) => listingId),
  );
  const refusals = members.map((intent): PassingRefusal => {
    const listing = listings.find(({ id }) => id === intent.listingId);
    return { ...passing, intent, listedAt: listing?.createdAt ?? now };
  });
  return recordPassingRefusals(tx, marketplace, refusals, ['accepted', 'unknown'], now);
}

/** The price did not arrive, and the marketplace did not reject it: the listing is repriced. */
async function fail(tx: Db, id: number, listingId: number, why: string, now: Instant): Promise<void> {
  await end(tx, [id], oneLine(why), now);
  await markDue(tx, [listingId]);
}

interface SeenPrice {
  readonly price: Cents;
  /** It cannot be one from before that is only shown late. */
  readonly isSure: boolean;
  /** Only an item proves an external edit. */
  readonly isItem: boolean;
  /** In force or sent by us in the last 24 hours. */
  readonly isOwn: boolean;
}

/**
 * The price that buyers see is one of the open intents, still the current price, a former one of ours, or an external
 * edit. A former price says nothing while another one is on its way.
 * @param listings the listing whose intents these are, and those that share its price
 */
async function settleSeen(
  tx: Db,
  marketplace: Marketplace,
  [listing, ...mates]: readonly [CurrentPrice, ...CurrentPrice[]],
  out: readonly OpenIntent[],
  seen: SeenPrice,
  now: Instant,
): Promise<boolean | undefined> {
  const arrived = seen.isSure ? out.findLast(({ price }) => price === seen.price) : undefined;
  if (arrived !== undefined) {
    await confirm(tx, arrived, now);
    if (arrived.isSuperseded) await resendUserPrice(tx, marketplace, listing, seen.price, now);
    // An older one may still arrive: marketplaces do not apply prices in a guaranteed order. It is read until it expires.
    const others = out.filter(({ id }) => id !== arrived.id);
    return without(awaitConfirmation(tx, others, now));
  }
  if (seen.price === listing.currentPrice || !seen.isItem) return without(awaitConfirmation(tx, out, now));
  const all = [listing, ...mates];
  if (seen.isOwn) {
    for (const one of all) await adoptArrivedPrice(tx, one, seen.price, now);
    return without(awaitConfirmation(tx, out, now));
  }
  for (const one of all) {
    if (one.currentPrice !== seen.price) await adoptExternalPrice(tx, one, seen.price, marketplace, now);
  }
  const message = `Buyers see ${moneyText(seen.price)}: the price was changed on the marketplace.`;
  await end(
    tx,
    out.map(({ id }) => id),
    message,
    now,
  );
  const edits = all.filter(({ currentPrice }) => currentPrice !== seen.price);
  return repairExternalEdits(
    tx,
    marketplace,
    edits.map((one) => ({ listing: one, price: seen.price })),
    now,
  );
}

async function confirm(tx: Db, { id, listingId }: OpenIntent, now: Instant): Promise<void> {
  await confirmIntent(tx, id, now);
  await forgetPauses(tx, [listingId], now);
}

/** Nothing was found that was changed on the marketplace. */
async function without(work: Promise<void>): Promise<undefined> {
  await work;
}

async function awaitConfirmation(tx: Db, out: readonly OpenIntent[], now: Instant): Promise<void> {
  for (const { id, listingId, state, sentAt, createdAt, isSuperseded } of out) {
    const at = sentAt ?? createdAt;
    const next = nextReadAfter(at, now);
    if (next !== null) {
      await scheduleReadBack(tx, id, next, true);
      if (state === 'unknown' && now - at >= CONFIRMATION_TIMEOUT) await markDue(tx, [listingId]);
      continue;
    }
    if (isSuperseded) {
      await settle(tx, [id], OPEN_STATES, 'expired', 'Replaced by a newer price.', now);
      continue;
    }
    await end(tx, [id], 'Two hours after sending, buyers still see the previous price.', now);
    await markDue(tx, [listingId]);
  }
}

async function readLater(tx: Db, out: readonly OpenIntent[], why: string, now: Instant): Promise<void> {
  for (const { id, sentAt, createdAt } of out) {
    const next = retryReadAfter(sentAt ?? createdAt, now);
    if (next !== null) await scheduleReadBack(tx, id, next, false);
    else await end(tx, [id], oneLine(`The price could not be confirmed within 24 hours. ${why}`), now);
  }
}

async function end(tx: Db, ids: readonly number[], answer: string, now: Instant): Promise<void> {
  await settle(tx, ids, OPEN_STATES, 'rejected', answer, now);
}
