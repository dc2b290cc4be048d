import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, type Instant, instant } from '#domain/units.ts';
import { BoxSnapshots, type BoxState } from './box-snapshots.ts';
import type { ItemPlan, WorldPlan } from './catalog.ts';
import { Chance } from './chance.ts';
import type { Clockwork } from './clockwork.ts';
import { react, reactionDelay } from './competitors.ts';
import { ConsentStore } from './consents.ts';
import type { EbayForm } from './ebay-form.ts';
import { generateItem } from './generate-item.ts';
import { buyersPrice, type MarketItem, type MutableItem } from './item.ts';
import { lineOf, type MutableOrder, type Order, type OrderLine } from './orders.ts';
import type { Store } from './price-lag.ts';
import type { QuirkPlan } from './quirks.ts';
import type { MutableReceivedPrice, PriceRequest, ReceivedPrice } from './received-prices.ts';
import { Revisions } from './revisions.ts';
import { editedPrice, repricerPrice, SELLER_EDITS } from './seller-edits.ts';
import { pieces, shop } from './shoppers.ts';
import { Tasks } from './tasks.ts';
import { NO_TERMS, type PriceBounds, type Terms } from './terms.ts';
import { TokenStore } from './tokens.ts';
import { FeeTruth } from './truth/fee-truth.ts';
import { MoneyJournal } from './truth/money-journal.ts';
import { type PriceCause, PriceHistory } from './truth/price-history.ts';
import { type BuyerPlace, drawPlace, salesTaxOn } from './truth/sales-tax.ts';
import type { Sale } from './truth/truth.ts';
import type { Variation } from './variation.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Milliseconds between two looks of the marketplace's own repricer. */
const REPRICER_INTERVAL = 15 * MINUTE;

/** An edit made by the seller on the marketplace's own pages. */
export interface Edit {
  readonly price?: Cents;
  readonly quantity?: number;
  readonly isActive?: boolean;
  /** What is arranged besides the price; the other terms stay. */
  readonly terms?: Partial<Terms>;
  /** Identifiers that change; the others stay. */
  readonly keys?: Readonly<Record<string, string>>;
  /** By which properties the listing's prices, quantities and SKUs differ; the values stay. */
  readonly differsBy?: Partial<Omit<Variation, 'values'>>;
  /** How it is listed at eBay; the rest stays. */
  readonly ebay?: Partial<EbayForm>;
}

/** One marketplace with our listings, competitors, shoppers and orders. */
export class Market {
  readonly marketplace: Marketplace;
  readonly tasks: Tasks;
  readonly tokens: TokenStore;
  readonly consents: ConsentStore;
  readonly fees: FeeTruth;
  readonly money: MoneyJournal;
  /** How often listings were revised today: only eBay counts. */
  readonly revisions: Revisions;
  /** What buyers saw, and what each store showed. */
  readonly prices: PriceHistory;
  #tellsMoney = true;
  #quirks: QuirkPlan;
  readonly #clockwork: Clockwork;
  readonly #seed: string;
  readonly #received: MutableReceivedPrice[];
  readonly #pace: number;
  readonly #firstOrder: number;
  readonly #items = new Map<string, MutableItem>();
  readonly #orders: MutableOrder[] = [];
  readonly #sales: Sale[] = [];
  readonly #boxes = new BoxSnapshots();
  readonly #lags: Chance;
  readonly #effects: Chance;
  readonly #offerListeners: ((itemId: string, delay: number) => void)[] = [];
  readonly #orderListeners: ((order: Order, isNew: boolean) => void)[] = [];
  /** By SKU: the price accepted last. */
  readonly #pending = new Map<string, MutableReceivedPrice>();

