import type { Cents } from '#domain/units.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { money } from './etsy-pages.ts';
import type { ListingGroup } from './listing-groups.ts';

/** The ID of Etsy's custom property, by which variations differ. */
export const PROPERTY = 513;
export const READINESS = 1_402_336_022_581;

/** The item's value of the property by which the variations differ. */
export function variationOf({ sku, title }: MarketItem): string {
  const [, value] = /, ([^,()]+)$/.exec(title) ?? [];
  return value ?? sku;
}

/** @param asked prices just accepted, by SKU: the response shows them before buyers see them */
export function inventoryView({ items }: ListingGroup, asked: ReadonlyMap<string, Cents> = new Map()) {
  const properties = items.length > 1 ? [PROPERTY] : [];
  return {
    products: items.map((item) => productView(item, items.length > 1, asked.get(item.sku) ?? item.price)),
    price_on_property: properties,
    quantity_on_property: properties,
    sku_on_property: properties,
    readiness_state_on_property: [],
  };
}

function productView(item: MarketItem, hasVariations: boolean, price: Cents) {
  const { sku, keys, quantity, isActive } = item;
  const productId = Number(keys.productId ?? 1);
  const property = {
    property_id: PROPERTY,
    property_name: 'Style',
    scale_id: null,
    scale_name: null,
    value_ids: [productId % 1_000_000_000],
    values: [variationOf(item)],
  };
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
    property_values: hasVariations ? [property] : [],
  };
}
