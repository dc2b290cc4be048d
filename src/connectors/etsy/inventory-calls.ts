import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HttpAnswer } from '#connectors/http/http-client.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import type { Instant } from '#domain/units.ts';
import { type EtsyCalls, NAME, shopIdOf } from './etsy-calls.ts';
import { Inventory, ShownInventory } from './etsy-responses.ts';

/** The state of one send. */
export interface Sending {
  readonly calls: EtsyCalls;
  readonly account: Account;
  readonly signal: AbortSignal;
  shopId: number | null;
}

/** The ID of the store, requested once for each send. */
export async function requireShopId(sending: Sending): Promise<number> {
  sending.shopId ??= await shopIdOf(sending.calls, sending.account, sending.signal);
  return sending.shopId;
}

/** An older inventory is not written back: too much may have been sold. Milliseconds. */
export const LONGEST_GAP = 5_000;

/**
 * Whether Etsy's error says that there is no such listing. Its document has no codes, only `error` with the words:
 * "Could not find a Listing with listing_id = 1". A 404 whose words name no listing, or that is not Etsy's document, is of
 * another address or of something in between, and says nothing about the listing.
 */
export function saysNoListing(words: string | null): boolean {
  return words !== null && /\blisting(_id)?\b/i.test(words);
}

/** @throws ConnectorError also for a 404 that does not say that there is no such listing */
async function askForInventory(
  calls: EtsyCalls,
  account: Account,
  listingId: number,
  operation: 'inventory' | 'items' | 'listings',
  signal: AbortSignal,
): Promise<HttpAnswer | null> {
  const path = `/v3/application/listings/${listingId}/inventory?legacy=false`;
  return calls.call(account, { method: 'GET', path, operation }, signal).catch((error: unknown) => {
    if (error instanceof ConnectorError && error.status === 404 && saysNoListing(error.said)) return null;
    throw error;
  });
}

/** Null when there is no such listing. */
export async function inventoryOf(
  { calls, account, signal }: Sending,
  listingId: number,
): Promise<Inventory | null> {
  const answer = await askForInventory(calls, account, listingId, 'inventory', signal);
  return answer === null ? null : parseResponse(NAME, Inventory, answer, 'inventory');
}

/**
 * The inventory of one listing, for what it shows alone: prices in parts of a cent are none of ours. Since July 2026 it no
 * longer comes with listings that are requested by ID
 * (https://developers.etsy.com/documentation/tutorials/inventory-shipping-migration), and the call for a hundred
 * inventories fails as a whole where one of the listings was deleted.
 * @param operation whose calls it uses: of the rest of a day those of single items are left longer
 * @returns null when there is no such listing
 */
export async function shownInventory(
  calls: EtsyCalls,
  account: Account,
  listingId: number,
  signal: AbortSignal,
  operation: 'items' | 'listings' = 'items',
): Promise<Inventory | null> {
  // Not of the calls that are reserved for a write.
  const answer = await askForInventory(calls, account, listingId, operation, signal);
  return answer === null ? null : parseResponse(NAME, ShownInventory, answer, 'inventory');
}

/** Writes a complete inventory. */
export function putInventory(
  { calls, account, signal }: Sending,
  listingId: number,
  text: string,
  notAfter: Instant,
): Promise<HttpAnswer> {
  return calls.call(
    account,
    {
      method: 'PUT',
      path: `/v3/application/listings/${listingId}/inventory?legacy=false`,
      operation: 'inventory',
      body: { type: 'application/json', text },
      changes: { notAfter },
      alsoAnswers: [400, 404, 409],
    },
    signal,
  );
}
