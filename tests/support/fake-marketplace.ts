import type { BestOfferLimits } from '#connectors/auto-accept-raises.ts';
import type {
  FoundBeforeSending,
  FoundRefusal,
  MarketplaceConnector,
  PriceOrder,
  PriceReading,
  SendOutcome,
  SentPrice,
} from '#connectors/connector.ts';
import type { ListingMigration } from '#connectors/listing-migration.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import type { ConnectionState, Connections } from '#usecases/marketplaces/connections/connections.ts';
import { memoryVault } from './memory-vault.ts';

/** It takes prices again later. */
type NotSent = Extract<SendOutcome, { kind: 'not_sent' }>;
type PassingRefusal = Required<Pick<NotSent, 'why' | 'until'>> & Pick<NotSent, 'othersMayGo' | 'urgentMayGo'>;

/** What the marketplace does with one order. */
export type Reaction =
  /** Live at once, and said so. */
  | 'live'
  /** Taken, and live once `goLive` is called. */
  | 'accept'
  | 'reject'
  /** Refused with a code that is not listed. */
  | 'refuse_unclearly'
  | PassingRefusal
  /** Live at once, and the answer is lost. */
  | 'lose_answer'
  /** Never arrived, and the result is unknown. */
  | 'lose_order'
  | 'busy'
  /** Something sets its price there now. */
  | 'stop'
  /** Time was up before its turn came. */
  | 'no_time';

const NOT_REPRICEABLE: FoundBeforeSending = { kind: 'not_repriceable' };

/** A code that a repeat would meet again. */
export const FINAL_CODE = 'P1';

/** Such a refusal, as it is found when a price is read back. */
export function refusedFinally(message: string): FoundRefusal {
  return { kind: 'rejected', message, code: FINAL_CODE };
}

/** Why it stops a price. */
export const STOPPED_BY = 'A promotion runs on Walmart.';

/** One thing that was asked of it. */
export type Asked =
  | { readonly kind: 'sent'; readonly listingId: number; readonly price: Cents; readonly key: string }
  | { readonly kind: 'read'; readonly listingId: number };

/** A marketplace in memory: it takes prices as sent, and shows buyers what is live. */
export class FakeMarketplace {
  readonly marketplace: Marketplace;
  /** What buyers see, by listing. */
  readonly live = new Map<number, Cents>();
  readonly asked: Asked[] = [];
  /** What was sent, as it came. */
  readonly orders: PriceOrder[] = [];
  /** Prices that one call takes. */
  atOnce = 20;
  /** Milliseconds within which it shows nothing of what it accepted; undefined where it does not say. */
  shownAfter: number | undefined;
  /** By listing, from the next sending on. */
  reactionTo: (order: PriceOrder) => Reaction = () => 'live';
  /** Refusals that are reported when an order is read back, by listing. */
  readonly refusals = new Map<number, FoundRefusal>();
  /** What is found right before an order is sent, by listing; where one is stopped. */
  readonly found = new Map<number, FoundBeforeSending>();
  /** The same for orders that failed and say nothing about their price. */
  readonly failures = new Map<number, string>();
  isUnreadable = false;
  /** It shows no item, and its list of one listing alone instead. */
  hasNoItems = false;
  /** Of the connection. */
  generation = 0;
  readonly missing = new Set<number>();
  /** Moves listings into its other model, where a test gives it one. */
  migration: ListingMigration | undefined;
  /** Raises what is accepted of buyers' offers, where a test gives it one. */
  bestOffers: BestOfferLimits | undefined;
  /** Happens in the middle of a sending. */
  whileSending: (signal: AbortSignal) => Promise<void> = async () => undefined;
  #waiting: PriceOrder[] = [];

  constructor(marketplace: Marketplace = 'walmart') {
    this.marketplace = marketplace;
  }

  /** Prices that were sent, in their order. */
  get sent(): Extract<Asked, { kind: 'sent' }>[] {
    return this.asked.filter((requested) => requested.kind === 'sent');
  }

  /** What was taken and is not live yet. */
  get waiting(): readonly PriceOrder[] {
    return this.#waiting;
  }

