import type { FoundRefusal, SendOutcome } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import type { OpenIntent } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { readQueuedOf } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { rejectIntents } from '#db/queries/marketplaces/sending/refusals.ts';
import {
  type PausedListing,
  pauseListings,
  readLastPauses,
} from '#db/queries/marketplaces/sending/send-pauses.ts';
import {
  expireUnsent,
  postponeIntent,
  type UnsentState,
} from '#db/queries/marketplaces/sending/unsent-prices.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { isBeyondRevisions, type RevisionLimits, revisionDayEnd } from '#domain/sending/revision-limits.ts';
import { pauseEnd, type SendPauseReason, sendPauseText } from '#domain/sending/send-pause.ts';
import { type Instant, instant, minutes } from '#domain/units.ts';
import { INTENT_TTL } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import type { SendingDeps } from './sending-deps.ts';
import { oneLine } from './sending-text.ts';

/*
 * A refusal that passes ends the engine's price, which is decided again when the pause is over. A user's price, and the
 * repair of an external edit, waits for that in the queue.
 */

/** Users' prices go after prices below the margin floor, which have to be decided first. */
const USERS_AFTER = minutes(1);

/** A price that its marketplace did not take for now. */
export interface PassingRefusal {
  readonly intent: OpenIntent;
  readonly why: SendPauseReason;
  /** When the marketplace takes prices again, if it said so. */
  readonly until: Instant | null;
  /** Other listings of the marketplace do not need the calls that are used up. */
  readonly othersMayGo: boolean;
  /** A price that ends a loss may go, also of this listing. */
  readonly urgentMayGo: boolean;
  /** Its message. */
  readonly message: string;
  /** When the listing was added here. */
  readonly listedAt: Instant;
}

/**
 * What passes of the outcome of a price: a refusal whose code is not known as final may, one without a code is our own.
 * Null for any other outcome.
 * @param finalRefusals codes of refusals that are final
 */
export function passingRefusalOf(
  outcome: SendOutcome | FoundRefusal | undefined,
  finalRefusals: ReadonlySet<string>,
): Pick<PassingRefusal, 'why' | 'until' | 'othersMayGo' | 'urgentMayGo' | 'message'> | null {
  if (outcome?.kind === 'not_sent' && outcome.why !== undefined) {
    const { why, until = null, message } = outcome;
    const othersMayGo = 'othersMayGo' in outcome && outcome.othersMayGo === true;
    const urgentMayGo = 'urgentMayGo' in outcome && outcome.urgentMayGo === true;
    return { why, until, othersMayGo, urgentMayGo, message };
  }
  if (outcome?.kind === 'rejected' && outcome.code !== null && !isFinal(outcome.code, finalRefusals)) {
    return { why: 'unclear', until: null, othersMayGo: true, urgentMayGo: false, message: outcome.message };
  }
  return null;
}

/** Walmart's codes go on after a dot with the part of its system that refused. */
function isFinal(code: string, finalRefusals: ReadonlySet<string>): boolean {
  return finalRefusals.has(code) || finalRefusals.has(code.slice(0, Math.max(0, code.indexOf('.'))));
}

/**
 * Records refusals that pass; what is refused for good after all counts as rejected. Lock the listings first.
 * @param from the states that the prices may be in
 */
export async function recordPassingRefusals(
  tx: Db,
  marketplace: Marketplace,
  refusals: readonly PassingRefusal[],
  from: readonly UnsentState[],
  now: Instant,
): Promise<void> {
  if (refusals.length === 0) return;
  const pauses = await readLastPauses(
    tx,
    refusals.map(({ intent }) => intent.listingId),
  );
  for (const { intent, why, until, othersMayGo, urgentMayGo, message, listedAt } of refusals) {
    const last = pauses.get(intent.listingId);
    const before = last?.why === why ? last : null;
    const timesBefore = before?.times ?? 0;
    const end = pauseEnd({ why, until, timesBefore, lastUntil: before?.until ?? null, listedAt }, now);
    // A user sees at once what is not known to pass.
    if (end === null || (why === 'unclear' && isOfUser(intent))) {
      await rejectIntents(tx, [intent.id], oneLine(message), now);
      continue;
    }
    const pause: PausedListing = {
      ...pausedPrice(intent, marketplace),
      why,
      until: end,
      allowsRepairs: (urgentMayGo || why === 'unclear' || why === 'not_told') && !isRepairOf(intent),
      othersMayGo,
      times: timesBefore + 1,
    };
    const text = oneLine(`${sendPauseText(why, { ...intent, marketplace })} ${message}`);
    await pausePrice(tx, intent, from, pause, text, now);
  }
}

