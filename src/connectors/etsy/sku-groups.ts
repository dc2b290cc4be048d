import type { Cents } from '#domain/units.ts';
import type { Inventory, Product, PropertyValues } from './etsy-responses.ts';

const LONGEST_WORDS = 150;

/** Products of a listing that go by one SKU, and so have one price. */
export interface SkuGroup {
  /** The SKU, or a made-up one. */
  readonly sku: string;
  readonly products: readonly Product[];
}

/**
 * The SKUs of a listing. Etsy counts products anew whenever an inventory is written, so one without a SKU goes by the
 * listing and what makes the variation: `etsy-<listing>-<values>`, or `etsy-<listing>` when it is the only one. When no
 * product has a SKU and all of them share one price, they are one: nobody could price them apart.
 */
export function groupsOf(listingId: number, inventory: Inventory): SkuGroup[] {
  const products = inventory.products.filter(({ is_deleted }) => is_deleted !== true);
  if (products.length === 0) return [];
  const areAlike = inventory.price_on_property.length === 0 || products.length === 1;
  if (areAlike && products.every(({ sku }) => plain(sku) === ''))
    return [{ sku: `etsy-${listingId}`, products }];
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const sku = plain(product.sku) || `etsy-${listingId}-${errorMessageOf(product)}`;
    groups.set(sku, [...(groups.get(sku) ?? []), product]);
  }
  return [...groups].map(([sku, members]) => ({ sku, products: members }));
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
export function priceKeyOf({ property_values }: Product, { price_on_property }: Inventory): string {
  return propertiesKey(property_values.filter(({ property_id }) => price_on_property.includes(property_id)));
}

/** Names a product among those of its listing, also after Etsy counted them anew. */
export function productKeyOf({ sku, property_values }: Product): string {
  return `${plain(sku)}|${propertiesKey(property_values)}`;
}

/** Names what makes a variation, by its words: the numbers of values change too when an inventory is written. */
export function propertiesKey(values: PropertyValues): string {
  const sorted = values.toSorted((a, b) => a.property_id - b.property_id);
  return JSON.stringify(sorted.map((one) => [one.property_id, one.scale_id ?? null, one.values]));
}

/** Whether a SKU of the listing has to have the same price as another one of it. */
export function sharesPrice(group: SkuGroup, groups: readonly SkuGroup[], inventory: Inventory): boolean {
  const own = new Set(group.products.map((product) => priceKeyOf(product, inventory)));
  const others = groups.filter(({ sku }) => sku !== group.sku).flatMap(({ products }) => products);
  return others.some((product) => own.has(priceKeyOf(product, inventory)));
}

/** The values of a variation as a part of a SKU: "dark-red-large". */
function errorMessageOf({ property_values }: Product): string {
  const words = property_values.flatMap(({ values }) => values).join(' ');
  const letters = words.normalize('NFKC').toLowerCase();
  return letters
    .split(/[^\p{L}\p{N}]/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST_WORDS);
}

/** Trimmed, without the one character that no database stores. */
function plain(text: string): string {
  return text.replaceAll('\0', '').trim();
}
