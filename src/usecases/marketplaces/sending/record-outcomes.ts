import type { SendOutcome } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import { confirmIntent } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import type { OpenIntent } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { rejectIntents } from '#db/queries/marketplaces/sending/refusals.ts';
import { endPauses, forgetNotFound, forgetPauses } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { awaitReadBack } from '#db/queries/marketplaces/sending/sent-prices.ts';
import { requeueIntent } from '#db/queries/marketplaces/sending/unsent-prices.ts';
import { writeListingPlace } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type PassingRefusal, passingRefusalOf, recordPassingRefusals } from './passing-refusals.ts';
import { firstReadAfter } from './read-back-schedule.ts';
import { compareStoppedPrices, recordStop } from './record-stop.ts';
import type { SentBatch } from './send-next.ts';
import type { SendingDeps } from './sending-deps.ts';
import { oneLine } from './sending-text.ts';

/** Milliseconds until a price that was certainly not sent is tried again, unless the marketplace sets a retry time. */
const RETRY_DELAY = 5_000;

/** Where the outcomes are from. */
export interface OutcomeSource {
  readonly marketplace: Marketplace;
  /** Codes of refusals that are final; others may pass. */
  readonly finalRefusals: ReadonlySet<string>;
}

/**
 * Records the outcomes of one call, each only if its intent is still open. A price without an outcome is unknown.
 * @returns milliseconds to pause calls to the marketplace; null when it accepted a price, or would have accepted others
 */
export async function recordOutcomes(
  { db, now }: SendingDeps,
  { intents, at }: SentBatch,
  outcomes: readonly SendOutcome[],
  { marketplace, finalRefusals }: OutcomeSource,
): Promise<number | null> {
  const byListing = outcomesByListing(intents, outcomes);
  const ids = intents.map(({ listingId }) => listingId);
  await transact(db, async (tx) => {
    const time = now();
    const listings = new Map((await lockListings(tx, ids)).map((listing) => [listing.id, listing]));
    const passing: PassingRefusal[] = [];
    const accepted: AcceptedPrice[] = [];
    for (const intent of intents) {
      const outcome = byListing.get(intent.listingId);
      const refusal = passingRefusalOf(outcome, finalRefusals);
      if (outcome?.moved !== undefined) await writeListingPlace(tx, intent.listingId, outcome.moved);
      if (outcome?.kind === 'accepted') accepted.push({ id: intent.id, outcome });
      else if (refusal === null) await record(tx, intent, outcome, time);
      else passing.push({ ...refusal, intent, listedAt: listings.get(intent.listingId)?.createdAt ?? time });
    }
    await recordAccepted(tx, accepted, at);
    await recordPassingRefusals(tx, marketplace, passing, ['sent'], time);
    // Before the pauses are ended: what was accepted or stopped was found.
    await forgetNotFound(tx, [...listingsWith(outcomes, 'accepted'), ...listingsWith(outcomes, 'stopped')]);
    // What was accepted may still be refused when it is read back: until then the refusals before it count.
    await endPauses(tx, listingsWith(outcomes, 'accepted'), time);
    await forgetPauses(tx, listingsWith(outcomes, 'live'), time);
    await notify(tx, 'pricewright_listings', ids);
  });
  await compareStoppedPrices(db, intents, outcomes, now());
  const retryDelays = outcomes.map((outcome) =>
    outcome.kind === 'not_sent' && outcome.othersMayGo !== true && outcome.why === undefined
      ? (outcome.retryAfter ?? 0)
      : null,
  );
  const isRefusedAll = retryDelays.length > 0 && retryDelays.every((wait) => wait !== null);
  return isRefusedAll ? Math.max(...retryDelays.map(Number)) : null;
}

/**
 * The price of a price group has one outcome: that of its members where all are alike, else it is unknown as soon as one
 * of them may have arrived.
 */
