import type { Account, OfferReading } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import {
  type OfferChange,
  type OfferNotifications,
  type OfferSink,
  offerKey,
} from '#connectors/offer-messages.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type Lease, shareLease } from '#db/queries/background/leases.ts';
import {
  endEventSubscription,
  failEventSubscription,
  markEventReceived,
  startEventSubscription,
} from '#db/queries/marketplaces/connections/event-subscriptions.ts';
import { offerTimes } from '#db/queries/marketplaces/offers/offers.ts';
import { listByItem } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { readUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import { hours, type Instant, minutes } from '#domain/units.ts';
import { Backoff } from '#usecases/background/backoff.ts';
import { HeldLease, type LeaseDeps } from '#usecases/background/lease.ts';
import { LISTEN_LEASE } from '#usecases/background/lease-names.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';
import { ingestOffers } from '#usecases/marketplaces/sync/ingest-offers.ts';
import { NOTIFICATIONS_FAILED } from '#usecases/sync-errors.ts';
import { isSameAccount } from './same-account.ts';

/** Milliseconds between two checks of the lease and the credentials. */
const CHECK_INTERVAL = 5_000;
/** Time after which the subscription is checked again. */
const SUBSCRIPTION_CHECK_INTERVAL = hours(6);
/** Listening for longer than this resets the backoff. */
const STABLE_AFTER = minutes(6);

export interface OfferListeningDeps extends LeaseDeps {
  readonly connections: Connections;
  readonly notifications: OfferNotifications;
  readonly onError: (error: unknown) => void;
}

/**
 * Receives Amazon's notifications about changed offers from the seller's queue while one is set and Amazon is connected.
 * One process does it at a time. Regular syncs continue and make up for lost notifications.
 */
export class OfferListening implements LoopTask {
  readonly idleWait = CHECK_INTERVAL;
  readonly #deps: OfferListeningDeps;
  readonly #lease: HeldLease;
  readonly #backoff = new Backoff(isSameAccount);

  constructor(deps: OfferListeningDeps) {
    this.#deps = deps;
    this.#lease = new HeldLease(deps, LISTEN_LEASE);
  }

  async turn(host: LoopHost): Promise<'idle'> {
    const { now } = this.#deps;
    let account: Account | null = null;
    try {
      account = await this.#accountToListen();
      if (this.#backoff.canRetry(account, now())) await this.#listen(account, host);
    } catch (error) {
      this.#backoff.fail(account, now());
      await reportFailure(this.#deps, error);
    }
    return 'idle';
  }

  onError(error: unknown): void {
    this.#deps.onError(error);
  }

  release(): Promise<void> {
    return this.#lease.release();
  }

  /** Null also while a restore is not confirmed: messages that a copy takes are lost to the original. */
  async #accountToListen(): Promise<Account | null> {
    const { db, connections } = this.#deps;
    return (await readUnconfirmedRestore(db)) === null ? accountWithQueue(connections) : null;
  }

  /** Listens until the credentials change, another process holds the lease, or the process stops. */
  async #listen(account: Account | null, host: LoopHost): Promise<void> {
    const deps = this.#deps;
    if (account === null) {
      if (await endEventSubscription(deps.db, 'amazon')) await notify(deps.db, 'pricewright_engine', []);
      return;
    }
    const lease = await this.#lease.acquire();
    if (lease === null) return;
    const ended = new AbortController();
    const limits = [host.stopping, ended.signal];
    await withTimeLimit(SUBSCRIPTION_CHECK_INTERVAL, limits, (signal) =>
      this.#listenUntil(signal, { account, lease }, ended, host),
    );
  }

  async #listenUntil(
    signal: AbortSignal,
    { account, lease }: { readonly account: Account; readonly lease: Lease },
    ended: AbortController,
    host: LoopHost,
  ): Promise<void> {
    const deps = this.#deps;
    await deps.notifications.subscribe(account, signal);
    await startEventSubscription(deps.db, 'amazon', deps.now());
    await notify(deps.db, 'pricewright_engine', []);
    const listening = deps.notifications
      .listen(account, sinkOf(deps, lease), signal)
      .finally(() => ended.abort());
    // Waits for both, so that nothing of this round is still running when the next one starts.
    const startedAt = deps.now();
    const [listened, watched] = await Promise.allSettled([
      listening,
      this.#watch({ account, lease }, ended, host),
    ]);
    if (deps.now() - startedAt > STABLE_AFTER || listened.status === 'fulfilled') this.#backoff.succeed();
    if (listened.status === 'rejected') throw listened.reason;
    if (watched.status === 'rejected') throw watched.reason;
  }

  /** Ends the listening when the lease is lost or the credentials have changed. */
  async #watch(
    initial: { readonly account: Account; readonly lease: Lease },
    ended: AbortController,
    { stopping, wait }: LoopHost,
  ): Promise<void> {
    const { db } = this.#deps;
    try {
      while (!ended.signal.aborted && !stopping.aborted) {
        await wait(CHECK_INTERVAL);
        if (ended.signal.aborted || stopping.aborted) return;
        const account = await this.#accountToListen();
        const lease = await this.#lease.acquire();
        if (lease?.fence !== initial.lease.fence) return;
        if (!isSameAccount(account, initial.account)) {
          // Another queue is another subscription.
          await endEventSubscription(db, 'amazon');
          return;
        }
      }
    } finally {
      ended.abort();
    }
  }
}