  /** @param received the ledger of all marketplaces, to which this one adds the prices it receives */
  constructor(
    marketplace: Marketplace,
    { seed, startsAt, pace = 1, firstOrder = 1, fees, quirks }: Omit<WorldPlan, 'items' | 'stock'>,
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
    this.#quirks = quirks?.[marketplace] ?? {};
    this.#lags = new Chance(`${this.#seed}/lag`);
    this.#effects = new Chance(`${this.#seed}/effects`);
    this.revisions = new Revisions(
      () => clockwork.now(),
      () => this.#quirks.revisions?.perDay,
    );
    this.prices = new PriceHistory(this.#lags, pace);
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

  /** How the marketplace misbehaves now. */
  get quirks(): QuirkPlan {
    return this.#quirks;
  }

  /** Changes how it misbehaves from now on; what the plan does not name stays as it is. */
  setQuirks(plan: QuirkPlan): void {
    const hadLateBoxes = this.#quirks.lag?.box !== undefined;
    this.#quirks = { ...this.#quirks, ...plan };
    if (plan.hands !== undefined) {
      for (const item of this.#items.values()) {
        this.#letSellerEdit(item);
        this.#letToolAct(item);
      }
    }
    const hasLateBoxes = this.#quirks.lag?.box !== undefined;
    if (!hasLateBoxes) this.#boxes.clear();
    else if (!hadLateBoxes)
      for (const item of this.#items.values()) this.#boxes.take(item, this.now(), this.now());
  }

  /** All purchases, from us and from competitors, in order of time. */
  get sales(): readonly Sale[] {
    return this.#sales;
  }

  /** The states of a listing's buy box, kept only while the box is late. */
  boxStates(sku: string): readonly BoxState[] {
    return this.#boxes.states(sku);
  }

  /** Our listings as one of the marketplace's stores shows them now, in the order they were added. */
  itemsIn(store: Store): readonly MarketItem[] {
    return this.#quirks.lag === undefined
      ? this.items()
      : this.items().map((item) => this.seenIn(store, item));
  }

  /** A listing as one of the marketplace's stores shows it now. */
  seenIn(store: Store, item: MarketItem): MarketItem {
    if (store === 'box') return this.#boxes.of(item, this.now());
    const shown = this.prices.shown(item.sku, store, this.now());
    if (shown === null || shown === this.prices.of(item.sku).at(-1)) return item;
    const { price, salePrice, terms } = shown;
    return { ...item, price, salePrice, terms };
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

  /**
   * Calls the listener when an offer for an item, ours or a competitor's, appears, disappears or changes its price.
   * The second argument says after how many milliseconds the marketplace reports it.
   */
  onOfferChange(listener: (itemId: string, delay: number) => void): void {
    this.#offerListeners.push(listener);
  }

  /** Calls the listener when an order is placed, shipped or canceled. */
  onOrderChange(listener: (order: Order, isNew: boolean) => void): void {
    this.#orderListeners.push(listener);
  }

  /** Schedules an action of the marketplace. @param delay milliseconds from now */
  later(delay: number, action: () => void): void {
    this.#clockwork.after(delay, action);
  }

  /** Adds a listing, which competitors and shoppers then see. @throws RangeError for a SKU that exists already */
  addItem(plan: ItemPlan): MarketItem {
    if (this.#items.has(plan.sku))
      throw new RangeError(`${this.marketplace} has the SKU ${plan.sku} already`);
    const chance = new Chance(`${this.#seed}/${plan.sku}`);
    const item = generateItem(plan, this.now(), chance);
    this.#items.set(item.sku, item);
    this.#showSale(item);
    this.#record(item, 'start');
    this.#followTerms(item, NO_TERMS);
    this.#letSellerEdit(item);
    this.#letToolAct(item);
    if (this.#quirks.lag?.box !== undefined) this.#boxes.take(item, this.now(), this.now());
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
  receivePrice(requested: PriceRequest): ReceivedPrice {
    const { sku, price, requestId, operation, refusal = null, isDropped = false } = requested;
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
    const { neverLive, late, lateByMinutes = 45, outOfOrder } = this.#quirks.effects ?? {};
    if (this.happens(neverLive)) {
      received.outcome = 'dropped';
      return received;
    }
    const before = this.#pending.get(sku);
    if (before?.outcome === 'pending' && !this.happens(outOfOrder)) before.outcome = 'replaced';
    this.#pending.set(sku, received);
    const liveAfter = requested.liveAfter + (this.happens(late) ? lateByMinutes * MINUTE : 0);
    if (liveAfter <= 0) this.#goLive(item, received);
    else this.#clockwork.after(liveAfter / this.#pace, () => this.#goLive(item, received));
    return received;
  }

  /**
   * Edits a listing elsewhere: on the marketplace's own pages unless a cause is given.
   * @returns null without such a listing
   */
  edit(
    sku: string,
    { price, quantity, isActive, terms, keys, differsBy, ebay }: Edit,
    cause: PriceCause = 'seller',
  ): MarketItem | null {
    const item = this.#items.get(sku);
    if (item === undefined) return null;
    if (price !== undefined) this.#setPrice(item, price, cause);
    if (terms !== undefined) this.#arrange(item, terms);
    if (differsBy !== undefined) this.#vary(item.itemId, differsBy);
    item.quantity = quantity ?? item.quantity;
    item.isActive = isActive ?? item.isActive;
    if (keys !== undefined) item.keys = { ...item.keys, ...keys };
    if (ebay !== undefined) item.ebay = { ...item.ebay, ...ebay };
    item.updatedAt = this.now();
    this.#notifyOfferChange(item);
    return item;
  }

  /** A shopper buys one unit now. @throws RangeError without such a listing in stock */
  sell(sku: string): void {
    const item = this.#items.get(sku);
    if (item === undefined || item.quantity === 0)
      throw new RangeError(`${this.marketplace} cannot sell ${sku}`);
    const { shippingCharge } = item;
    const sale = { at: this.now(), sku, seller: null, quantity: 1 };
    this.#sales.push({ ...sale, price: buyersPrice(item), shippingCharge });
    this.#order(item, 1, new Chance(`${this.#seed}/sold ${sku} ${this.#orders.length}`));
  }

  /** Draws whether something planned happens now; draws nothing if it is not planned. @param share from 0 to 1 */
  happens(share: number | undefined): boolean {
    return share !== undefined && this.#effects.happens(share);
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
    const before = item.price;
    this.#setPrice(item, received.price, 'sent');
    const { fallsBack, fallsBackAfterMinutes = 60 } = this.#quirks.effects ?? {};
    if (this.happens(fallsBack)) {
      this.#clockwork.after((fallsBackAfterMinutes * MINUTE) / this.#pace, () => {
        if (item.price === received.price) this.edit(item.sku, { price: before }, 'fell_back');
      });
    }
    item.updatedAt = this.now();
    this.#notifyOfferChange(item);
  }

  /** Changes the terms of a listing; a sale begins and ends with the clock. */
  #arrange(item: MutableItem, terms: Partial<Terms>): void {
    const before = item.terms;
    item.terms = { ...before, ...terms };
    this.#showSale(item);
    this.#record(item, 'terms');
    this.#followTerms(item, before);
  }

  #vary(itemId: string, differsBy: Partial<Omit<Variation, 'values'>>): void {
    for (const item of this.#items.values()) {
      if (item.itemId !== itemId || item.variation === null) continue;
      item.variation = { ...item.variation, ...differsBy };
    }
  }

  /** Lets the sale of a listing begin and end with the clock, and the marketplace's own repricer act. */
  #followTerms(item: MutableItem, before: Terms): void {
    const { sale, repricer } = item.terms;
    const now = this.now();
    if (sale !== null && sale !== before.sale) {
      for (const moment of [sale.from, sale.to]) {
        if (moment > now) this.#clockwork.after(moment - now, () => this.#turnSale(item));
      }
    }
    // One that acts already goes on.
    if (repricer === null || repricer === before.repricer) return;
    const action = (): void => {
      // Other limits, or none, end this round; theirs has begun.
      if (item.terms.repricer !== repricer || this.#items.get(item.sku) !== item) return;
      this.edit(item.sku, { price: repricerPrice(item, within(repricer, item.terms.bounds)) }, 'repricer');
      this.#clockwork.after(REPRICER_INTERVAL / this.#pace, action);
    };
    this.#clockwork.after(REPRICER_INTERVAL / this.#pace, action);
  }

  #turnSale(item: MutableItem): void {
    const before = item.salePrice;
    this.#showSale(item);
    if (item.salePrice === before) return;
    this.#record(item, 'sale');
    this.#notifyOfferChange(item);
  }

  /** The seller's own edits come at random. */
  #letSellerEdit(item: MutableItem): void {
    const { seller } = this.#quirks.hands ?? {};
    if (seller === undefined || seller.perDay === 0) return;
    const chance = new Chance(`${this.#seed}/seller ${item.sku} ${this.now()}`);
    const kinds = seller.kinds ?? SELLER_EDITS;
    const action = (): void => {
      if (this.#quirks.hands?.seller !== seller) return;
      const price = editedPrice(chance.pick(kinds), item, this.prices.former(item.sku), chance);
      this.edit(item.sku, { price });
      this.#clockwork.after(chance.wait(DAY / seller.perDay), action);
    };
    this.#clockwork.after(chance.wait(DAY / seller.perDay), action);
  }

  /** Another program of the seller acts by its own clock. */
  #letToolAct(item: MutableItem): void {
    const { tool } = this.#quirks.hands ?? {};
    if (tool === undefined || tool.skus?.includes(item.sku) === false) return;
    let step = 1;
    const action = (): void => {
      if (this.#quirks.hands?.tool !== tool) return;
      this.edit(item.sku, { price: cents(item.price + step) }, 'tool');
      step = -step;
      this.#clockwork.after(tool.everyMinutes * MINUTE, action);
    };
    this.#clockwork.after(tool.everyMinutes * MINUTE, action);
  }

  /** Shows or hides the sale price as the hour demands. */
  #showSale(item: MutableItem): void {
    const { sale } = item.terms;
    const runs = sale !== null && sale.from <= this.now() && this.now() < sale.to;
    item.salePrice = runs ? sale.price : null;
  }

  #setPrice(item: MutableItem, price: Cents, cause: PriceCause): void {
    if (item.price === price) return;
    item.price = price;
    this.#record(item, cause);
  }

