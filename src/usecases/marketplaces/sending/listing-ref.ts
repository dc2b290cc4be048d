import type { ListingRef } from '#connectors/connector.ts';
import type { OpenIntent } from '#db/queries/marketplaces/send-queue.ts';

/** The listing of an intent, as its marketplace knows it. */
export function refOf({ listingId, sku, fulfillmentType, itemId, keys }: OpenIntent): ListingRef {
  return { listingId, sku, fulfillmentType, itemId, keys };
}
