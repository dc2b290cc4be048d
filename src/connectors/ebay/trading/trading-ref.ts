import type { ListingRef, PriceOrder } from '#connectors/connector.ts';
import { unlabeledSku } from '#domain/connections/listing-migration.ts';
import type { TradingItem, TradingOffer } from './trading-item.ts';

/** An order with the item number of its listing. */
export interface TradingOrder {
  readonly order: PriceOrder;
  readonly itemId: string;
}

/** The item number of a listing; null where it is none of eBay's. */
export function itemIdOf({ keys, itemId }: ListingRef): string | null {
  const id = keys.listingId ?? itemId ?? '';
  return /^\d{1,30}$/.test(id) ? id : null;
}

/** The SKU by which a call names a variation; null for a listing without variations. */
export function variationOf({ keys }: ListingRef): string | null {
  return keys.variation ?? null;
}

/** The part of an item that has the price of a listing of ours; null where it no longer has that variation. */
export function offerOf(ref: ListingRef, { offers, hasVariations }: TradingItem): TradingOffer | null {
  if (hasVariations) return offers.find(({ sku }) => sku === ref.sku) ?? null;
  const [single = null] = offers;
  const isSame =
    single !== null &&
    (single.sku === '' || single.sku === ref.sku || ref.sku === unlabeledSku(itemIdOf(ref) ?? ''));
  return isSame ? single : null;
}
