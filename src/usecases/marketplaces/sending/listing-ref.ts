import type { ListingRef } from '#connectors/connector.ts';

/** What identifies a listing on its marketplace, of a row that has more. */
export function refOf({ listingId, sku, fulfillmentType, itemId, keys }: ListingRef): ListingRef {
  return { listingId, sku, fulfillmentType, itemId, keys };
}
