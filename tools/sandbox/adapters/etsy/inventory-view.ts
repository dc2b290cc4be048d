import type { Cents } from '#domain/units.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Variation } from '#sandbox/world/variation.ts';
import { money } from './etsy-pages.ts';
import type { ListingGroup } from './listing-groups.ts';

/** The ID of Etsy's custom property, by which variations differ unless they say more. */
const PROPERTY = 513;
export const READINESS = 1_402_336_022_581;

const PROPERTY_NAMES: Readonly<Record<string, string>> = { 513: 'Style', 514: 'Color', 515: 'Size' };

/** How an item of a listing with several ones differs from the others. */
export function variationOf({ sku, title, variation }: MarketItem): Variation {
  if (variation !== null) return variation;
  const [, value] = /, ([^,()]+)$/.exec(title) ?? [];
  const by = [PROPERTY];
  return { values: { [PROPERTY]: value ?? sku }, pricedBy: by, quantityBy: by, skuBy: by };
}

/** Whether the items of a listing are reported with their properties. */
export function hasVariations({ items: [first, ...others] }: ListingGroup): boolean {
  return others.length > 0 || first.variation !== null;
}

/** A number for a value of a property, the same for the same text. */
export function valueIdOf(property: string, value: string): number {
  let id = Number(property);
  for (const letter of value) id = (id * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_000_007;
  return id + 1;
}

/** @param requested prices just accepted, by SKU: the response shows them before buyers see them */
export function inventoryView(group: ListingGroup, requested: ReadonlyMap<string, Cents> = new Map()) {
  const { items } = group;
  const varies = hasVariations(group);
  const { pricedBy, quantityBy, skuBy } = variationOf(items[0]);
  return {
    products: items.map((item) => productView(item, varies, requested.get(item.sku) ?? item.price)),
    price_on_property: varies ? pricedBy : [],
    quantity_on_property: varies ? quantityBy : [],
    sku_on_property: varies ? skuBy : [],
    readiness_state_on_property: [],
  };
}

function productView(item: MarketItem, varies: boolean, price: Cents) {
  const { sku, keys, quantity, isActive } = item;
  const productId = Number(keys.productId ?? 1);
  const properties = Object.entries(variationOf(item).values).map(([property, value]) => ({
    property_id: Number(property),
    property_name: PROPERTY_NAMES[property] ?? `Property ${property}`,
    scale_id: null,
    scale_name: null,
    value_ids: [valueIdOf(property, value)],
    values: [value],
  }));
  return {
    product_id: productId,
    sku,
    is_deleted: false,
    offerings: [
      {
        offering_id: Number(keys.offeringId ?? productId),
        quantity,
        is_enabled: isActive,
        is_deleted: false,
        price: money(price),
        readiness_state_id: READINESS,
      },
    ],
    property_values: varies ? properties : [],
  };
}
