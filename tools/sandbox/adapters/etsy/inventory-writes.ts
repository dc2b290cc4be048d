import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { priceOf } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { etsyRefusal } from './etsy-errors.ts';
import { hasVariations, inventoryView, variationOf } from './inventory-view.ts';
import type { ListingGroup } from './listing-groups.ts';

const LOWEST = 20;
const HIGHEST = 5_000_000;

const Properties = z.array(z.int()).default([]);
/** Rejects Etsy's own read-only members, such as product_id and scale_name. */
const Product = z.strictObject({
  sku: z.string().max(32).nullish(),
  property_values: z
    .array(
      z.strictObject({
        property_id: z.int().min(1),
        value_ids: z.array(z.int().min(1)),
        scale_id: z.int().nullish(),
        property_name: z.string().optional(),
        values: z.array(z.string().regex(/^[^()]*$/)),
      }),
    )
    .default([]),
  offerings: z
    .array(
      z.strictObject({
        price: z.number(),
        quantity: z.int().min(0).max(999),
        is_enabled: z.boolean(),
        readiness_state_id: z.int().nullable(),
      }),
    )
    .length(1),
});
const Body = z.strictObject({
  products: z.array(Product).min(1),
  price_on_property: Properties,
  quantity_on_property: Properties,
  sku_on_property: Properties,
  readiness_state_on_property: Properties.nullable(),
});
type Body = z.output<typeof Body>;
type SentProduct = Body['products'][number];

interface Rewritten {
  readonly item: MarketItem;
  readonly price: Cents;
  readonly quantity: number;
  readonly isEnabled: boolean;
}

/** Replaces the inventory of a listing: prices and quantities. Products that are not in the request are removed. */
export function rewriteInventory(
  market: Market,
  tools: AdapterContext,
  request: FastifyRequest,
  group: ListingGroup,
) {
  const body = Body.safeParse(request.body);
  if (!body.success) {
    const [issue] = body.error.issues;
    throw etsyRefusal(400, `Invalid inventory: ${issue?.path.join('.')} ${issue?.message}`);
  }
  const requested = pricesIn(body.data, group);
  const problem =
    unevenProblem(body.data) ?? (requested === null ? 'The products do not fit the listing.' : null);
  if (problem !== null || requested === null) {
    refuseAll(market, tools, request, group, body.data, problem ?? '');
    throw etsyRefusal(400, problem ?? undefined);
  }
  sellBefore(market, group);
  const { price_on_property: pricedBy, quantity_on_property: quantityBy, sku_on_property: skuBy } = body.data;
  market.edit(group.items[0].sku, { differsBy: { pricedBy, quantityBy, skuBy } });
  for (const { item, price, quantity, isEnabled } of requested) {
    const { sku } = item;
    if (price !== item.price) tools.receivePrice(market, request, { sku, price, liveAfter: 0 });
    market.edit(sku, { quantity, isActive: isEnabled });
  }
  const kept = new Set(requested.map(({ item }) => item));
  for (const item of group.items) if (!kept.has(item)) market.remove(item.sku);
  const [first, ...others] = requested.map(({ item }) => item);
  if (first === undefined) throw etsyRefusal(500);
  const prices = new Map(requested.map(({ item, price }) => [item.sku, price]));
  return inventoryView({ listingId: group.listingId, items: [first, ...others] }, prices);
}

/** Buyers who are quicker than the write, which then restores what they bought. */
function sellBefore(market: Market, { items }: ListingGroup): void {
  const { inventoryWrites } = market.quirks;
  const waiting = inventoryWrites?.soldBefore ?? [];
  const sold = items.filter(({ sku, quantity }) => waiting.includes(sku) && quantity > 0);
  if (sold.length === 0) return;
  for (const { sku } of sold) market.sell(sku);
  const skus = new Set(sold.map(({ sku }) => sku));
  market.setQuirks({
    inventoryWrites: { ...inventoryWrites, soldBefore: waiting.filter((sku) => !skus.has(sku)) },
  });
}

/** Null if a product does not belong to the listing, or if its price is outside Etsy's limits. */
function pricesIn({ products }: Body, group: ListingGroup): Rewritten[] | null {
  const found: Rewritten[] = [];
  for (const product of products) {
    const item = itemOf(product, group);
    const [offering] = product.offerings;
    const price = offering === undefined ? null : priceOf(offering.price);
    const isFine = price !== null && price >= LOWEST && price <= HIGHEST;
    if (item === undefined || offering === undefined || !isFine) return null;
    if (found.some((one) => one.item === item)) return null;
    found.push({ item, price, quantity: offering.quantity, isEnabled: offering.is_enabled });
  }
  return found;
}

/** Finds an item by the values of its variation; the sandbox does not change SKUs. */
function itemOf(product: SentProduct, group: ListingGroup): MarketItem | undefined {
  const { items } = group;
  const sent = new Map(
    product.property_values.map(({ property_id, values }) => [String(property_id), values[0]]),
  );
  const isMeant = (one: MarketItem): boolean =>
    Object.entries(variationOf(one).values).every(([property, value]) => sent.get(property) === value);
  const item = hasVariations(group) ? items.find(isMeant) : items[0];
  return item?.sku === (product.sku ?? '') ? item : undefined;
}

/** Properties that differ between products must be declared as differing. */
function unevenProblem({ products, price_on_property, quantity_on_property, sku_on_property }: Body) {
  /** Whether products with the same values of the properties have different values of their own. */
  const differs = (by: readonly number[], memberOf: (product: SentProduct) => unknown): boolean => {
    const values = new Map<string, unknown>();
    return products.some((product) => {
      const group = by.map((id) => valuesOf(product, id)).join(' / ');
      const isOther = values.has(group) && values.get(group) !== memberOf(product);
      values.set(group, memberOf(product));
      return isOther;
    });
  };
  if (differs(price_on_property, ({ offerings: [offering] }) => offering?.price)) {
    return 'The price must be the same for all products with the same values of price_on_property.';
  }
  if (differs(quantity_on_property, ({ offerings: [offering] }) => offering?.quantity)) {
    return 'The quantity must be the same for all products with the same values of quantity_on_property.';
  }
  if (differs(sku_on_property, ({ sku }) => sku ?? '')) {
    return 'The SKU must be the same for all products with the same values of sku_on_property.';
  }
  return null;
}

function valuesOf({ property_values }: SentProduct, id: number): string {
  return property_values.find(({ property_id }) => property_id === id)?.values.join() ?? '';
}

/** Records the rejected prices that would have changed something. */
function refuseAll(
  market: Market,
  tools: AdapterContext,
  request: FastifyRequest,
  group: ListingGroup,
  { products }: Body,
  refusal: string,
): void {
  for (const product of products) {
    const item = itemOf(product, group);
    const price = priceOf(product.offerings[0]?.price);
    if (item === undefined || price === null || price === item.price) continue;
    tools.receivePrice(market, request, { sku: item.sku, price, liveAfter: 0, refusal });
  }
}
