import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import type { ItemPlan, WorldPlan } from './catalog.ts';
import { Chance } from './chance.ts';
import type { Clockwork } from './clockwork.ts';
import { react, reactionDelay } from './competitors.ts';
import { ConsentStore } from './consents.ts';
import { generateItem } from './generate-item.ts';
import type { MarketItem, MutableItem } from './item.ts';
import { lineOf, type MutableOrder, type Order, type OrderLine } from './orders.ts';
import type { MutableReceivedPrice, PriceRequest, ReceivedPrice } from './received-prices.ts';
import { pieces, shop } from './shoppers.ts';
import { Tasks } from './tasks.ts';
import { TokenStore } from './tokens.ts';
import { FeeTruth } from './truth/fee-truth.ts';
import { MoneyJournal } from './truth/money-journal.ts';
import { type BuyerPlace, drawPlace, salesTaxOn } from './truth/sales-tax.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** An edit made by the seller on the marketplace's own pages. */
export interface Edit {
  readonly price?: Cents;
  readonly quantity?: number;
  readonly isActive?: boolean;
}

/** One marketplace with our listings, competitors, shoppers and orders. */
export class Market {
  readonly marketplace: Marketplace;
  readonly tasks: Tasks;
  readonly tokens: TokenStore;
  readonly consents: ConsentStore;
  readonly fees: FeeTruth;
  readonly money: MoneyJournal;
  #tellsMoney = true;
  readonly #clockwork: Clockwork;
  readonly #seed: string;
  readonly #received: MutableReceivedPrice[];
  readonly #pace: number;
  readonly #firstOrder: number;
  readonly #items = new Map<string, MutableItem>();
  readonly #orders: MutableOrder[] = [];
  readonly #offerListeners: ((itemId: string) => void)[] = [];
  readonly #orderListeners: ((order: Order, isNew: boolean) => void)[] = [];
  /** By SKU: the price accepted last. */
  readonly #pending = new Map<string, MutableReceivedPrice>();

