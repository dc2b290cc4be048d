import type { InventorySku, PassedOver } from '#connectors/inventory-source.ts';
import { isUnreadable } from '#connectors/passed-over.ts';
import { type Cents, cents, type Ounces, ounces } from '#domain/units.ts';
import type { Product, Sellable } from './veeqo-responses.ts';

const GRAMS_PER_OUNCE = 28.349523125;
const HEAVIEST = 1_000_000;
const LONGEST_SKU = 200;
const LONGEST_NAME = 500;

/** The sellable variants of a product, as SKUs. None of a deleted one. */
export function skusOf(product: Product): (InventorySku | PassedOver)[] {
  if (product.deleted_at != null) return [];
  return product.sellables.map((sellable) => (isUnreadable(sellable) ? sellable : skuOf(sellable, product)));
}

function skuOf(sellable: Sellable, product: Product): InventorySku | PassedOver {
  const sku = plain(sellable.sku_code);
  const name = nameOf(sellable, product);
  if (sku === '' || sku.length > LONGEST_SKU) {
    return { kind: 'passed_over', what: name || `Veeqo ${sellable.id}`, why: 'no_code' };
  }
  // A kit is made of other SKUs and has no cost of its own.
  if (sellable.type != null && sellable.type !== 'ProductVariant') {
    return { kind: 'passed_over', what: sku, why: 'kit' };
  }
  return {
    kind: 'sku',
    id: String(sellable.id),
    sku,
    name: name || sku,
    productCost: costOf(sellable.cost_price ?? null),
    weight: weightOf(sellable.weight_grams ?? null),
  };
}

function nameOf(sellable: Sellable, product: Product): string {
  const parts = [plain(sellable.product_title) || plain(product.title), plain(sellable.title)];
  const name = plain(sellable.full_title) || parts.filter((part) => part !== '').join(' ');
  return name.slice(0, LONGEST_NAME).trim();
}

/** Trimmed, without the one character that PostgreSQL cannot store. */
function plain(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\0', '').trim();
}

/** Missing and 0.00 are both unknown. A fraction of a cent is rounded up: a cost is never understated. */
function costOf(dollars: number | null): Cents | null {
  const amount = Math.ceil(Number(((dollars ?? 0) * 100).toFixed(6)));
  return amount === 0 ? null : cents(amount);
}

/** In hundredths of an ounce. Missing and 0 are both unknown. */
function weightOf(grams: number | null): Ounces | null {
  const weight = Math.round(((grams ?? 0) / GRAMS_PER_OUNCE) * 100) / 100;
  return weight === 0 || weight > HEAVIEST ? null : ounces(weight);
}