function outcomesByListing(
  intents: readonly OpenIntent[],
  outcomes: readonly SendOutcome[],
): ReadonlyMap<number, SendOutcome> {
  const byListing = new Map(outcomes.map((outcome) => [outcome.listingId, outcome]));
  const groups = groupBy(
    intents.filter(({ groupOrder }) => groupOrder !== null),
    ({ groupOrder }) => groupOrder ?? '',
  );
  for (const members of groups.values()) {
    const own = members.map(({ listingId }) => byListing.get(listingId));
    if (own.every((outcome, index) => isAlike(outcome, own[0], members[index]?.price))) continue;
    const left = own.find((outcome) => outcome !== undefined && !mayHaveArrived(outcome));
    const isCertain = own.every((outcome) => outcome !== undefined && !mayHaveArrived(outcome));
    for (const { listingId } of members) {
      const message = 'The marketplace gave different results for listings that share a price.';
      byListing.set(
        listingId,
        isCertain && left !== undefined ? { ...left, listingId } : { listingId, kind: 'unknown', message },
      );
    }
  }
  return byListing;
}

function isAlike(
  outcome: SendOutcome | undefined,
  first: SendOutcome | undefined,
  price: number | undefined,
): boolean {
  return outcome?.kind === first?.kind && (outcome?.kind !== 'live' || outcome.price === price);
}

function mayHaveArrived({ kind }: SendOutcome): boolean {
  return kind === 'accepted' || kind === 'live' || kind === 'unknown';
}

function listingsWith(outcomes: readonly SendOutcome[], kind: SendOutcome['kind']): number[] {
  return outcomes.filter((outcome) => outcome.kind === kind).map(({ listingId }) => listingId);
}

interface AcceptedPrice {
  readonly id: number;
  readonly outcome: Extract<SendOutcome, { readonly kind: 'accepted' }>;
}

/** A file has thousands of prices with one receipt: they are recorded at once. */
async function recordAccepted(tx: Db, accepted: readonly AcceptedPrice[], sentAt: Instant): Promise<void> {
  const groups = groupBy(accepted, ({ outcome }) => `${outcome.receipt} ${outcome.shownAfter}`);
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;
    const { receipt, shownAfter } = first.outcome;
    const ids = [first, ...others].map(({ id }) => id);
    const said = { receipt, answer: null };
    await awaitReadBack(tx, ids, 'accepted', said, firstReadAfter(sentAt, shownAfter));
  }
}

async function record(
  tx: Db,
  intent: OpenIntent,
  outcome: Exclude<SendOutcome, { readonly kind: 'accepted' }> | undefined,
  now: Instant,
): Promise<void> {
  const { id, price, listingId } = intent;
  switch (outcome?.kind) {
    case 'live':
      if (outcome.price === price) {
        await confirmIntent(tx, id, now);
        return;
      }
      return unknown(tx, id, 'The marketplace returned a different price.', now);
    case 'rejected':
      return rejectIntents(tx, [id], oneLine(outcome.message), now);
    case 'not_sent': {
      const later = instant(now + Math.max(Math.ceil(outcome.retryAfter ?? 0), RETRY_DELAY));
      const state = await requeueIntent(tx, id, later, oneLine(outcome.message), now);
      if (state === 'expired') await markDue(tx, [listingId]);
      return;
    }
    case 'stopped':
      return recordStop(tx, intent, outcome, now);
    case 'unknown':
      return unknown(tx, id, oneLine(outcome.message), now);
    case undefined:
      return unknown(tx, id, 'The marketplace did not report a result for this price.', now);
  }
}

/** Read back immediately; nothing else is sent for the listing before that. */
function unknown(tx: Db, id: number, answer: string, now: Instant): Promise<void> {
  return awaitReadBack(tx, [id], 'unknown', { receipt: null, answer }, now);
}

/** Puts prices that were marked as sent back into the queue when no call was made. */
export async function requeueUnsent(
  { db, now }: SendingDeps,
  { intents }: SentBatch,
  answer: string,
): Promise<void> {
  const ids = intents.map(({ listingId }) => listingId);
  await transact(db, async (tx) => {
    await lockListings(tx, ids);
    for (const { id, listingId } of intents) {
      const state = await requeueIntent(tx, id, null, answer, now());
      if (state === 'expired') await markDue(tx, [listingId]);
    }
    await notify(tx, 'pricewright_listings', ids);
  });
}