/** A marketplace's limits of revisions a day, and how many each listing had. */
export interface DayRevisions {
  readonly limits: RevisionLimits;
  readonly counts: ReadonlyMap<number, number>;
}

/** Whether one more revision of the listing is beyond what is planned for such a price. */
export function isBeyondPlan(intent: OpenIntent, { limits, counts }: DayRevisions): boolean {
  return isBeyondRevisions(limits, counts.get(intent.listingId) ?? 0, revisionKind(intent));
}

/** Pauses listings until the next day instead of a revision that is kept for another kind of price. */
export async function pauseUntilNextDay(
  tx: Db,
  marketplace: Marketplace,
  intents: readonly OpenIntent[],
  now: Instant,
): Promise<void> {
  for (const intent of intents) {
    const why = 'revision_limit';
    const pause: PausedListing = {
      ...pausedPrice(intent, marketplace),
      why,
      until: revisionDayEnd(now),
      allowsRepairs: revisionKind(intent) === 'engine',
      othersMayGo: true,
      times: 0,
    };
    await pausePrice(tx, intent, ['queued'], pause, sendPauseText(why, { ...intent, marketplace }), now);
  }
}

/** Pauses listings whose business prices would stay too low. @param whys a sentence for each, by listing */
export async function pauseForBusinessPrices(
  tx: Db,
  marketplace: Marketplace,
  intents: readonly OpenIntent[],
  whys: ReadonlyMap<number, string>,
  now: Instant,
): Promise<void> {
  const why = 'business_price';
  for (const intent of intents) {
    const until = pauseEnd({ why, until: null, timesBefore: 0, lastUntil: null, listedAt: now }, now) ?? now;
    const pause: PausedListing = {
      ...pausedPrice(intent, marketplace),
      why,
      until,
      allowsRepairs: true,
      othersMayGo: true,
      times: 1,
    };
    const text = whys.get(intent.listingId) ?? sendPauseText(why, { ...intent, marketplace });
    await pausePrice(tx, intent, ['queued'], pause, oneLine(text), now);
  }
}

/** While a marketplace takes no calls nothing is queued for it: what is decided now is decided again then. */
export async function pauseQueued(
  { db, now }: SendingDeps,
  marketplace: Marketplace,
  until: Instant,
): Promise<void> {
  await transact(db, async (tx) => {
    const queued = await readQueuedOf(tx, marketplace);
    if (queued.length === 0) return;
    const ids = queued.map(({ listingId }) => listingId);
    await lockListings(tx, ids);
    const why = 'daily_limit';
    for (const intent of queued) {
      const pause = {
        ...pausedPrice(intent, marketplace),
        why,
        until,
        allowsRepairs: false,
        othersMayGo: false,
        times: 1,
      } as const;
      const text = sendPauseText(why, { ...intent, marketplace });
      await pausePrice(tx, intent, ['queued'], pause, text, now());
    }
    await notify(tx, 'pricewright_listings', ids);
  });
}

async function pausePrice(
  tx: Db,
  intent: OpenIntent,
  from: readonly UnsentState[],
  pause: PausedListing,
  answer: string,
  now: Instant,
): Promise<void> {
  await pauseListings(tx, [pause]);
  if (intent.source !== 'rule') {
    const until = isOfUser(intent) ? instant(pause.until + USERS_AFTER) : pause.until;
    const lastMoment = instant(until + INTENT_TTL);
    return postponeIntent(tx, intent.id, from, { until, lastMoment }, answer, now);
  }
  await expireUnsent(tx, intent.id, from, answer, now);
  await markDue(tx, [intent.listingId]);
}

function pausedPrice(
  intent: OpenIntent,
  marketplace: Marketplace,
): Pick<PausedListing, 'listingId' | 'marketplace' | 'price' | 'fromPrice'> {
  const { listingId, price, fromPrice } = intent;
  return { listingId, marketplace, price, fromPrice };
}

function revisionKind(intent: OpenIntent): keyof RevisionLimits {
  if (isRepairOf(intent)) return 'repairs';
  return isOfUser(intent) ? 'users' : 'engine';
}

function isOfUser({ source }: OpenIntent): boolean {
  return source !== 'rule' && source !== 'repair';
}

function isRepairOf({ source, fromPrice, marginFloor }: OpenIntent): boolean {
  return source === 'repair' || (source === 'rule' && fromPrice < marginFloor);
}
