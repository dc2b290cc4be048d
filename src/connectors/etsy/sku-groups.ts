import { createHash } from 'node:crypto';
import type { Inventory, Money, Product, PropertyValues } from './etsy-responses.ts';

const MAX_TEXT_LENGTH = 150;

/** Products of a listing with one SKU, and so one price. */
export interface SkuGroup {
  /** The SKU, or a generated one. */
  readonly sku: string;
  readonly products: readonly Product[];
}

/**
 * The SKUs of a listing. Etsy changes product IDs whenever an inventory is written, so a product without a SKU is
 * identified by the listing and the values of the variation: `etsy-<listing>-<values>`, or `etsy-<listing>` when it
 * is the only one. When no product has a SKU and all of them share one price, they are one: they cannot be priced
 * separately.
 */
export function groupsOf(listingId: number, inventory: Inventory): SkuGroup[] {
  const products = inventory.products.filter(({ is_deleted }) => is_deleted !== true);
  if (products.length === 0) return [];
  const areAlike = inventory.price_on_property.length === 0 || products.length === 1;
  if (areAlike && products.every(({ sku }) => plain(sku) === ''))
    return [{ sku: `etsy-${listingId}`, products }];
  const groups = new Map<string, Product[]>();
  for (const product of products) {
    const sku = plain(product.sku) || `etsy-${listingId}-${variationOf(product)}`;
    groups.set(sku, [...(groups.get(sku) ?? []), product]);
  }
  return [...groups].map(([sku, members]) => ({ sku, products: members }));
}

/** What buyers pay for each product of a group; null when they differ, or none is for sale. */
export function priceOf({ products }: SkuGroup): Money | null {
  const all = products.flatMap(offeringsOf);
  const shown = all.filter(({ is_enabled }) => is_enabled);
  const prices = (shown.length > 0 ? shown : all).map(({ price }) => price);
  const [first] = prices;
  if (first === undefined) return null;
  const isOne = prices.every(
    ({ amount, currency, finer }) =>
      amount === first.amount && currency === first.currency && finer === first.finer,
  );
  return isOne ? first : null;
}

/** The offering of a product. */
export function offeringsOf({ offerings }: Product): Product['offerings'] {
  return offerings.filter(({ is_deleted }) => is_deleted !== true);
}

/** The key of the price of a product: products with the same key share a price on Etsy. */
export function priceKeyOf({ property_values }: Product, { price_on_property }: Inventory): string {
  return propertiesKey(property_values.filter(({ property_id }) => price_on_property.includes(property_id)));
}

/** Identifies a product of its listing, even after Etsy changed its ID. */
export function productKeyOf({ sku, property_values }: Product): string {
  return `${plain(sku)}|${propertiesKey(property_values)}`;
}

/** Identifies a variation by its text: the IDs of values change too when an inventory is written. */
export function propertiesKey(values: PropertyValues): string {
  const sorted = values.toSorted((a, b) => a.property_id - b.property_id);
  return JSON.stringify(sorted.map((one) => [one.property_id, one.scale_id ?? null, one.values]));
}

/**
 * Keys of the price groups of a listing, by SKU: SKUs have one key when Etsy gives them one price, directly or through a
 * SKU that shares one with each of them. Without those that share a price with no other SKU.
 */
export function priceGroupsOf(
  listingId: number,
  groups: readonly SkuGroup[],
  inventory: Inventory,
): ReadonlyMap<string, string> {
  const keysOf = ({ products }: SkuGroup): string[] =>
    products.map((product) => priceKeyOf(product, inventory));
  let linked: { readonly skus: string[]; readonly keys: Set<string> }[] = [];
  for (const group of groups) {
    const keys = new Set(keysOf(group));
    const shared = linked.filter((one) => [...keys].some((key) => one.keys.has(key)));
    const skus = [...shared.flatMap((one) => one.skus), group.sku];
    const all = new Set([...shared.flatMap((one) => [...one.keys]), ...keys]);
    linked = [...linked.filter((one) => !shared.includes(one)), { skus, keys: all }];
  }
  return new Map(
    linked
      .filter(({ skus }) => skus.length > 1)
      .flatMap(({ skus, keys }) => skus.map((sku) => [sku, groupKeyOf(listingId, keys)] as const)),
  );
}

/** The same as long as the same prices are shared; short, whatever the texts of the variations. */
function groupKeyOf(listingId: number, keys: ReadonlySet<string>): string {
  const digest = createHash('sha256')
    .update([...keys].toSorted().join('\n'))
    .digest('hex');
  return `${listingId}-${digest.slice(0, 16)}`;
}

/** The values of a variation as a part of a SKU: "dark-red-large". */
function variationOf({ property_values }: Product): string {
  const words = property_values.flatMap(({ values }) => values).join(' ');
  const letters = words.normalize('NFKC').toLowerCase();
  return letters
    .split(/[^\p{L}\p{N}]/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, MAX_TEXT_LENGTH);
}

/** Trimmed, without the one character that PostgreSQL cannot store. */
function plain(text: string): string {
  return text.replaceAll('\0', '').trim();
}
