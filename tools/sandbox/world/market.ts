import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import type { ItemPlan, WorldPlan } from './catalog.ts';
import { Chance } from './chance.ts';
import type { Clockwork } from './clockwork.ts';
import { look, nextLook } from './competitors.ts';
import { ConsentStore } from './consents.ts';
import { generateItem } from './generate-item.ts';
import type { MarketItem, MutableItem } from './item.ts';
import { lineOf, type MutableOrder, type Order } from './orders.ts';
import type { AskedPrice, LivingHeardPrice, ReceivedPrice } from './received-prices.ts';
import { feesOf, pieces, shop } from './shoppers.ts';
import { Tasks } from './tasks.ts';
import { TokenStore } from './tokens.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What is changed from outside: by the seller on the marketplace's own pages. */
export interface Edit {
  readonly price?: Cents;
  readonly quantity?: number;
  readonly isActive?: boolean;
}

/** One marketplace with our listings, the rivals, the shoppers and their orders. */
export class Market {
  readonly marketplace: Marketplace;
  readonly tasks: Tasks;
  readonly tokens: TokenStore;
  readonly consents: ConsentStore;
  readonly #clockwork: Clockwork;
  readonly #seed: string;
  readonly #heard: LivingHeardPrice[];
  readonly #pace: number;
  readonly #firstOrder: number;
  readonly #items = new Map<string, MutableItem>();
  readonly #orders: MutableOrder[] = [];
  readonly #watchers: ((itemId: string) => void)[] = [];
  readonly #orderWatchers: ((order: Order, isNew: boolean) => void)[] = [];
  /** The price of each listing that was accepted last. */
  readonly #pending = new Map<string, LivingHeardPrice>();

  /** @param heard the ledger of the whole world, where this market writes what it hears */
  constructor(
    marketplace: Marketplace,
    { seed, pace = 1, firstOrder = 1 }: Pick<WorldPlan, 'seed' | 'pace' | 'firstOrder'>,
    clockwork: Clockwork,
    heard: LivingHeardPrice[],
  ) {
    this.marketplace = marketplace;
    this.#seed = `${seed}/${marketplace}`;
    this.#pace = pace;
    this.#firstOrder = firstOrder;
    this.#clockwork = clockwork;
    this.#heard = heard;
    this.tasks = new Tasks(clockwork);
    this.tokens = new TokenStore(() => clockwork.now(), new Chance(`${this.#seed}/tokens`));
    this.consents = new ConsentStore(() => clockwork.now(), new Chance(`${this.#seed}/consents`));
  }

  now(): Instant {
    return this.#clockwork.now();
  }

