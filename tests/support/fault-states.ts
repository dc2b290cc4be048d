import { expect } from 'vitest';
import type {
  CatalogPage,
  ListingRef,
  PriceOrder,
  SendOutcome,
  SkippedListing,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import { assessReading, type ReadingSource } from '#domain/readings/assess-reading.ts';
import { SEND_PAUSE_REASONS } from '#domain/sending/send-pause.ts';
import { type Cents, cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import { never } from './fault-kinds.ts';
import { type FaultShop, LISTINGS, refOf } from './fault-shop.ts';

/** The listing that faults concern. */
export const SUBJECT = 'PW-001';
/** Its price when the shop opens. */
const STARTS_AT = cents(2_011);

/**
 * The documented states, in the words of docs/sync-and-sending.md: of a row and of a catalog, of a price that was sent,
 * and of a price that is shown.
 */
export type State = (typeof STATES)[number];
export const STATES = [
  ...(['taken', 'on hold', 'unreadable', 'price_not_in_cents', 'other_currency'] as const),
  ...(['complete', 'partial', 'failed'] as const),
  ...(['queued', 'accepted', 'confirmed', 'rejected', 'unknown', 'expired'] as const),
  ...SEND_PAUSE_REASONS,
  ...(['stale', 'suspect', 'external edit', 'seen once'] as const),
] as const;

const STATE_OF_RESULT = {
  in_force: 'confirmed',
  stale: 'stale',
  ignored: 'stale',
  suspect: 'suspect',
  seen_once: 'seen once',
  arrived: 'confirmed',
  went_back: 'seen once',
  went_back_often: 'seen once',
  outside_edit: 'external edit',
} as const satisfies Record<ReturnType<typeof assessReading>['result'], State>;

/** A store with a fault in it, and what was sent there. */
export class FaultBench {
  readonly shop: FaultShop;
  readonly #ref: ListingRef;
  readonly #sent: { readonly price: Cents; state: State; readonly at: Instant }[] = [];

  constructor(shop: FaultShop, ref: ListingRef) {
    this.shop = shop;
    this.#ref = ref;
  }

  get market() {
    const { sandbox, connector } = this.shop;
    return sandbox.world.market(connector.marketplace);
  }

  /** Reads the catalog: how, and what the row of the subject is. The others are always taken. */
  async catalog(): Promise<{ readonly whole: State; readonly row: State | null }> {
    const { whole, rows } = await readCatalog(this.shop, (price, source, readAt) =>
      this.#stateOf(price, source, readAt),
    );
    const others = [...rows].filter(([, state]) => state !== 'taken');
    // A row that cannot be read may be named by another ID than its SKU.
    const [named = null] = rows.has(SUBJECT) ? [rows.get(SUBJECT)] : others.map(([, state]) => state);
    expect(others.length).toBeLessThanOrEqual(1);
    expect(rows.size).toBe(whole === 'failed' ? 0 : LISTINGS);
    return { whole, row: named ?? null };
  }

  /** Reads a catalog of several pages: how. One without an entry of the store is never complete. */
  async pages(): Promise<State> {
    const { whole, rows } = await readCatalog(this.shop, () => 'taken');
    expect([...rows.values()].filter((state) => state !== 'taken')).toEqual([]);
    if (whole === 'complete') expect(rows.size).toBe(this.shop.live().size);
    return whole;
  }

  /** Sends the next price of the subject, fifty cents above the last one that arrived. */
  async send(): Promise<State> {
    const { connector, account, now } = this.shop;
    const current = this.#inForce;
    const price = cents(current + 50);
    const at = now();
    await connector.prepareToSend?.(account, 1, never);
    const order: PriceOrder = {
      ref: this.#ref,
      price,
      currentPrice: current,
      ownPrices: [STARTS_AT, ...this.#sent.map((one) => one.price)],
      sequence: at,
      isUrgent: false,
      idempotencyKey: `fault-${this.#sent.length}`,
      notAfter: instant(now() + hours(1)),
    };
    const [outcome] = await connector.sendPrices(account, [order], never);
    if (outcome === undefined) throw new Error('A price has an outcome.');
    const state = stateOf(this.shop, outcome);
    this.#sent.push({ price, state, at });
    return state;
  }

  /** Reads the subject for itself: what becomes of the last price that was sent. */
  async readBack(isLastLook = false): Promise<State> {
    const { connector, account, now } = this.shop;
    const readAt = now();
    const last = this.#sent.at(-1);
    const price = last?.price ?? STARTS_AT;
    const requested = { ref: this.#ref, price, receipt: null, sentAt: last?.at ?? readAt, isLastLook };
    const [reading] = await connector.readPrices(account, [requested], never).catch((error: unknown) => {
      if (error instanceof ConnectorError) return [{ kind: 'unreadable' as const }];
      throw error;
    });
    if (reading?.kind !== 'price') return 'unreadable';
    if (reading.price === price) {
      if (last !== undefined) last.state = 'confirmed';
      return 'confirmed';
    }
    const isFormer = reading.price === STARTS_AT && last?.state !== 'confirmed';
    // On its way: looked for until two hours are over.
    if (isFormer && last !== undefined) return isLastLook ? 'rejected' : 'accepted';
    return this.#stateOf(reading.price, reading.source, readAt);
  }

  /**
   * Sends the next price of every listing in one feed, and reads them back half an hour later: what becomes of each. A
   * price counts as in force where buyers see it, and only there.
   */
  async feed(): Promise<readonly State[]> {
    const { connector, account, now } = this.shop;
    const { refs } = await readCatalog(this.shop, () => 'taken');
    const before = this.shop.live();
    const orders = refs.map((ref, at): PriceOrder => {
      const current = cents(before.get(ref.sku) ?? 0);
      return {
        ref,
        price: cents(current + 50),
        currentPrice: current,
        ownPrices: [],
        sequence: 1,
        isUrgent: false,
        idempotencyKey: `feed-${at}`,
        notAfter: instant(now() + hours(1)),
      };
    });
    await connector.prepareToSend?.(account, orders.length, never);
    const sentAt = now();
    const outcomes = await connector.sendPrices(account, orders, never);
    const receipts = outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.receipt : null));
    expect(new Set(receipts).size).toBe(1);
    expect(receipts[0]).toEqual(expect.any(String));
    this.shop.pass(minutes(30));
    const sent = orders.map(({ ref, price }, at) => {
      return { ref, price, receipt: receipts[at] ?? null, sentAt, isLastLook: false };
    });
    const readings = await connector.readPrices(account, sent, never);
    const live = this.shop.live();
    return orders.map(({ ref, price }, at) => {
      const reading = readings[at];
      if (reading?.kind !== 'price') return 'unreadable';
      const isInForce = reading.price === price;
      expect({ sku: ref.sku, isInForce }).toEqual({ sku: ref.sku, isInForce: live.get(ref.sku) === price });
      if (isInForce) return 'confirmed';
      if (reading.refusal === null) return 'accepted';
      const { listingId } = ref;
      return stateOf(this.shop, { listingId, retryAfter: null, ...reading.refusal } as SendOutcome);
    });
  }

  /** What the competitors' prices of the subject are, in cents; null where they count as not read. */
  async competitors(): Promise<readonly number[] | null> {
    const { connector, account } = this.shop;
    const found: number[] = [];
    for await (const page of connector.readOffers?.(account, [this.#ref], never) ?? []) {
      for (const one of page) {
        if (one.kind !== 'offers') return null;
        found.push(...one.offers.filter(({ isOurs }) => !isOurs).map(({ price }) => price));
      }
    }
    return found;
  }

  /** What is said of each price agrees with what the marketplace received: it took a price once or not at all. */
  agrees(): void {
    const received = this.shop.sandbox.world.receivedPrices().filter(({ sku }) => sku === SUBJECT);
    for (const { price } of this.#sent) {
      const taken = received.filter((one) => one.price === price && one.outcome !== 'refused').length;
      const states = this.#sent.filter((one) => one.price === price).map(({ state }) => state);
      const said = states.filter((state) => state === 'accepted' || state === 'confirmed').length;
      expect({ price, taken, states }).toMatchObject({ taken: said });
      expect(said).toBeLessThanOrEqual(1);
    }
  }

  get #inForce(): Cents {
    return (
      this.#sent.findLast(({ state }) => state === 'accepted' || state === 'confirmed')?.price ?? STARTS_AT
    );
  }

  #stateOf(price: Cents, source: ReadingSource, readAt: Instant): State {
    const arrived = this.#sent.filter(({ state }) => state === 'accepted' || state === 'confirmed');
    if (arrived.length === 0 && price === STARTS_AT) return 'taken';
    const start = instant(readAt - hours(20));
    const known = {
      inForce: this.#inForce,
      recent: {
        inForce: [
          { price: STARTS_AT, since: start, isOwn: false },
          ...arrived.map((one) => ({ price: one.price, since: one.at, isOwn: true })),
        ],
        sent: this.#sent.map((one) => ({ price: one.price, at: one.at, isGivenUp: false })),
      },
      suspects: [],
      returns: 0,
    };
    return STATE_OF_RESULT[assessReading(known, { price, source, readAt }, readAt).result];
  }
}

/** The reference to a listing of a store without a fault. */
export async function refIn(shop: FaultShop, sku: string): Promise<ListingRef> {
  const { refs } = await readCatalog(shop, () => 'taken');
  const ref = refs.find((one) => one.sku === sku);
  if (ref === undefined) throw new Error(`The shop has no ${sku}.`);
  return ref;
}

async function readCatalog(
  { connector, account }: FaultShop,
  stateOf: (price: Cents, source: ReadingSource, readAt: Instant) => State,
): Promise<{
  readonly whole: State;
  readonly rows: ReadonlyMap<string, State>;
  readonly refs: ListingRef[];
}> {
  const rows = new Map<string, State>();
  const refs: ListingRef[] = [];
  const take = ({ source, asOf, entries }: CatalogPage): void => {
    for (const entry of entries) {
      // The first name counts: eBay reports a listing in two lists.
      if (entry.kind === 'passed_over') rows.set(entry.what, rows.get(entry.what) ?? statesOf(entry));
      else {
        if (entry.notRepriceableReason != null) rows.set(entry.sku, 'on hold');
        else if (entry.priceNotInCents !== undefined) rows.set(entry.sku, 'price_not_in_cents');
        else if (entry.sku !== SUBJECT || entry.price === null) rows.set(entry.sku, 'taken');
        else rows.set(entry.sku, stateOf(entry.price, source, asOf));
        if (entry.fulfillmentType !== null) refs.push(refOf(entry, refs.length));
      }
    }
  };
  try {
    const pages = connector.readListings(account, never);
    for (;;) {
      const next = await pages.next();
      if (next.done !== true) {
        take(next.value);
        continue;
      }
      const { total } = next.value;
      return { whole: total !== null && total.came < total.told ? 'partial' : 'complete', rows, refs };
    }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return { whole: 'failed', rows, refs };
  }
}

function statesOf(row: SkippedListing): State {
  if (isUnreadable(row)) return 'unreadable';
  const state = STATES.find((one) => one === row.why);
  if (state === undefined) throw new Error(`No fault here makes a row ${row.why}.`);
  return state;
}

function stateOf({ connector }: FaultShop, outcome: SendOutcome): State {
  switch (outcome.kind) {
    case 'live':
      return 'confirmed';
    case 'not_sent':
      return outcome.why ?? 'queued';
    case 'stopped':
      return 'expired';
    case 'rejected': {
      const { code } = outcome;
      return code === null || connector.finalRefusals.has(code) ? 'rejected' : 'unclear';
    }
    default:
      return outcome.kind;
  }
}
