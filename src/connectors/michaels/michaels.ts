import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import { type Instant, instant } from '#domain/units.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { createCalls, credentialsOf, type MichaelsCalls, type MichaelsOptions } from './michaels-calls.ts';
import { readListings } from './michaels-listings.ts';
import { READ_A_CALL, readPrices, SENT_A_CALL, sendPrices } from './michaels-prices.ts';
import { KeyClaims, ListingsPage } from './michaels-responses.ts';
import { readSales } from './michaels-sales.ts';
import { RefusedTogether } from './refused-together.ts';

/**
 * The connector of Michaels. Beta: there is no public API documentation, and it is read-only unless sending prices
 * is turned on.
 */
export function createMichaels(options: MichaelsOptions): MarketplaceConnector {
  const calls = createCalls(options);
  const refused = new RefusedTogether(calls.now);
  return {
    marketplace: 'michaels',
    finalRefusals: FINAL_REFUSALS,
    itemReads: { callsPerSecond: 0.1, listingsPerCall: READ_A_CALL },
    // The suspected ones take no place of others.
    pricesAtOnce: (waiting) => Math.min(waiting, SENT_A_CALL + refused.size),
    check: (account, signal) => check(calls, account, signal),
    readListings: (account, signal) => readListings(calls, account, signal),
    sendPrices: (account, orders, signal) => sendPrices(calls, account, orders, refused, signal),
    readPrices: (account, sent, signal) => readPrices(calls, account, sent, signal),
    readSales: (account, since, signal) => readSales(calls, account, since, signal),
  };
}

async function check(calls: MichaelsCalls, account: Account, signal: AbortSignal): Promise<ConnectionReport> {
  const { apiKey, allowWrites } = credentialsOf(account);
  const call = { method: 'GET', path: '/listing/all-listings?limit=1', operation: 'listings' } as const;
  await calls.read(account, call, ListingsPage, 'list of listings', signal);
  const endsAt = endOf(apiKey);
  const notes = ['The Michaels integration is in beta: its API is not publicly documented.'];
  if (allowWrites?.toLowerCase() !== 'yes') notes.push('Prices are synced but not sent.');
  return { shopName: null, notes, endsAt };
}

/** The expiry of a key, from its own claims; null without one. The signature is for Michaels to check. */
function endOf(apiKey: string): Instant | null {
  const [, claims = '', signature] = apiKey.split('.');
  if (signature === undefined) return null;
  try {
    const read = KeyClaims.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
    return read.success ? instant(read.data.exp * 1_000) : null;
  } catch {
    return null;
  }
}