  #record({ sku, price, salePrice, terms }: MutableItem, cause: PriceCause): void {
    const lag = cause === 'start' ? {} : this.#quirks.lag;
    this.prices.add(sku, { at: this.now(), price, salePrice, terms, cause }, lag);
  }

  #notifyOfferChange(item: MutableItem): void {
    const { lag } = this.#quirks;
    if (lag?.box !== undefined)
      this.#boxes.take(item, this.now(), instant(this.now() + this.#delay(lag.box)));
    const ours = this.prices.of(item.sku).at(-1);
    const reported = ours !== undefined && ours.at === this.now() ? ours.shownAt.event : undefined;
    const delay = reported === undefined ? this.#delay(lag?.event) : reported - this.now();
    for (const listener of this.#offerListeners) listener(item.itemId, delay);
  }

  /** Milliseconds. */
  #delay([from, to]: readonly [number, number] = [0, 0]): number {
    return to === 0 ? 0 : Math.round((this.#lags.between(from, to) * 1_000) / this.#pace);
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
    if (bought === null) return;
    const { competitor, shippingCharge } = bought;
    const isOurs = competitor === null;
    const price = isOurs ? this.#agreedPrice(item, chance) : bought.price;
    // Competitors sell one piece at a time.
    const quantity = isOurs ? Math.min(pieces(chance), item.quantity) : 1;
    const sale = { at: this.now(), sku: item.sku, seller: competitor?.name ?? null };
    this.#sales.push({ ...sale, quantity, price, shippingCharge });
    if (isOurs) this.#order(item, quantity, chance, price);
  }

  /** Where offers are accepted automatically, one buyer in five makes the lowest one. */
  #agreedPrice(item: MutableItem, chance: Chance): Cents {
    const price = buyersPrice(item);
    const lowest = item.terms.bestOffer?.autoAccept;
    return lowest != null && lowest < price && chance.happens(0.2) ? lowest : price;
  }

  #order(item: MutableItem, quantity: number, chance: Chance, price = buyersPrice(item)): void {
    const now = this.now();
    const number = this.#firstOrder + this.#orders.length;
    const buyer = new Chance(`${this.#seed}/buyer ${number}`);
    const place = drawPlace(buyer);
    const lines = this.#linesOf(item, quantity, { place, buyer, unitPrice: price });
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
  #linesOf(
    item: MutableItem,
    quantity: number,
    { place, buyer, unitPrice }: { place: BuyerPlace; buyer: Chance; unitPrice: Cents },
  ): OrderLine[] {
    const isSplit = this.marketplace === 'amazon' && quantity > 1 && buyer.happens(0.2);
    const quantities = isSplit ? [1, quantity - 1] : [quantity];
    return quantities.map((units, at) => {
      const shipping = at === 0 ? item.shippingCharge : cents(0);
      const tax = cents(salesTaxOn(unitPrice * units + shipping, place));
      const isSoldOut = quantity === item.quantity;
      const basis = { unitPrice, shipping, quantity: units, tax, at: this.now(), isSoldOut };
      const fees = this.fees.feesFor(item, basis);
      return lineOf(item, { number: at + 1, quantity: units, unitPrice, shipping, tax, fees });
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

/** The limits of the marketplace's repricer; the seller's own where it has none. */
function within(repricer: PriceBounds, bounds: PriceBounds): PriceBounds {
  return { min: repricer.min ?? bounds.min, max: repricer.max ?? bounds.max };
}
