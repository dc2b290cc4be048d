import { notify } from '#db/listen.ts';
import type { Lease } from '#db/queries/background/leases.ts';
import { hasUnfinishedWrites } from '#db/queries/marketplaces/connections/account-findings.ts';
import { hasMigrationsDue } from '#db/queries/marketplaces/sending/listing-migrations.ts';
import { hasOpenIntents } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { isPauseDue, resumePaused } from '#db/queries/marketplaces/sending/send-pauses.ts';
import {
  advanceReadBacks,
  limitSentTimes,
  markOrphansUnknown,
  readBackSentNow,
} from '#db/queries/marketplaces/sending/sent-prices.ts';
import { hasItemsToRead } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant, minutes, seconds } from '#domain/units.ts';
import { HeldLease } from '#usecases/background/lease.ts';
import { sendLease } from '#usecases/background/lease-names.ts';
import type { LoopTask } from '#usecases/background/supervised-loop.ts';
import { type ConnectionState, isReachable } from '#usecases/marketplaces/connections/connections.ts';
import { expireQueuedPrices } from './expire-queued-prices.ts';
import { finishWrites } from './finish-writes.ts';
import { MIGRATION_ANSWER_TIMEOUT, migrateNext } from './migrate-next.ts';
import { isRaiseDue, raiseBestOffers } from './raise-best-offers.ts';
import { readBack } from './read-back.ts';
import { waitedForReadAfter } from './read-back-schedule.ts';
import { readSuspects } from './read-suspects.ts';
import { sendNext } from './send-next.ts';
import type { MarketplaceSender, SendingDeps } from './sending-deps.ts';
import { ItemAllowance } from './suspect-read-allowance.ts';

/** Milliseconds between two steps when idle. */
const IDLE_WAIT = 750;

/** When a limit resets, the prices that waited for it are not sent all at once. */
const RESUMING = { step: seconds(5), within: minutes(10) };

export interface SendingLoopDeps extends SendingDeps {
  readonly onError: (error: unknown, marketplace: Marketplace) => void;
}

/** Sends the prices of one marketplace. */
export function sendingLoop(deps: SendingLoopDeps, marketplace: Marketplace): LoopTask {
  const sender = createSender(deps, marketplace);
  return {
    idleWait: IDLE_WAIT,
    turn: () => sendTick(sender),
    onError: (error) => deps.onError(error, marketplace),
    release: () => sender.heldLease.release(),
  };
}

/**
 * Longer than any of our calls: a price marked earlier no longer has a call waiting for its response. For prices marked by
 * the previous lease holder it counts from the takeover, by our clock, since theirs may differ.
 */
const ANSWER_TIMEOUT = minutes(1);

export function createSender(deps: SendingDeps, marketplace: Marketplace): MarketplaceSender {
  return {
    deps,
    marketplace,
    heldLease: new HeldLease(deps, sendLease(marketplace)),
    itemAllowance: new ItemAllowance(deps.now),
    pause: null,
    tookOver: null,
    raiseCheckedAt: null,
  };
}

/**
 * One step of sending to a marketplace: expires what is too old, reads back what is due, sends a few prices, and reads the
 * items of suspect prices. Call it again immediately after "worked".
 */
export async function sendTick(sender: MarketplaceSender): Promise<'worked' | 'idle'> {
  const { deps, marketplace, heldLease } = sender;
  const state = await deps.connections.stateOf(marketplace);
  const hasItems = isReachable(state) && (await hasItemsToRead(deps.db, marketplace, deps.now()));
  const migrationsDue = isReachable(state) && (await hasMigrations(sender));
  const isConnected = state.kind === 'connected';
  const hasWrites = isConnected && (await hasUnfinishedWrites(deps.db, marketplace));
  const raisesDue = state.kind === 'connected' && isRaiseDue(sender, state.connection);
  const hasWork =
    hasItems ||
    raisesDue ||
    hasWrites ||
    migrationsDue ||
    (await hasOpenIntents(deps.db, marketplace)) ||
    (await isPauseDue(deps.db, marketplace, deps.now()));
  if (!hasWork) return 'idle';
  const lease = await heldLease.acquire();
  if (lease === null) return 'idle';
  await tidy(sender, state, await tookOverAt(sender, lease));
  if (!isReachable(state)) return 'idle';
  if (isConnected && hasWrites) await finishWrites(sender, state.connection);
  // In read-only mode, prices sent earlier are still read back.
  const read = await readBack(sender, state.connection);
  const migrated = isConnected && migrationsDue ? await migrateNext(sender, state.connection) : 0;
  const sent = isConnected ? await sendNext(sender, state.connection) : 0;
  const raised = isConnected && raisesDue ? await raiseBestOffers(sender, state.connection) : 0;
  const checked = hasItems ? await readSuspects(sender, state.connection) : 0;
  return read > 0 || migrated > 0 || sent > 0 || raised > 0 || checked > 0 ? 'worked' : 'idle';
}

function hasMigrations({ deps, marketplace }: MarketplaceSender): Promise<boolean> {
  const now = deps.now();
  return hasMigrationsDue(deps.db, marketplace, now, instant(now - MIGRATION_ANSWER_TIMEOUT));
}

/** Takes over, once per lease, what the previous holder marked as sent. @returns when that was, by our clock */
async function tookOverAt(sender: MarketplaceSender, { fence }: Lease): Promise<Instant> {
  const { deps, marketplace, tookOver } = sender;
  const at = deps.now();
  // After the clock was set back the stored time is of no use.
  if (tookOver !== null && tookOver.fence === fence && tookOver.at <= at) return tookOver.at;
  await readBackSentNow(deps.db, marketplace, at);
  sender.tookOver = { fence, at };
  return at;
}

async function tidy(
  { deps, marketplace }: MarketplaceSender,
  state: ConnectionState,
  tookOver: Instant,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const now = deps.now();
    const obstacle = reasonNotConnected(state);
    const { stopped, expired } = await expireQueuedPrices(tx, marketplace, obstacle, now);
    // Resuming and connecting already mark every listing as due.
    if (obstacle === null) await markDue(tx, expired);
    await resumePaused(tx, marketplace, RESUMING, now);
    await limitSentTimes(tx, marketplace, now);
    await advanceReadBacks(tx, marketplace, waitedForReadAfter(now));
    const mayBeInFlight = now - tookOver < ANSWER_TIMEOUT;
    const orphaned = mayBeInFlight
      ? []
      : await markOrphansUnknown(
          tx,
          marketplace,
          instant(now - ANSWER_TIMEOUT),
          'Delivery not confirmed.',
          now,
        );
    const touched = [...stopped, ...expired, ...orphaned];
    if (touched.length > 0) await notify(tx, 'pricewright_listings', touched);
  });
}

function reasonNotConnected(state: ConnectionState): string | null {
  if (state.kind === 'connected') return null;
  return state.kind === 'file'
    ? 'The marketplace was disconnected before the price was sent.'
    : `Not sent: ${state.why}`;
}
