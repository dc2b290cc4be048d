import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import { Chance } from '#sandbox/world/chance.ts';
import type { Clockwork } from '#sandbox/world/clockwork.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import type { FeeTruth } from './fee-truth.ts';
import { type MoneyEntry, type MoneyEvent, type MoneyEventType, sumOf } from './money-events.ts';
import { cancelledEntries, refundEntries, saleEntries } from './sale-entries.ts';
import { volumeOf } from './warehouse-fees.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STORAGE_PERIOD = 30 * DAY;
/** Cents for a cubic foot and month. */
const STORAGE_RATE = 78;

/** Whether a sale is booked when it is paid, else when it ships; and days from payout to payout. */
const HABITS: Readonly<Record<Marketplace, { readonly atPayment: boolean; readonly period: number }>> = {
  amazon: { atPayment: false, period: 14 },
  walmart: { atPayment: false, period: 14 },
  ebay: { atPayment: true, period: 7 },
  etsy: { atPayment: true, period: 7 },
  shopify: { atPayment: true, period: 1 },
  michaels: { atPayment: false, period: 14 },
};

/** How often things happen to a sale, as a share. */
const REFUNDED = 0.06;
const FUNDED = 0.05;
const DEFERRED = 0.2;
const LATE = 0.1;
const RESTATED = 0.03;
const UNNAMED = 0.03;
const REIMBURSED = 0.03;
/** Parcels whose label is bought from the marketplace. */
const LABELED: Readonly<Partial<Record<Marketplace, number>>> = { amazon: 0.3, ebay: 0.3, etsy: 0.3 };
const ADVERTISED: Readonly<Partial<Record<Marketplace, number>>> = { amazon: 0.07, ebay: 0.2, etsy: 0.08 };
/** Etsy's offsite ads, in basis points. */
const OFFSITE_RATE = 1_500;

interface NewEvent extends Partial<Omit<MoneyEvent, 'number' | 'settlement' | 'at'>> {
  readonly type: MoneyEventType;
  readonly entries: readonly MoneyEntry[];
}

/** Everything that one marketplace books for the seller, in order of time. Later events follow the world's clock. */
export class MoneyJournal {
  readonly #marketplace: Marketplace;
  readonly #chance: Chance;
  readonly #startsAt: Instant;
  readonly #clockwork: Clockwork;
  readonly #fees: FeeTruth;
  readonly #events: MoneyEvent[] = [];
  /** What was booked for orders that can still be canceled. */
  readonly #booked = new Map<Order, readonly MoneyEntry[]>();
  readonly #byOrder = new Map<Order, MoneyEvent[]>();
  /** By settlement, in cents. */
  readonly #totals = new Map<number, number>();

  /** @param items the listings with stock, for storage fees */
  constructor(
    { marketplace, seed, startsAt }: Place,
    clockwork: Clockwork,
    fees: FeeTruth,
    items: () => readonly MarketItem[],
  ) {
    this.#marketplace = marketplace;
    this.#chance = new Chance(`${seed}/money`);
    this.#startsAt = startsAt;
    this.#clockwork = clockwork;
    this.#fees = fees;
    this.#every(this.period, () => this.#payOut());
    this.#every(STORAGE_PERIOD, () => this.#store(items()));
  }

