import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import { checkedAnswer } from '#connectors/http/checked-answer.ts';
import { type Instant, instant } from '#domain/units.ts';
import { InventoryPage } from './ebay-answers.ts';
import {
  createCalls,
  credentialsOf,
  type EbayCalls,
  type EbayCredentials,
  type EbayOptions,
  NAME,
} from './ebay-calls.ts';
import { readFigures } from './ebay-figures.ts';
import { readListings } from './ebay-listings.ts';
import { readOffers } from './ebay-offers.ts';
import { readPrices, sendPrices } from './ebay-prices.ts';
import { readSales } from './ebay-sales.ts';

/** eBay's refresh tokens are good for 18 months; a month is enough to ask for a new one. */
const SOON = 30 * 86_400_000;

/** eBay, by its selling and browsing interfaces. */
export function createEbay(options: EbayOptions): MarketplaceConnector {
  const calls = createCalls(options);
  return {
    marketplace: 'ebay',
    check: (account, signal) => check(calls, account, signal),
    readListings: (account, signal) => readListings(calls, account, signal),
    readOffers: (account, refs, signal) => readOffers(calls, account, refs, signal),
    sendPrices: (account, orders, signal) => sendPrices(calls, account, orders, signal),
    readPrices: (account, sent, signal) => readPrices(calls, account, sent, signal),
    readSales: (account, since, signal) => readSales(calls, account, since, signal),
    readFigures: (account, refs, signal) => readFigures(calls, account, refs, signal),
  };
}

async function check(calls: EbayCalls, account: Account, signal: AbortSignal): Promise<ConnectionReport> {
  const credentials = credentialsOf(account);
  const path = '/sell/inventory/v1/inventory_item?limit=1&offset=0';
  const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'inventory' }, signal);
  checkedAnswer(NAME, InventoryPage, answer, 'page of the inventory');
  return {
    shopName: credentials.username ?? null,
    notes: notesOn(credentials, calls.now()),
    endsAt: credentials.refreshTokenExpiresAt ?? null,
  };
}

function notesOn({ username, refreshTokenExpiresAt }: EbayCredentials, now: Instant): string[] {
  const notes: string[] = [];
  if (username === undefined) {
    notes.push('Without your eBay user name, your own offers cannot be told from those of competitors.');
  }
  if (refreshTokenExpiresAt !== undefined && refreshTokenExpiresAt < instant(now + SOON)) {
    const day = new Date(refreshTokenExpiresAt).toISOString().slice(0, 10);
    notes.push(`eBay's refresh token ends on ${day}: get a new one before that.`);
  }
  return notes;
}