  /** Our listings, in the order in which they came. */
  items(): readonly MarketItem[] {
    return [...this.#items.values()];
  }

  item(sku: string): MarketItem | null {
    return this.#items.get(sku) ?? null;
  }

  /** The first listing for which something holds; null without one. */
  find(holds: (item: MarketItem) => boolean): MarketItem | null {
    for (const item of this.#items.values()) if (holds(item)) return item;
    return null;
  }

  /** In the order in which they were made. */
  orders(): readonly Order[] {
    return this.#orders;
  }

  /** Tells whenever an offer for an item appears, goes or has another price: ours or a rival's. */
  onOfferChange(tell: (itemId: string) => void): void {
    this.#watchers.push(tell);
  }

  /** Tells whenever an order is made, sent or cancelled. */
  onOrderChange(tell: (order: Order, isNew: boolean) => void): void {
    this.#orderWatchers.push(tell);
  }

  /** Does something of the marketplace's own so many milliseconds from now. */
  later(delay: number, act: () => void): void {
    this.#clockwork.after(delay, act);
  }

  /** Puts a listing up. From then on rivals and shoppers look at it. @throws RangeError for a SKU that is there already */
  plant(plan: ItemPlan): MarketItem {
    if (this.#items.has(plan.sku)) throw new RangeError(`twice on ${this.marketplace}: ${plan.sku}`);
    const chance = new Chance(`${this.#seed}/${plan.sku}`);
    const item = generateItem(plan, this.now(), chance);
    this.#items.set(item.sku, item);
    for (const [at, rival] of item.rivals.entries()) {
      const moods = chance.for(`moods ${at}`);
      const wake = (): void => {
        const before = stateOf(rival);
        look(rival, item, moods);
        if (stateOf(rival) !== before) this.#tellChange(item);
        this.#clockwork.after(nextLook(rival, moods) / this.#pace, wake);
      };
      this.#clockwork.after(nextLook(rival, moods) / this.#pace, wake);
    }
    this.#awaitShoppers(item, plan, chance.for('shoppers'));
    return item;
  }

  /**
   * Hears a price and writes it down, whatever becomes of it. Of several prices of one listing the one that was heard
   * last wins, also when it is live sooner than the one before.
   */
  hear(asked: AskedPrice): ReceivedPrice {
    const { sku, price, requestId, operation, refusal = null, isDropped = false } = asked;
    const item = this.#items.get(sku);
    const isRefused = refusal !== null || item === undefined;
    const heard: LivingHeardPrice = {
      marketplace: this.marketplace,
      sku,
      price,
      at: this.now(),
      requestId,
      operation,
      fate: isRefused ? 'refused' : isDropped ? 'dropped' : 'pending',
      appliedAt: null,
      refusal: refusal ?? (item === undefined ? 'no such listing' : null),
    };
    this.#heard.push(heard);
    if (item === undefined || heard.fate !== 'pending') return heard;
    const before = this.#pending.get(sku);
    if (before?.fate === 'pending') before.fate = 'replaced';
    this.#pending.set(sku, heard);
    if (asked.liveAfter <= 0) this.#goLive(item, heard);
    else this.#clockwork.after(asked.liveAfter / this.#pace, () => this.#goLive(item, heard));
    return heard;
  }

  /** Somebody changes a listing on the marketplace's own pages. @returns null without such a listing */
  edit(sku: string, { price, quantity, isActive }: Edit): MarketItem | null {
    const item = this.#items.get(sku);
    if (item === undefined) return null;
    item.price = price ?? item.price;
    item.quantity = quantity ?? item.quantity;
    item.isActive = isActive ?? item.isActive;
    item.updatedAt = this.now();
    this.#tellChange(item);
    return item;
  }

  /** Takes a listing down for good. */
  remove(sku: string): void {
    const item = this.#items.get(sku);
    if (item !== undefined) item.isActive = false;
    this.#items.delete(sku);
  }

  #goLive(item: MutableItem, heard: LivingHeardPrice): void {
    if (heard.fate !== 'pending') return;
    heard.fate = 'applied';
    heard.appliedAt = this.now();
    item.price = heard.price;
    item.updatedAt = this.now();
    this.#tellChange(item);
  }

  #tellChange({ itemId }: MutableItem): void {
    for (const tell of this.#watchers) tell(itemId);
  }

  #tellOrder(order: Order, isNew: boolean): void {
    for (const tell of this.#orderWatchers) tell(order, isNew);
  }

  #awaitShoppers(item: MutableItem, plan: ItemPlan, chance: Chance): void {
    const viewsPerDay = plan.viewsPerDay ?? chance.between(0.5, 12);
    if (viewsPerDay <= 0) return;
    const worth = cents(Math.round((plan.price + item.shippingCharge) * chance.between(1, 1.25)));
    const come = (): void => {
      this.#visit(item, worth, chance);
      this.#clockwork.after(chance.wait(DAY / viewsPerDay), come);
    };
    this.#clockwork.after(chance.wait(DAY / viewsPerDay), come);
  }

  #visit(item: MutableItem, worth: Cents, chance: Chance): void {
    if (!this.#items.has(item.sku)) return;
    const { featured, bought } = shop(item, worth, chance);
    item.views++;
    if (featured?.rival === null) item.featuredViews++;
    if (bought?.rival === null) this.#order(item, Math.min(pieces(chance), item.quantity), chance);
  }

  #order(item: MutableItem, quantity: number, chance: Chance): void {
    const now = this.now();
    const { commission, fulfillment } = feesOf(item, item.price, item.shippingCharge, quantity);
    const line = lineOf(item, quantity, 1, cents(commission + fulfillment));
    const number = this.#firstOrder + this.#orders.length;
    const order: MutableOrder = { number, createdAt: now, updatedAt: now, status: 'open', lines: [line] };
    this.#orders.push(order);
    item.quantity -= quantity;
    item.unitsSold += quantity;
    this.#tellOrder(order, true);
    if (item.quantity === 0) {
      this.#tellChange(item);
      this.#clockwork.after(2 * DAY, () => this.#restock(item, chance));
    }
    const isCancelled = chance.happens(0.04);
    this.#clockwork.after(isCancelled ? chance.wait(3 * HOUR) : chance.whole(6 * HOUR, 30 * HOUR), () => {
      order.status = isCancelled ? 'cancelled' : 'shipped';
      order.updatedAt = this.now();
      if (isCancelled) item.quantity += quantity;
      this.#tellOrder(order, false);
    });
  }

  #restock(item: MutableItem, chance: Chance): void {
    item.quantity += chance.whole(30, 120);
    item.updatedAt = this.now();
    this.#tellChange(item);
  }
}

/** What shoppers see of a rival. */
function stateOf({ price, isInStock }: MutableItem['rivals'][number]): number | null {
  return isInStock ? price : null;
}