  /** Milliseconds from payout to payout. */
  get period(): number {
    return HABITS[this.#marketplace].period * DAY;
  }

  /** In the order of their booking; a deferred one is booked before its release. */
  events(): readonly MoneyEvent[] {
    return this.#events;
  }

  /** What was booked for an order so far. */
  eventsOf(order: Order): readonly MoneyEvent[] {
    return this.#byOrder.get(order) ?? [];
  }

  /** The number of the settlement that runs at a time. */
  settlementAt(at: number): number {
    return Math.max(1, Math.floor((at - this.#startsAt) / this.period) + 1);
  }

  /** Start and end of a settlement; the end is the next one's start. */
  spanOf(settlement: number): { readonly from: Instant; readonly to: Instant } {
    const from = instant(this.#startsAt + (settlement - 1) * this.period);
    return { from, to: instant(from + this.period) };
  }

  /** Books what follows from a new, shipped or canceled order. */
  orderChanged(order: Order, isNew: boolean): void {
    const { atPayment } = HABITS[this.#marketplace];
    if (isNew ? atPayment : !atPayment && order.status === 'shipped') this.#sell(order);
    if (isNew) return;
    const booked = this.#booked.get(order);
    this.#booked.delete(order);
    if (order.status === 'cancelled' && booked !== undefined) {
      this.#book({ type: 'cancellation', order, entries: cancelledEntries(booked) });
    }
    if (order.status !== 'shipped') return;
    this.#buyLabel(order);
    this.#followShipment(order);
  }

  /** Everyone but Shopify collects sales tax and remits it. */
  get #withholdsTax(): boolean {
    return this.#marketplace !== 'shopify';
  }

  #sell(order: Order): void {
    const chance = this.#chance.for(`sale ${order.number}`);
    const isAmazon = this.#marketplace === 'amazon';
    const isFunded = this.#marketplace === 'walmart' && chance.happens(FUNDED);
    const entries = order.lines.flatMap((line) => {
      const funded = isFunded ? Math.round(line.unitPrice * line.quantity * 0.1) : 0;
      return saleEntries(line, funded, this.#withholdsTax);
    });
    const [line] = order.lines;
    if (line === undefined) return;
    if (isAmazon && chance.happens(UNNAMED)) entries.push(entryOf('unnamed', -chance.whole(5, 60), line));
    const ad = this.#adOf(line, chance);
    const isInside = this.#marketplace === 'ebay' && chance.happens(0.5);
    if (ad !== null && isInside) entries.push(ad);
    if (order.status === 'open') this.#booked.set(order, entries);
    const isTheirs = line.fulfillmentType === 'FBA/WFS';
    const isDeferred = isAmazon && !isTheirs && chance.happens(DEFERRED);
    const now = this.#clockwork.now();
    const hasFee = entries.some(({ kind }) => kind === 'fulfillment');
    const restatedAt = instant(now + 12 * HOUR);
    const isRestated = isAmazon && hasFee && chance.happens(RESTATED) && this.#isSettledAfter(restatedAt);
    this.#book({
      type: 'sale',
      order,
      entries,
      releasedAt: isDeferred ? instant(now + 7 * DAY) : null,
      lag: !isAmazon ? 0 : chance.happens(LATE) ? chance.whole(2 * HOUR, 48 * HOUR) : chance.whole(0, HOUR),
      restated: isRestated ? { at: restatedAt, kind: 'fulfillment', by: chance.whole(10, 90) } : null,
    });
    if (ad !== null && !isInside) this.#advertise(order, ad, chance);
  }

  /** Amazon reports advertising of no sale, the others of the sold line. */
  #adOf(line: OrderLine, chance: Chance): MoneyEntry | null {
    if (!chance.happens(ADVERTISED[this.#marketplace] ?? 0)) return null;
    const rate = this.#marketplace === 'etsy' ? OFFSITE_RATE : chance.whole(2, 9) * 100;
    const amount = Math.round(((line.unitPrice * line.quantity + line.shipping) * rate) / 10_000);
    if (this.#marketplace !== 'amazon') return entryOf('ad', -amount, line);
    return { kind: 'ad', amount: -chance.whole(300, 2_500), line: null, quantity: 0 };
  }

  #advertise(order: Order, ad: MoneyEntry, chance: Chance): void {
    const own = ad.line === null ? {} : { order, sku: ad.line.sku };
    this.#clockwork.after(chance.whole(HOUR, 3 * DAY), () => {
      if (order.status === 'cancelled') return;
      const booked = this.#booked.get(order);
      if (booked !== undefined) this.#booked.set(order, [...booked, ad]);
      this.#book({ type: 'ad', entries: [ad], ...own });
    });
  }

  /** Of an order that the seller ships; what it costs is no part of its sale's fees. */
  #buyLabel(order: Order): void {
    const chance = this.#chance.for(`label ${order.number}`);
    const isOurs = order.lines.every(({ fulfillmentType }) => fulfillmentType === 'FBM');
    if (!isOurs || !chance.happens(LABELED[this.#marketplace] ?? 0)) return;
    const entry = { kind: 'label', amount: -chance.whole(350, 1_100), line: null, quantity: 0 } as const;
    this.#book({ type: 'label', order, entries: [entry] });
  }

  /** Some buyers send goods back, and the warehouse loses some. */
  #followShipment(order: Order): void {
    const chance = this.#chance.for(`after ${order.number}`);
    for (const line of order.lines) {
      const isTheirs = line.fulfillmentType === 'FBA/WFS';
      if (chance.happens(REFUNDED)) {
        const units = chance.whole(1, line.quantity);
        const returned = chance.happens(0.8) ? units : 0;
        const restocked = chance.happens(0.6) ? returned : 0;
        const terms = { keepsFee: this.#marketplace === 'amazon', withholdsTax: this.#withholdsTax };
        this.#clockwork.after(chance.whole(2 * DAY, 15 * DAY), () => {
          const entries = refundEntries(line, units, terms);
          this.#book({ type: 'refund', order, sku: line.sku, entries, returned, restocked });
        });
      }
      if (isTheirs && chance.happens(REIMBURSED)) {
        const amount = Math.round(line.unitPrice * 0.8);
        this.#clockwork.after(chance.whole(3 * DAY, 20 * DAY), () => {
          const entry = { kind: 'reimbursement', amount, line: null, quantity: 1 } as const;
          this.#book({ type: 'reimbursement', sku: line.sku, entries: [entry] });
        });
      }
    }
  }

  /** The warehouse's monthly fee, listing by listing. */
  #store(items: readonly MarketItem[]): void {
    if (this.#marketplace !== 'amazon' && this.#marketplace !== 'walmart') return;
    for (const item of items) {
      if (item.fulfillmentType !== 'FBA/WFS' || item.quantity === 0) continue;
      const volume = volumeOf(this.#fees.measuresOf(item)) * item.quantity;
      const amount = -Math.max(1, Math.round(volume * STORAGE_RATE));
      const entry = { kind: 'storage', amount, line: null, quantity: item.quantity } as const;
      this.#book({ type: 'storage', sku: item.sku, entries: [entry] });
    }
  }

  /** Pays what the settlement that just ended adds up to. */
  #payOut(): void {
    const number = this.settlementAt(this.#clockwork.now() - 1);
    const amount = -(this.#totals.get(number) ?? 0);
    if (amount === 0) return;
    const entry = { kind: 'payout', amount, line: null, quantity: 0 } as const;
    this.#events.push(this.#eventOf({ type: 'payout', entries: [entry] }, number));
  }

  #book(event: NewEvent): void {
    const number = this.settlementAt(event.releasedAt ?? this.#clockwork.now());
    this.#totals.set(number, (this.#totals.get(number) ?? 0) + sumOf(event.entries));
    const booked = this.#eventOf(event, number);
    this.#events.push(booked);
    if (booked.order !== null) this.#byOrder.set(booked.order, [...this.eventsOf(booked.order), booked]);
  }

  #eventOf(event: NewEvent, settlement: number): MoneyEvent {
    return {
      number: this.#events.length + 1,
      at: this.#clockwork.now(),
      order: null,
      sku: null,
      releasedAt: null,
      lag: 0,
      restated: null,
      returned: 0,
      restocked: 0,
      settlement,
      ...event,
    };
  }

  #isSettledAfter(at: Instant): boolean {
    return this.settlementAt(at) === this.settlementAt(this.#clockwork.now());
  }

  #every(delay: number, action: () => void): void {
    this.#clockwork.after(delay, () => {
      action();
      this.#every(delay, action);
    });
  }
}

interface Place {
  readonly marketplace: Marketplace;
  /** Of the marketplace in its world. */
  readonly seed: string;
  readonly startsAt: Instant;
}

function entryOf(kind: MoneyEntry['kind'], amount: number, line: OrderLine): MoneyEntry {
  return { kind, amount, line, quantity: line.quantity };
}
