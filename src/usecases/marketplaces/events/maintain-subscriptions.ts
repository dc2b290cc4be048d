import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { MarketplaceEvents } from '#connectors/marketplace-events.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import type { TokenVault } from '#connectors/token-vault.ts';
import { notify } from '#db/listen.ts';
import {
  endEventSubscription,
  failEventSubscription,
  listEventSubscriptions,
  startEventSubscription,
} from '#db/queries/marketplaces/connections/event-subscriptions.ts';
import { readUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant } from '#domain/units.ts';
import { Backoff } from '#usecases/background/backoff.ts';
import { HeldLease, LONGEST_CALL } from '#usecases/background/lease.ts';
import { subscriptionLease } from '#usecases/background/lease-names.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { NOTIFICATIONS_FAILED } from '#usecases/sync-errors.ts';
import type { OfferListeningDeps } from './listen-for-offers.ts';
import { isSameAccount, isSameCredentials } from './same-account.ts';

/** Milliseconds between two checks of the subscriptions. */
const CHECK_INTERVAL = 5_000;
/** Time after which a subscription is checked again at the marketplace. */
const SUBSCRIPTION_CHECK_INTERVAL = hours(6);

export interface SubscriptionLoopDeps extends Omit<OfferListeningDeps, 'notifications' | 'onError'> {
  readonly publicUrl: string | null;
  readonly onError: (error: unknown, marketplace: Marketplace) => void;
}

/** The last subscription made by this process. */
interface Subscribed {
  readonly account: Account;
  readonly address: string;
  readonly at: Instant;
}

/**
 * Subscribes to a marketplace's events at our public address while it is connected, and unsubscribes afterwards. One
 * process does it at a time. Regular syncs continue.
 */
export class SubscriptionLoop implements LoopTask {
  readonly idleWait = CHECK_INTERVAL;
  readonly #deps: SubscriptionLoopDeps;
  readonly #marketplace: Marketplace;
  readonly #lease: HeldLease;
  readonly #keeper: SubscriptionKeeper;
  readonly #backoff = new Backoff(isSameAccount);

  constructor(deps: SubscriptionLoopDeps, marketplace: Marketplace, hooks: MarketplaceEvents) {
    this.#deps = deps;
    this.#marketplace = marketplace;
    this.#lease = new HeldLease(deps, subscriptionLease(marketplace));
    this.#keeper = new SubscriptionKeeper(deps, marketplace, hooks, this.#lease);
  }

  async turn({ stopping }: LoopHost): Promise<'idle'> {
    const { db, connections, now } = this.#deps;
    let account: Account | null = null;
    try {
      // A copy would subscribe next to the original, or unsubscribe it.
      if ((await readUnconfirmedRestore(db)) !== null) return 'idle';
      const state = await connections.stateOf(this.#marketplace);
      account = state.kind === 'connected' ? state.connection.account : null;
      if (this.#backoff.canRetry(account, now())) {
        await this.#keeper.update(account, stopping);
        this.#backoff.succeed();
      }
    } catch (error) {
      this.#backoff.fail(account, now());
      await reportFailure(this.#deps, this.#marketplace, error);
    }
    return 'idle';
  }

  onError(error: unknown): void {
    this.#deps.onError(error, this.#marketplace);
  }

  release(): Promise<void> {
    return this.#lease.release();
  }
}

/** A loop for each marketplace that sends events. */
export function subscriptionLoops(
  deps: SubscriptionLoopDeps,
  marketplaceEvents: Partial<Record<Marketplace, MarketplaceEvents>>,
): SubscriptionLoop[] {
  return MARKETPLACES.flatMap((marketplace) => {
    const hooks = marketplaceEvents[marketplace];
    return hooks === undefined ? [] : [new SubscriptionLoop(deps, marketplace, hooks)];
  });
}

async function reportFailure(
  deps: SubscriptionLoopDeps,
  marketplace: Marketplace,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ConnectorError)) deps.onError(error, marketplace);
  // No action needed: a limit or timeout applies, and it is retried.
  else if (error.fault === 'busy' || error.fault === 'time') return;
  const problem = error instanceof ConnectorError ? error.message : NOTIFICATIONS_FAILED;
  await failEventSubscription(deps.db, marketplace, problem).catch(() => undefined);
  await notify(deps.db, 'pricewright_engine', []).catch(() => undefined);
}