  /** What was taken becomes live: all of it, or those of these keys. */
  goLive(keys?: ReadonlySet<string>): void {
    const isNow = ({ idempotencyKey }: PriceOrder): boolean => keys?.has(idempotencyKey) ?? true;
    for (const { ref, price } of this.#waiting.filter(isNow)) this.live.set(ref.listingId, price);
    this.#waiting = this.#waiting.filter((order) => !isNow(order));
  }

  /** The seller sets a price there: what was accepted before and is not live yet is dropped. */
  edit(listingId: number, price: Cents): void {
    this.#waiting = this.#waiting.filter(({ ref }) => ref.listingId !== listingId);
    this.live.set(listingId, price);
  }

  /** Connected, unless given otherwise. */
  connections(state: () => ConnectionState['kind'] = () => 'connected'): Connections {
    return {
      stateOf: async (marketplace) => {
        const kind = marketplace === this.marketplace ? state() : 'file';
        if (kind === 'paused') return { kind, why: 'Walmart is switched off.' };
        if (kind === 'file') return { kind };
        const account = { credentials: {}, tokens: memoryVault() };
        const connection = {
          marketplace,
          connector: this.#connector(),
          account,
          generation: this.generation,
        };
        if (kind === 'read_only') return { kind, connection, why: 'Sending prices is off.' };
        return { kind, connection };
      },
    };
  }

  #connector(): MarketplaceConnector {
    return {
      marketplace: this.marketplace,
      finalRefusals: new Set([FINAL_CODE]),
      itemReads: { callsPerSecond: 4, listingsPerCall: 1 },
      ...(this.migration && { migration: this.migration }),
      ...(this.bestOffers && { bestOffers: this.bestOffers }),
      pricesAtOnce: (waiting) => Math.min(waiting, this.atOnce),
      check: async () => ({ shopName: null, notes: [], endsAt: null }),
      readListings: () => {
        throw new Error('No listings are read here.');
      },
      sendPrices: async (_, orders, signal) => {
        await this.whileSending(signal);
        return orders.map((order) => this.#take(order));
      },
      readPrices: async (_, sent) => sent.map((one) => this.#show(one)),
    };
  }

  #take(order: PriceOrder): SendOutcome {
    const { ref, price } = order;
    const { listingId } = ref;
    this.orders.push(order);
    this.asked.push({ kind: 'sent', listingId, price, key: order.idempotencyKey });
    const reaction = this.reactionTo(order);
    if (typeof reaction === 'object') {
      return { listingId, kind: 'not_sent', message: 'Not now.', retryAfter: null, ...reaction };
    }
    switch (reaction) {
      case 'live':
        this.live.set(listingId, price);
        return { listingId, kind: 'live', price };
      case 'accept':
        this.#waiting.push(order);
        return {
          ...({ listingId, kind: 'accepted', receipt: `feed-${order.sequence}` } as const),
          ...(this.shownAfter !== undefined && { shownAfter: this.shownAfter }),
        };
      case 'reject':
        return {
          listingId,
          kind: 'rejected',
          message: 'The price is too low for this item.',
          code: FINAL_CODE,
        };
      case 'refuse_unclearly':
        return { listingId, kind: 'rejected', message: 'Something is wrong.', code: 'X99' };
      case 'lose_answer':
        this.live.set(listingId, price);
        return { listingId, kind: 'unknown', message: 'The connection broke.' };
      case 'lose_order':
        return { listingId, kind: 'unknown', message: 'No answer came in time.' };
      case 'busy':
        return { listingId, kind: 'not_sent', message: 'Walmart is busy.', retryAfter: 30_000 };
      case 'stop':
        return {
          listingId,
          kind: 'stopped',
          message: STOPPED_BY,
          found: this.found.get(listingId) ?? NOT_REPRICEABLE,
        };
      case 'no_time':
        return { listingId, kind: 'not_sent', message: 'Too late.', retryAfter: null, othersMayGo: true };
    }
  }

  #show({ ref: { listingId } }: SentPrice): PriceReading {
    this.asked.push({ kind: 'read', listingId });
    if (this.isUnreadable) return { listingId, kind: 'unreadable', message: 'Walmart does not answer.' };
    const price = this.live.get(listingId);
    if (price === undefined || this.missing.has(listingId)) return { listingId, kind: 'missing' };
    const refusal = this.refusals.get(listingId) ?? null;
    const failure = this.failures.get(listingId);
    return {
      listingId,
      kind: 'price',
      price,
      source: this.hasNoItems ? 'list' : 'item',
      refusal,
      ...(failure === undefined ? {} : { failure }),
    };
  }
}
