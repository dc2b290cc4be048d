import type { Cents } from '#domain/units.ts';
import type { Inventory, Product } from './etsy-answers.ts';

/** Products of a listing that go by one SKU, and so have one price. */
export interface SkuGroup {
  /** The SKU, or a made-up one. */
  readonly sku: string;
  readonly products: readonly Product[];
}

/**
 * The SKUs of a listing. A product without one gets `etsy-<listing>-<product>`. When no product has one and all of them
 * share one price, they are one: nobody could price them apart.
 */
export function groupsOf(listingId: number, inventory: Inventory): SkuGroup[] {
  const products = inventory.products.filter(({ is_deleted }) => is_deleted !== true);
  const [first] = products.toSorted((a, b) => a.product_id - b.product_id);
  if (first === undefined) return [];
  const areAlike = inventory.price_on_property.length === 0 && products.every((one) => plain(one.sku) === '');
  if (areAlike) return [{ sku: madeUp(listingId, first), products }];
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const sku = plain(product.sku) || madeUp(listingId, product);
    groups.set(sku, [...(groups.get(sku) ?? []), product]);
  }
  return [...groups].map(([sku, members]) => ({ sku, products: members }));
}

/** The group with that SKU. A made-up one also finds the only group there is: Etsy may have counted its products anew. */
export function groupFor(sku: string, listingId: number, groups: readonly SkuGroup[]): SkuGroup | undefined {
  const same = groups.find((group) => group.sku === sku);
  const [only, ...others] = groups;
  if (same !== undefined || others.length > 0) return same;
  const isMadeUp = only?.products.every((product) => plain(product.sku) === '') === true;
  return isMadeUp && sku.startsWith(`etsy-${listingId}-`) ? only : undefined;
}

/** What buyers pay for each product of a group; null when they differ, or there is nothing to buy. */
export function priceOf({
  products,
}: SkuGroup): { readonly amount: Cents; readonly currency: string } | null {
  const all = products.flatMap(offeringsOf);
  const shown = all.filter(({ is_enabled }) => is_enabled);
  const prices = (shown.length > 0 ? shown : all).map(({ price }) => price);
  const [first] = prices;
  if (first === undefined) return null;
  const isOne = prices.every(
    ({ amount, currency }) => amount === first.amount && currency === first.currency,
  );
  return isOne ? first : null;
}

/** What is offered of a product. */
export function offeringsOf({ offerings }: Product): Product['offerings'] {
  return offerings.filter(({ is_deleted }) => is_deleted !== true);
}

/** Names the products that Etsy lets have a price of their own: those with the same name share one. */
export function priceKeyOf(product: Product, { price_on_property }: Inventory): string {
  return price_on_property.map((property) => propertyText(product, property)).join('|');
}

/** Names a product among those of its listing, also after Etsy counted them anew. */
export function productKeyOf(product: Product): string {
  const properties = product.property_values.map(({ property_id }) => property_id).toSorted((a, b) => a - b);
  return JSON.stringify([
    plain(product.sku),
    ...properties.map((property) => propertyText(product, property)),
  ]);
}

function propertyText({ property_values }: Product, property: number): string {
  const value = property_values.find(({ property_id }) => property_id === property);
  return `${property}:${value?.value_ids.join(',') ?? ''}:${value?.values.join(',') ?? ''}`;
}

/** Whether a SKU of the listing has to have the same price as another one of it. */
export function sharesPrice(group: SkuGroup, groups: readonly SkuGroup[], inventory: Inventory): boolean {
  const own = new Set(group.products.map((product) => priceKeyOf(product, inventory)));
  const others = groups.filter(({ sku }) => sku !== group.sku).flatMap(({ products }) => products);
  return others.some((product) => own.has(priceKeyOf(product, inventory)));
}

function madeUp(listingId: number, { product_id }: Product): string {
  return `etsy-${listingId}-${product_id}`;
}

/** Trimmed, without the one character that no database stores. */
function plain(text: string): string {
  return text.replaceAll('\0', '').trim();
}
