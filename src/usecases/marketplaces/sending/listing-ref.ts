import type { ListingRef } from '#connectors/connector.ts';
import type { OpenIntent } from '#db/queries/marketplaces/send-queue.ts';

/** Identifies the listing of an intent on its marketplace. */
export function refOf({ listingId, sku, fulfillmentType, itemId, keys }: OpenIntent): ListingRef {
  return { listingId, sku, fulfillmentType, itemId, keys };
}