/** Keeps the subscriptions of one marketplace as they should be. */
class SubscriptionKeeper {
  readonly #deps: SubscriptionLoopDeps;
  readonly #marketplace: Marketplace;
  readonly #hooks: MarketplaceEvents;
  readonly #lease: HeldLease;
  #last: Subscribed | null = null;
  #stopping = new AbortController().signal;

  constructor(
    deps: SubscriptionLoopDeps,
    marketplace: Marketplace,
    hooks: MarketplaceEvents,
    lease: HeldLease,
  ) {
    this.#deps = deps;
    this.#marketplace = marketplace;
    this.#hooks = hooks;
    this.#lease = lease;
  }

  /**
   * Subscribes, renews or unsubscribes as needed now.
   * @param account null while it is not connected
   * @param stopping aborts the calls when the process stops
   * @throws ConnectorError
   */
  async update(account: Account | null, stopping: AbortSignal): Promise<void> {
    this.#stopping = stopping;
    const address = this.#address(account);
    const last = this.#last;
    const isChanged =
      last !== null &&
      (account === null ||
        address !== last.address ||
        !isSameCredentials(account.credentials, last.account.credentials));
    if (isChanged) {
      this.#last = null;
      await this.#end(last.account, last.address);
    }
    if (account === null || address === null) return this.#removeOld(account);
    await this.#renew(account, address);
  }

  /** Our address for events; null without a public address, or without a secret to sign them. */
  #address(account: Account | null): string | null {
    const { publicUrl } = this.#deps;
    if (account === null || publicUrl === null) return null;
    const address = `${publicUrl}${webhookPath(this.#marketplace)}`;
    return this.#hooks.isPossible(account, address) ? address : null;
  }

  async #renew(account: Account, address: string): Promise<void> {
    const { db, now } = this.#deps;
    const age = this.#last === null ? Number.POSITIVE_INFINITY : now() - this.#last.at;
    // A negative age, after the clock was set back, counts as expired.
    if (age >= 0 && age < SUBSCRIPTION_CHECK_INTERVAL) return;
    if ((await this.#lease.acquireForCall()) === null) return;
    const before = (await listEventSubscriptions(db)).get(this.#marketplace)?.address ?? null;
    if (before !== null && before !== address) await this.#end(account, before);
    await this.#inTime((signal) => this.#hooks.subscribe(account, address, signal));
    await startEventSubscription(db, this.#marketplace, now(), address);
    await notify(db, 'pricewright_engine', []);
    this.#last = { account, address, at: now() };
  }

  /** Removes the subscription that a former process left, with another address or none. */
  async #removeOld(account: Account | null): Promise<void> {
    const row = (await listEventSubscriptions(this.#deps.db)).get(this.#marketplace);
    if (row === undefined || (await this.#lease.acquireForCall()) === null) return;
    if (account !== null && row.address !== null) await this.#end(account, row.address);
    else await this.#forget();
  }

  /** Unsubscribes an address. If that fails, its events are rejected, and the marketplace gives up after failed deliveries. */
  async #end(account: Account, address: string): Promise<void> {
    const once = { credentials: account.credentials, tokens: tokensForOnce() };
    try {
      await this.#inTime((signal) => this.#hooks.unsubscribe(once, address, signal));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
    }
    await this.#forget();
  }

  async #forget(): Promise<void> {
    await endEventSubscription(this.#deps.db, this.#marketplace);
    await notify(this.#deps.db, 'pricewright_engine', []);
  }

  #inTime(call: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return withTimeLimit(LONGEST_CALL, [this.#stopping], call);
  }
}

/** A vault for the former credentials, which the database vault rejects: unsubscribing fetches a new token with them. */
function tokensForOnce(): TokenVault {
  let held = {};
  return {
    read: async () => held,
    renew: async (_kind, _seen, fetch) => {
      held = { ...held, ...(await fetch(held)) };
      return held;
    },
  };
}

/** The path that a marketplace sends its events to, below the public address. */
function webhookPath(marketplace: Marketplace): string {
  return `/api/webhooks/${marketplace}`;
}
