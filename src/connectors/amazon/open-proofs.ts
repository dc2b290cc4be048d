import type { Instant } from '#domain/units.ts';
import type { AmazonShop } from './amazon-shop.ts';
import type { Item } from './listing-item.ts';
import { concludeBusiness, openBusinessProof } from './prove-business.ts';
import { concludeProof, openMergeProof } from './prove-merge.ts';

/**
 * Ends the open proofs of an account with listings that the sender reads back. What vanished is kept for the alert, and not
 * written back: by then the seller may have removed it.
 * @returns to be called with each listing
 */
export async function proofConcluder(shop: AmazonShop, now: Instant): Promise<(item: Item) => Promise<void>> {
  const merge = await openMergeProof(shop, now);
  const business = await openBusinessProof(shop, now);
  return async (item) => {
    if (merge?.sku === item.sku) await concludeProof(shop, merge, item, now);
    if (business?.sku === item.sku) await concludeBusiness(shop, business, item, now);
  };
}
