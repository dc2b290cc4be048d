import type { BestOfferLimits, RaiseOrder, RaiseOutcome } from '#connectors/auto-accept-raises.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type Lease, shareLease } from '#db/queries/background/leases.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import {
  countRaise,
  readLowBestOffers,
  writeRaise,
} from '#db/queries/marketplaces/sending/low-best-offers.ts';
import { countRevisions } from '#db/queries/marketplaces/sending/send-pauses.ts';
import { shareEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { missingFact } from '#domain/decision/completeness.ts';
import { allowedPricesOf } from '#domain/decision/decide.ts';
import { manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { isBelowAllowed } from '#domain/sending/business-prices.ts';
import {
  isBeyondRevisions,
  REVISION_LIMITS,
  revisionDayEnd,
  revisionDayStart,
} from '#domain/sending/revision-limits.ts';
import { hours, type Instant, instant, minutes, seconds } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/lease.ts';
import { actedBy } from '#usecases/editor.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { refOf } from './listing-ref.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { oneLine } from './sending-text.ts';

/** Listings of one pass: each takes three calls, and prices wait for them. */
const AT_ONCE = 3;
/** Time between two looks for listings while there are none. */
const LOOK_EVERY = minutes(1);
/** A call that has not left by then does not leave. */
const SEND_DEADLINE = seconds(20);
/** How often one listing is tried: a revision counts towards those that its marketplace allows a day. */
const TRIED_EVERY = hours(1);
/** Then the listing is read again; the same is not requested again. */
const REFUSED_FOR = hours(24);
const NOT_REFUSED = { raiseRefusal: null, raiseRefused: null };
const RETRY_DELAY = minutes(1);

/** Whether to look for listings now: the seller wants it, and there was no look lately that found none. */
export function isRaiseDue(
  { deps, raiseCheckedAt }: MarketplaceSender,
  { connector, account }: Connection,
): boolean {
  if (connector.bestOffers?.isWanted(account) !== true) return false;
  const since = raiseCheckedAt === null ? -1 : deps.now() - raiseCheckedAt;
  return !(since >= 0 && since < LOOK_EVERY);
}

/**
 * Raises the price from which buyers' offers are accepted for the next few listings, where it is below their lowest
 * allowed price: only what the engine may price itself, and never during a halt. Between two calls for prices.
 * @returns how many listings were tried
 */
export async function raiseBestOffers(sender: MarketplaceSender, connection: Connection): Promise<number> {
  const { bestOffers } = connection.connector;
  if (bestOffers === undefined) return 0;
  const { deps, heldLease } = sender;
  const lease = await heldLease.acquireForCall();
  if (lease === null) return 0;
  const { orders, wasAny } = await take(sender, lease);
  sender.raiseCheckedAt = wasAny ? null : deps.now();
  for (const order of orders) await record(sender, order, await call(sender, connection, bestOffers, order));
  return orders.length;
}

/** Marked as tried before the call: after a crash the listing is read again before anything is written. */
async function take(
  { deps, marketplace }: MarketplaceSender,
  lease: Lease,
): Promise<{ readonly orders: readonly RaiseOrder[]; readonly wasAny: boolean }> {
  const taken = await transact(deps.db, async (tx) => {
    const now = deps.now();
    if (!(await shareLease(tx, lease))) return null;
    const { halted, release } = await shareEngineSwitches(tx);
    if (halted || release !== deps.release) return null;
    const low = await readLowBestOffers(tx, marketplace, AT_ONCE, now);
    if (low.length === 0) return null;
    const context = await loadPricingContext(tx, now);
    const ids = low.map(({ listingId }) => listingId);
    const inputs = new Map((await loadPricingInputs(tx, context, ids)).map((one) => [one.listing.id, one]));
    const used = await usedUp(tx, marketplace, ids, now);
    const orders: RaiseOrder[] = [];
    for (const row of low) {
      const allowed = allowedBy(inputs.get(row.listingId));
      const isUsedUp = used.has(row.listingId);
      const raiseAfter = isUsedUp ? revisionDayEnd(now) : instant(now + TRIED_EVERY);
      await writeRaise(tx, row.listingId, { raiseAfter });
      if (isUsedUp || allowed === null || !isBelowAllowed(row.autoAcceptPrice, allowed)) continue;
      const { refused } = row;
      orders.push({ ref: refOf(row), allowed, refused, notAfter: instant(now + SEND_DEADLINE) });
    }
    return orders;
  });
  return { orders: taken ?? [], wasAny: taken !== null };
}

/** Listings whose revisions of the day, those for repairs included, are used up. */
async function usedUp(
  tx: Db,
  marketplace: Marketplace,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlySet<number>> {
  const limits = REVISION_LIMITS[marketplace];
  if (limits === undefined) return new Set();
  const counts = await countRevisions(tx, ids, revisionDayStart(now));
  // As a repair it ends sales below the margin floor.
  return new Set(ids.filter((id) => isBeyondRevisions(limits, counts.get(id) ?? 0, 'repairs')));
}

/** By the seller's own margins alone; null where the engine may not set prices, or costs or fees are missing. */
function allowedBy(input: PricingInput | undefined): RaiseOrder['allowed'] | null {
  if (input === undefined) return null;
  const { facts, choice, policy } = input;
  if (policy.mode !== 'live' || !policy.autoRepricing || policy.halted || facts.isMissing) return null;
  const own = { ...facts, marketplaceLimits: null };
  return missingFact(own) === null ? allowedPricesOf(own, manualPriceMargin(choice, facts)) : null;
}

async function call(
  { deps }: MarketplaceSender,
  { account }: Connection,
  bestOffers: BestOfferLimits,
  order: RaiseOrder,
): Promise<RaiseOutcome> {
  try {
    return await bestOffers.raise(account, order, AbortSignal.timeout(LONGEST_CALL));
  } catch (error) {
    deps.onUnexpectedError(error);
    return { kind: 'unknown', message: 'The marketplace did not report a result.' };
  }
}

async function record(
  { deps }: MarketplaceSender,
  { ref: { listingId } }: RaiseOrder,
  outcome: RaiseOutcome,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const now = deps.now();
    const mayHaveRevised = outcome.kind === 'raised' || outcome.kind === 'unknown';
    if (mayHaveRevised) await countRaise(tx, listingId, revisionDayStart(now));
    switch (outcome.kind) {
      case 'raised': {
        await writeRaise(tx, listingId, { autoAcceptPrice: outcome.to, ...NOT_REFUSED });
        const target = { targetKind: 'listing', targetId: String(listingId) } as const;
        const change = {
          before: { autoAcceptPrice: decimalFromCents(outcome.from) },
          after: { autoAcceptPrice: decimalFromCents(outcome.to) },
        };
        const acted = { ...actedBy(ENGINE, now), action: 'listing.best_offer_raised' } as const;
        await insertAudits(tx, [{ ...acted, ...target, ...change }]);
        break;
      }
      case 'unneeded':
        await writeRaise(tx, listingId, { autoAcceptPrice: outcome.autoAccept, ...NOT_REFUSED });
        break;
      case 'refused': {
        const raiseAfter = instant(now + REFUSED_FOR);
        const { message, asked: raiseRefused } = outcome;
        const why = message === null ? {} : { raiseRefusal: oneLine(message) };
        await writeRaise(tx, listingId, { raiseAfter, raiseRefused, ...why });
        break;
      }
      case 'not_sent': {
        const wait = Math.max(Math.ceil(outcome.retryAfter ?? 0), RETRY_DELAY);
        await writeRaise(tx, listingId, { raiseAfter: instant(now + wait) });
        break;
      }
      case 'unknown':
        break;
    }
    await notify(tx, 'pricewright_listings', [listingId]);
  });
}
