import { notify } from '#db/listen.ts';
import type { Lease } from '#db/queries/background/leases.ts';
import {
  advanceReadBacks,
  bringOutBack,
  expireQueuedOf,
  hasOpenIntents,
  lookAtSent,
  markDue,
  markOrphansUnknown,
} from '#db/queries/marketplaces/send-queue.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { HeldLease } from '#usecases/background/held-lease.ts';
import { type ConnectionState, isReachable } from '#usecases/marketplaces/connections/connections.ts';
import { INTENT_TTL } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { readBack } from './read-back.ts';
import { waitedForReadAfter } from './read-times.ts';
import { sendNext } from './send-next.ts';
import type { MarketplaceSender, SendingDeps } from './sending-deps.ts';

/**
 * Longer than any call of ours: nobody waits for the answer of a price that was marked before that. What the holder before
 * marked is counted from the moment at which this one took over, by one clock: theirs may be another.
 */
const ANSWER_TIMEOUT = hours(1 / 60);

export function createSender(deps: SendingDeps, marketplace: Marketplace): MarketplaceSender {
  return { deps, marketplace, duty: new HeldLease(deps, `send:${marketplace}`), rest: null, tookOver: null };
}

/**
 * One piece of the sending of one marketplace: ends what is too old, reads back what is due, sends a few prices. Call it
 * again at once after "worked".
 */
export async function sendTick(desk: MarketplaceSender): Promise<'worked' | 'idle'> {
  const { deps, marketplace, duty } = desk;
  const state = await deps.connections.stateOf(marketplace);
  if (!(await hasOpenIntents(deps.db, marketplace))) return 'idle';
  const lease = await duty.hold();
  if (lease === null) return 'idle';
  await tidy(desk, state, await tookOverAt(desk, lease));
  if (!isReachable(state)) return 'idle';
  // What was out when the leave to send was taken back is still read.
  const read = await readBack(desk, state.connection);
  const sent = state.kind === 'connected' ? await sendNext(desk, state.connection) : 0;
  return read > 0 || sent > 0 ? 'worked' : 'idle';
}

/** Looks once under each lease at what the holder before marked as sent. @returns when that was, by our clock */
async function tookOverAt(desk: MarketplaceSender, { fence }: Lease): Promise<Instant> {
  const { deps, marketplace, tookOver } = desk;
  const at = deps.now();
  // A clock that was set back tells nothing.
  if (tookOver !== null && tookOver.fence === fence && tookOver.at <= at) return tookOver.at;
  await lookAtSent(deps.db, marketplace, at);
  desk.tookOver = { fence, at };
  return at;
}

async function tidy(
  { deps, marketplace }: MarketplaceSender,
  state: ConnectionState,
  tookOver: Instant,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const now = deps.now();
    const { halted, changedAt } = await readEngineSwitches(tx);
    const stopped = halted
      ? await expireQueuedOf(
          tx,
          marketplace,
          { stoppedBy: changedAt },
          'Not sent: repricing was halted.',
          now,
        )
      : [];
    const unwanted = whyNotConnected(state);
    const ended =
      unwanted === null
        ? await expireQueuedOf(
            tx,
            marketplace,
            { life: INTENT_TTL },
            'The price waited too long to be sent.',
            now,
          )
        : await expireQueuedOf(tx, marketplace, 'all', unwanted, now);
    // Resuming and connecting mark everything as due by themselves.
    if (unwanted === null) await markDue(tx, ended);
    await bringOutBack(tx, marketplace, now);
    await advanceReadBacks(tx, marketplace, waitedForReadAfter(now));
    const mayBeOnTheWire = now - tookOver < ANSWER_TIMEOUT;
    const orphaned = mayBeOnTheWire
      ? []
      : await markOrphansUnknown(
          tx,
          marketplace,
          instant(now - ANSWER_TIMEOUT),
          'Delivery not confirmed.',
          now,
        );
    const touched = [...stopped, ...ended, ...orphaned];
    if (touched.length > 0) await notify(tx, 'pricewright_listings', touched);
  });
}

function whyNotConnected(state: ConnectionState): string | null {
  if (state.kind === 'connected') return null;
  return state.kind === 'file'
    ? 'The marketplace was disconnected before the price was sent.'
    : `Not sent: ${state.why}`;
}
