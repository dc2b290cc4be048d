import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { AmazonShop } from './amazon-shop.ts';

type Seller = Pick<AmazonShop, 'sellerId' | 'region' | 'marketplaceId'>;

/** Kept as long as the account stays the same. */
const FINDING = 'amazon_seller';

/**
 * Sellers of whom Amazon ever showed a listing. With a wrong seller ID every SKU is "not found": of a seller of whom nothing
 * was ever found, that says nothing about a listing.
 */
export class FoundSellers {
  readonly #keys = new Set<string>();

  async add(shop: AmazonShop): Promise<void> {
    const key = keyOf(shop);
    if (this.#keys.has(key)) return;
    await shop.findings?.write(FINDING, { key }, null);
    this.#keys.add(key);
  }

  async has(shop: AmazonShop): Promise<boolean> {
    const key = keyOf(shop);
    if (this.#keys.has(key)) return true;
    return Found.safeParse(await shop.findings?.read(FINDING)).data?.key === key;
  }
}

const Found = z.object({ key: z.string() });

const keyOf = ({ sellerId, region, marketplaceId }: Seller): string =>
  `${region} ${marketplaceId} ${sellerId}`;

/** What to compare where nothing is listed: an empty store, or a wrong seller ID. */
export function nothingListed({ sellerId }: Seller): string {
  return `Amazon lists nothing for the seller ID ${sellerId} in this store. If you have listings there, compare the seller ID, the region and the marketplace ID with Seller Central.`;
}

/** Amazon refuses the listings of another seller, and all listings without the role, in the same way. */
export function namingSeller(error: unknown, { sellerId }: Seller): unknown {
  if (!(error instanceof ConnectorError) || error.fault !== 'permission') return error;
  const { status, code, said } = error;
  const sentence = `Amazon does not show the listings of the seller ID ${sellerId} (403). Compare the seller ID, and give the application the role Product Listing.`;
  return new ConnectorError('permission', sentence, { status: status ?? 403, code, said });
}

/** Concerns all calls: no price is refused because of it. */
export function nothingListedError(seller: Seller): ConnectorError {
  return new ConnectorError('key', nothingListed(seller));
}