/** The Amazon account while it is connected and a queue is set; other queue settings are checked when it is opened. */
async function accountWithQueue(connections: Connections): Promise<Account | null> {
  const state = await connections.stateOf('amazon');
  if (state.kind !== 'connected') return null;
  const { account } = state.connection;
  return (account.credentials.sqsQueueUrl ?? '') === '' ? null : account;
}

async function reportFailure(deps: OfferListeningDeps, error: unknown): Promise<void> {
  if (!(error instanceof ConnectorError)) deps.onError(error);
  // No action needed: another process listens, or a limit applies.
  else if (error.fault === 'busy' || error.fault === 'time') return;
  await storeProblem(deps, error instanceof ConnectorError ? error.message : NOTIFICATIONS_FAILED).catch(
    () => undefined,
  );
}

async function storeProblem({ db }: Pick<LeaseDeps, 'db'>, problem: string): Promise<void> {
  await failEventSubscription(db, 'amazon', problem);
  await notify(db, 'pricewright_engine', []);
}

function sinkOf(deps: OfferListeningDeps, lease: Lease): OfferSink {
  const { db, now } = deps;
  return {
    latest: (keys) => latestOf(db, keys),
    commit: (changes) => transact(db, (tx) => commit(tx, changes, lease, now())),
    onError: async (problem) => {
      if (problem !== null) return storeProblem(deps, problem);
      await startEventSubscription(db, 'amazon', now());
      await notify(db, 'pricewright_engine', []);
    },
  };
}

/** For an item with several listings, the oldest offer time counts. */
async function latestOf(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
  const wanted = new Set(keys);
  const itemIds = keys.map((key) => key.split(' ', 1)[0] ?? '');
  const listings = (await listByItem(db, 'amazon', itemIds)).filter((listing) =>
    wanted.has(offerKey(listing)),
  );
  const times = await offerTimes(
    db,
    listings.map(({ listingId }) => listingId),
  );
  const latest = new Map<string, Instant>();
  for (const [key, of] of groupBy(listings, offerKey)) {
    const known = of.map(({ listingId }) => times.get(listingId) ?? null);
    if (known.includes(null)) continue;
    latest.set(key, Math.min(...known.filter((time) => time !== null)) as Instant);
  }
  return latest;
}

/** Stores all changes of a delivery or none; its messages are deleted after the commit. */
async function commit(tx: Db, changes: readonly OfferChange[], lease: Lease, at: Instant): Promise<void> {
  if (!(await shareLease(tx, lease))) {
    throw new ConnectorError('busy', 'Another process receives the Amazon notifications now.');
  }
  const listings = groupBy(
    await listByItem(
      tx,
      'amazon',
      changes.map(({ itemId }) => itemId),
    ),
    offerKey,
  );
  const readings = changes.flatMap((change): OfferReading[] =>
    (listings.get(offerKey(change)) ?? []).map(({ listingId }) => ({
      kind: 'offers',
      listingId,
      seenAt: change.changedAt,
      offers: change.offers,
      coverage: change.coverage,
    })),
  );
  await ingestOffers(tx, 'amazon', readings, 'event', at);
  await markEventReceived(tx, 'amazon', at);
}
