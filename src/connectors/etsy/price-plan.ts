import type { FoundBeforeSending, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import { NAME } from './etsy-calls.ts';
import type { Inventory, Product } from './etsy-responses.ts';
import {
  groupsOf,
  offeringsOf,
  priceGroupsOf,
  priceKeyOf,
  priceOf,
  productKeyOf,
  type SkuGroup,
} from './sku-groups.ts';

/** What must be sent to carry out the orders of one listing. */
export interface PricePlan {
  /** Outcomes that are known without sending anything. */
  readonly settled: readonly SendOutcome[];
  /** Orders in the body below. */
  readonly carried: readonly CarriedOrder[];
  /** The complete inventory with the new prices, in Etsy's format. */
  readonly body: string;
}

interface CarriedOrder {
  readonly order: PriceOrder;
  /** Products with this price. */
  readonly products: readonly Product[];
}

const NO_SUCH_SKU = 'This SKU is no longer in the Etsy listing. Sync the listings again.';
const OTHER_MONEY = 'Etsy holds this listing in another currency than US dollars.';
const DIFFERENT =
  'On Etsy its variations have different prices under one SKU. Give each price a SKU of its own there.';
const CHANGED = 'The listing was changed on Etsy: other variations share this price now.';

/**
 * Sets new prices in an inventory that was just read; nothing else of it changes. A price that the seller set there is kept.
 * @param readAt by our clock, before the inventory was requested
 */
export function planOf(
  listingId: number,
  inventory: Inventory,
  orders: readonly PriceOrder[],
  readAt: Instant,
): PricePlan {
  const groups = groupsOf(listingId, inventory);
  const priceGroups = priceGroupsOf(listingId, groups, inventory);
  const settled: SendOutcome[] = [];
  const wanted: CarriedOrder[] = [];
  const isForeign = inventory.products.flatMap(offeringsOf).some(({ price }) => price.currency !== 'USD');
  for (const order of orders) {
    const group = groups.find(({ sku }) => sku === order.ref.sku);
    const current = group === undefined ? null : priceOf(group);
    if (group === undefined) settled.push(rejected(order, NO_SUCH_SKU));
    else if (isForeign) settled.push(stopped(order, OTHER_MONEY, NOT_REPRICEABLE));
    else if ((priceGroups.get(group.sku) ?? null) !== (order.groupKey ?? null)) {
      settled.push(stopped(order, CHANGED, { kind: 'regrouped' }));
    } else if (current === null) settled.push(rejected(order, DIFFERENT));
    else {
      // 0.00 is no price that the seller set: the price there is unknown.
      const edited = isPrice(current.amount) ? stoppedByPrice(NAME, order, current.amount, readAt) : null;
      if (edited === null) wanted.push({ order, products: group.products });
      else settled.push(edited);
    }
  }
  const possible = withoutTorn(inventory, wanted);
  const torn = wanted.filter((one) => !possible.includes(one));
  settled.push(
    ...torn.map((one) => stopped(one.order, sharedText(one, wanted, groups, inventory), NOT_REPRICEABLE)),
  );
  const carried = possible.filter(({ order, products }) => !isLive(products, order.price));
  const live = possible.filter((one) => !carried.includes(one));
  settled.push(
    ...live.map(
      ({ order: { ref, price } }): SendOutcome => ({ listingId: ref.listingId, kind: 'live', price }),
    ),
  );
  const prices = pricesOf(carried, inventory);
  if (offered(inventory).some((product) => isUnpriced(product, prices))) {
    return { settled: [...settled, ...carried.map(({ order }) => notSent(order))], carried: [], body: '' };
  }
  return { settled, carried, body: JSON.stringify(rewritten(inventory, prices)) };
}

/** It is for sale, and Etsy shows no price of it: written back, that would be one of 0.00. */
function isUnpriced(product: Product, prices: ReadonlyMap<number, Cents>): boolean {
  const forSale = offeringsOf(product).filter(({ is_enabled }) => is_enabled);
  return !prices.has(product.product_id) && forSale.some(({ price }) => !isPrice(price.amount));
}

function notSent({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message =
    'Etsy shows no price of another variation, which an update would set to $0.00. Pricewright checks again.';
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

/** The outcomes of the orders in the body, from Etsy's response. */
export function confirmed({ carried }: PricePlan, answer: Inventory): SendOutcome[] {
  const shown = new Map(answer.products.map((product) => [productKeyOf(product), product]));
  return carried.map(({ order, products }): SendOutcome => {
    const { listingId } = order.ref;
    const found = products.flatMap((product) => shown.get(productKeyOf(product)) ?? []);
    const price = found.length === products.length ? priceOf({ sku: order.ref.sku, products: found }) : null;
    if (price?.currency === 'USD') return { listingId, kind: 'live', price: price.amount };
    return {
      listingId,
      kind: 'unknown',
      message: 'Etsy accepted the update but does not show the new price.',
    };
  });
}

/** Units of one product that were sold. */
export interface SoldProduct {
  /** Null where the sale does not name it; then the SKU does. */
  readonly productId: number | null;
  readonly sku: string;
  readonly quantity: number;
}

/**
 * The inventory without what was sold, in Etsy's format. Where the quantity does not depend on a property, all products
 * share one.
 * @returns null where a sold product is not among them, or nothing would be left, which Etsy does not accept
 */
export function withoutSold(inventory: Inventory, sold: readonly SoldProduct[]): string | null {
  const isShared = inventory.quantity_on_property.length === 0;
  const { products: all } = inventory;
  // A write may give products other IDs.
  const targets = sold.map(
    ({ productId, sku }) =>
      all.find(({ product_id }) => product_id === productId) ??
      all.find((one) => sku !== '' && one.sku === sku),
  );
  if (!isShared && targets.includes(undefined)) return null;
  const soldOf = (product: Product): number =>
    sold.reduce((sum, { quantity }, at) => (isShared || targets[at] === product ? sum + quantity : sum), 0);
  const products = all.map((product) => ({
    ...product,
    offerings: product.offerings.map((offering) => ({
      ...offering,
      quantity: Math.max(0, offering.quantity - soldOf(product)),
    })),
  }));
  const isAnyLeft = offered({ products }).some((product) =>
    offeringsOf(product).some(({ quantity }) => quantity > 0),
  );
  return isAnyLeft ? JSON.stringify(rewritten({ ...inventory, products }, new Map())) : null;
}

/** What was for sale of one product when its listing was written. */
export interface WrittenProduct {
  /** {@link productKeyOf} */
  readonly key: string;
  readonly productId: number;
  readonly quantity: number;
}

/** The stock that writing an inventory back restores. */
export function writtenStock(inventory: Inventory): WrittenProduct[] {
  return offered(inventory).map((product) => ({
    key: productKeyOf(product),
    productId: product.product_id,
    quantity: quantityOf(product),
  }));
}

/**
 * Of the units that were sold since an inventory was read, those that writing it back restored: what its quantities are
 * lower by now was sold after the write.
 * @param before its stock as it was read and written back
 * @param shown as it is after the write
 * @returns null where a sold product is not among them, or a quantity is higher than what was written: the seller has set
 * it since
 */
export function restoredBy(
  before: readonly WrittenProduct[],
  shown: Inventory,
  sold: readonly SoldProduct[],
): readonly SoldProduct[] | null {
  const written = new Map(before.map((product) => [product.key, product]));
  const all = offered(shown);
  const isShared = shown.quantity_on_property.length === 0;
  // A write gives products other IDs.
  const targets = sold.map(({ productId, sku }) => {
    const isNamed = (product: Product): boolean =>
      product.product_id === productId || written.get(productKeyOf(product))?.productId === productId;
    return isShared ? all[0] : (all.find(isNamed) ?? all.find((one) => sku !== '' && one.sku === sku));
  });
  const restored: SoldProduct[] = [];
  for (const product of new Set(targets)) {
    const old = product === undefined ? undefined : written.get(productKeyOf(product));
    const lowered = product === undefined || old === undefined ? -1 : old.quantity - quantityOf(product);
    if (product === undefined || lowered < 0) return null;
    const units = sold.reduce((sum, { quantity }, at) => (targets[at] === product ? sum + quantity : sum), 0);
    const { product_id: productId, sku } = product;
    if (units > lowered) restored.push({ productId, sku, quantity: units - lowered });
  }
  return restored;
}

function offered({ products }: Pick<Inventory, 'products'>): Product[] {
  return products.filter(({ is_deleted }) => is_deleted !== true);
}

function quantityOf(product: Product): number {
  return offeringsOf(product)[0]?.quantity ?? 0;
}

/** Whether writing the inventory could undo a sale that happens now: its last unit would be for sale again. */
export function hasLastPiece(inventory: Inventory): boolean {
  return offered(inventory).some((product) => offeringsOf(product).some(({ quantity }) => quantity === 1));
}

/**
 * Removes orders that would change a price without an order. Removing one may turn another into such an order, so
 * the check repeats.
 */
function withoutTorn(inventory: Inventory, wanted: readonly CarriedOrder[]): readonly CarriedOrder[] {
  const torn = tornKeys(inventory, pricesOf(wanted, inventory));
  const possible = wanted.filter(
    ({ products }) => !products.some((product) => torn.has(priceKeyOf(product, inventory))),
  );
  return possible.length === wanted.length ? possible : withoutTorn(inventory, possible);
}

/** New prices by product: also of those that share one and are not for sale, since Etsy accepts one price only. */
function pricesOf(orders: readonly CarriedOrder[], inventory: Inventory): Map<number, Cents> {
  const byKey = new Map<string, Cents>();
  const prices = new Map<number, Cents>();
  for (const { order, products } of orders) {
    for (const product of products) {
      byKey.set(priceKeyOf(product, inventory), order.price);
      prices.set(product.product_id, order.price);
    }
  }
  for (const product of inventory.products) {
    const shared = byKey.get(priceKeyOf(product, inventory));
    const isForSale = offeringsOf(product).some(({ is_enabled }) => is_enabled);
    if (shared !== undefined && !isForSale && !prices.has(product.product_id))
      prices.set(product.product_id, shared);
  }
  return prices;
}

/** Names what shares the price of an order and is not sent with it. */
function sharedText(
  { products }: CarriedOrder,
  wanted: readonly CarriedOrder[],
  groups: readonly SkuGroup[],
  inventory: Inventory,
): string {
  const keys = new Set(products.map((product) => priceKeyOf(product, inventory)));
  const ordered = new Set(wanted.map(({ order }) => order.ref.sku));
  const other = groups.find(
    (group) =>
      !ordered.has(group.sku) && group.products.some((product) => keys.has(priceKeyOf(product, inventory))),
  );
  return `On Etsy, ${other?.sku ?? 'another SKU'} shares this price and would change too, and it is not priced here. Add it, or let prices vary by variation there.`;
}

/** Keys of prices (see {@link priceKeyOf}) that would get two values. */
function tornKeys(inventory: Inventory, prices: ReadonlyMap<number, Cents>): Set<string> {
  const seen = new Map<string, Cents>();
  const torn = new Set<string>();
  for (const product of offered(inventory)) {
    const key = priceKeyOf(product, inventory);
    for (const offering of offeringsOf(product)) {
      const price = prices.get(product.product_id) ?? offering.price.amount;
      if ((seen.get(key) ?? price) !== price) torn.add(key);
      seen.set(key, price);
    }
  }
  return torn;
}

function isLive(products: readonly Product[], price: Cents): boolean {
  return products.flatMap(offeringsOf).every((offering) => offering.price.amount === price);
}

/** Everything as it was read, in the format that Etsy accepts: without the members that Etsy generates. */
function rewritten(inventory: Inventory, prices: ReadonlyMap<number, Cents>) {
  const { price_on_property, quantity_on_property, sku_on_property } = inventory;
  return {
    products: offered(inventory).map((product) => ({
      sku: product.sku,
      property_values: product.property_values.map(({ property_name, ...value }) => ({
        ...value,
        ...(property_name == null ? {} : { property_name }),
      })),
      offerings: offeringsOf(product).map(({ price, quantity, is_enabled, readiness_state_id }) => ({
        // Etsy requires a number; it is made from the digits of whole cents.
        price: Number(decimalFromCents(prices.get(product.product_id) ?? price.amount)),
        quantity,
        is_enabled,
        readiness_state_id: readiness_state_id ?? null,
      })),
    })),
    price_on_property,
    quantity_on_property,
    sku_on_property,
    ...(inventory.readiness_state_on_property == null
      ? {}
      : { readiness_state_on_property: inventory.readiness_state_on_property }),
  };
}

const NOT_REPRICEABLE: FoundBeforeSending = { kind: 'not_repriceable' };

function stopped({ ref }: PriceOrder, message: string, found: FoundBeforeSending): SendOutcome {
  return { listingId: ref.listingId, kind: 'stopped', message, found };
}

function rejected({ ref }: PriceOrder, message: string): SendOutcome {
  return { listingId: ref.listingId, kind: 'rejected', message, code: null };
}