  /** @param received the ledger of all marketplaces, to which this one adds the prices it receives */
  constructor(
    marketplace: Marketplace,
    { seed, startsAt, pace = 1, firstOrder = 1, fees }: Omit<WorldPlan, 'items' | 'stock'>,
    clockwork: Clockwork,
    received: MutableReceivedPrice[],
  ) {
    this.marketplace = marketplace;
    this.#seed = `${seed}/${marketplace}`;
    this.#pace = pace;
    this.#firstOrder = firstOrder;
    this.#clockwork = clockwork;
    this.#received = received;
    this.tasks = new Tasks(clockwork);
    this.tokens = new TokenStore(() => clockwork.now(), new Chance(`${this.#seed}/tokens`));
    this.consents = new ConsentStore(() => clockwork.now(), new Chance(`${this.#seed}/consents`));
    this.fees = new FeeTruth(marketplace, this.#seed, startsAt, fees);
    const place = { marketplace, seed: this.#seed, startsAt };
    this.money = new MoneyJournal(place, clockwork, this.fees, () => this.items());
  }

  now(): Instant {
    return this.#clockwork.now();
  }

  /** Whether the account has the right to read what was booked. */
  get tellsMoney(): boolean {
    return this.#tellsMoney;
  }

  /** Grants or withdraws that right. */
  grantMoneyRight(isGranted: boolean): void {
    this.#tellsMoney = isGranted;
  }

  /** Our listings, in the order they were added. */
  items(): readonly MarketItem[] {
    return [...this.#items.values()];
  }

  item(sku: string): MarketItem | null {
    return this.#items.get(sku) ?? null;
  }

  /** The first listing that matches; null without one. */
  find(matches: (item: MarketItem) => boolean): MarketItem | null {
    for (const item of this.#items.values()) if (matches(item)) return item;
    return null;
  }

  /** In the order they were placed. */
  orders(): readonly Order[] {
    return this.#orders;
  }

  /** Calls the listener when an offer for an item, ours or a competitor's, appears, disappears or changes its price. */
  onOfferChange(listener: (itemId: string) => void): void {
    this.#offerListeners.push(listener);
  }

  /** Calls the listener when an order is placed, shipped or canceled. */
  onOrderChange(listener: (order: Order, isNew: boolean) => void): void {
    this.#orderListeners.push(listener);
  }

  /** Schedules an action of the marketplace. @param delay milliseconds from now */
  later(delay: number, act: () => void): void {
    this.#clockwork.after(delay, act);
  }

  /** Adds a listing, which competitors and shoppers then see. @throws RangeError for a SKU that exists already */
  addItem(plan: ItemPlan): MarketItem {
    if (this.#items.has(plan.sku))
      throw new RangeError(`${this.marketplace} has the SKU ${plan.sku} already`);
    const chance = new Chance(`${this.#seed}/${plan.sku}`);
    const item = generateItem(plan, this.now(), chance);
    this.#items.set(item.sku, item);
    for (const [at, competitor] of item.competitors.entries()) {
      const moods = chance.for(`moods ${at}`);
      const wake = (): void => {
        const before = stateOf(competitor);
        react(competitor, item, moods);
        if (stateOf(competitor) !== before) this.#notifyOfferChange(item);
        this.#clockwork.after(reactionDelay(competitor, moods) / this.#pace, wake);
      };
      this.#clockwork.after(reactionDelay(competitor, moods) / this.#pace, wake);
    }
    this.#scheduleShoppers(item, plan, chance.for('shoppers'));
    return item;
  }

  /**
   * Records a price, including a refused one, and applies it after its delay. Of several prices of a listing the one
   * received last wins, even if it has a shorter delay than the one before.
   */
  receivePrice(asked: PriceRequest): ReceivedPrice {
    const { sku, price, requestId, operation, refusal = null, isDropped = false } = asked;
    const item = this.#items.get(sku);
    const isRefused = refusal !== null || item === undefined;
    const received: MutableReceivedPrice = {
      marketplace: this.marketplace,
      sku,
      price,
      at: this.now(),
      requestId,
      operation,
      outcome: isRefused ? 'refused' : isDropped ? 'dropped' : 'pending',
      appliedAt: null,
      refusal: refusal ?? (item === undefined ? 'no such listing' : null),
    };
    this.#received.push(received);
    if (item === undefined || received.outcome !== 'pending') return received;
    const before = this.#pending.get(sku);
    if (before?.outcome === 'pending') before.outcome = 'replaced';
    this.#pending.set(sku, received);
    if (asked.liveAfter <= 0) this.#goLive(item, received);
    else this.#clockwork.after(asked.liveAfter / this.#pace, () => this.#goLive(item, received));
    return received;
  }

  /** Edits a listing on the marketplace's own pages. @returns null without such a listing */
  edit(sku: string, { price, quantity, isActive }: Edit): MarketItem | null {
    const item = this.#items.get(sku);
    if (item === undefined) return null;
    item.price = price ?? item.price;
    item.quantity = quantity ?? item.quantity;
    item.isActive = isActive ?? item.isActive;
    item.updatedAt = this.now();
    this.#notifyOfferChange(item);
    return item;
  }

  /** A shopper buys one unit now. @throws RangeError without such a listing in stock */
  sell(sku: string): void {
    const item = this.#items.get(sku);
    if (item === undefined || item.quantity === 0)
      throw new RangeError(`${this.marketplace} cannot sell ${sku}`);
    this.#order(item, 1, new Chance(`${this.#seed}/sold ${sku} ${this.#orders.length}`));
  }

  /** Deletes a listing. */
  remove(sku: string): void {
    const item = this.#items.get(sku);
    if (item !== undefined) item.isActive = false;
    this.#items.delete(sku);
  }

  #goLive(item: MutableItem, received: MutableReceivedPrice): void {
    if (received.outcome !== 'pending') return;
    received.outcome = 'applied';
    received.appliedAt = this.now();
    item.price = received.price;
    item.updatedAt = this.now();
    this.#notifyOfferChange(item);
  }

  #notifyOfferChange({ itemId }: MutableItem): void {
    for (const listener of this.#offerListeners) listener(itemId);
  }

  #notifyOrderChange(order: Order, isNew: boolean): void {
    this.money.orderChanged(order, isNew);
    for (const listener of this.#orderListeners) listener(order, isNew);
  }

  #scheduleShoppers(item: MutableItem, plan: ItemPlan, chance: Chance): void {
    const viewsPerDay = plan.viewsPerDay ?? chance.between(0.5, 12);
    if (viewsPerDay <= 0) return;
    const averageLimit = cents(Math.round((plan.price + item.shippingCharge) * chance.between(1, 1.25)));
    const come = (): void => {
      this.#visit(item, averageLimit, chance);
      this.#clockwork.after(chance.wait(DAY / viewsPerDay), come);
    };
    this.#clockwork.after(chance.wait(DAY / viewsPerDay), come);
  }

  #visit(item: MutableItem, averageLimit: Cents, chance: Chance): void {
    if (!this.#items.has(item.sku)) return;
    const { featured, bought } = shop(item, averageLimit, chance);
    item.views++;
    if (featured?.competitor === null) item.featuredViews++;
    if (bought?.competitor === null) this.#order(item, Math.min(pieces(chance), item.quantity), chance);
  }

  #order(item: MutableItem, quantity: number, chance: Chance): void {
    const now = this.now();
    const number = this.#firstOrder + this.#orders.length;
    const buyer = new Chance(`${this.#seed}/buyer ${number}`);
    const place = drawPlace(buyer);
    const lines = this.#linesOf(item, quantity, place, buyer);
    const order: MutableOrder = { number, createdAt: now, updatedAt: now, status: 'open', place, lines };
    this.#orders.push(order);
    item.quantity -= quantity;
    item.unitsSold += quantity;
    this.#notifyOrderChange(order, true);
    if (item.quantity === 0) {
      this.#notifyOfferChange(item);
      this.#clockwork.after(2 * DAY, () => this.#restock(item, chance));
    }
    const isCancelled = chance.happens(0.04);
    this.#clockwork.after(isCancelled ? chance.wait(3 * HOUR) : chance.whole(6 * HOUR, 30 * HOUR), () => {
      order.status = isCancelled ? 'cancelled' : 'shipped';
      order.updatedAt = this.now();
      if (isCancelled) item.quantity += quantity;
      this.#notifyOrderChange(order, false);
    });
  }

  /** One line; Amazon sometimes splits several units of a listing into two. */
  #linesOf(item: MutableItem, quantity: number, place: BuyerPlace, buyer: Chance): OrderLine[] {
    const isSplit = this.marketplace === 'amazon' && quantity > 1 && buyer.happens(0.2);
    const quantities = isSplit ? [1, quantity - 1] : [quantity];
    return quantities.map((units, at) => {
      const shipping = at === 0 ? item.shippingCharge : cents(0);
      const tax = cents(salesTaxOn(item.price * units + shipping, place));
      const basis = { unitPrice: item.price, shipping, quantity: units, tax, at: this.now() };
      const fees = this.fees.feesFor(item, basis);
      return lineOf(item, { number: at + 1, quantity: units, shipping, tax, fees });
    });
  }

  #restock(item: MutableItem, chance: Chance): void {
    item.quantity += chance.whole(30, 120);
    item.updatedAt = this.now();
    this.#notifyOfferChange(item);
  }
}

/** A competitor's visible price; null out of stock. */
function stateOf({ price, isInStock }: MutableItem['competitors'][number]): number | null {
  return isInStock ? price : null;
}
