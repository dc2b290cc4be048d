import { z } from 'zod';
import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { type Instant, instant } from '#domain/units.ts';
import {
  createCalls,
  credentialsOf,
  type EbayCalls,
  type EbayCredentials,
  type EbayOptions,
  NAME,
} from './ebay-calls.ts';
import { createCategories } from './ebay-categories.ts';
import { ebayConsent } from './ebay-consent.ts';
import { readFigures } from './ebay-figures.ts';
import { readListings } from './ebay-listings.ts';
import { mayReadMoney, NO_RIGHT, readMoney } from './ebay-money.ts';
import { readOffers } from './ebay-offers.ts';
import { readPrices, sendPrices } from './ebay-prices.ts';
import { InventoryPage } from './ebay-responses.ts';
import { readSales } from './ebay-sales.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { mayReadSales, NO_SALES_RIGHT } from './markdown-sales.ts';
import { ebayMigration } from './migrate-listings.ts';
import { ebayBestOffers } from './trading/raise-auto-accept.ts';
import { SellerListings } from './trading/seller-listings.ts';
import { refreshListings } from './trading/trading-changes.ts';

const Day = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** eBay, through its Sell and Buy APIs; listings outside of its Inventory model through the Trading API. */
export function createEbay(options: EbayOptions): MarketplaceConnector {
  const calls = createCalls(options);
  const categories = createCategories(calls);
  const book = new SellerListings(calls.now);
  return {
    marketplace: 'ebay',
    finalRefusals: FINAL_REFUSALS,
    itemReads: { callsPerSecond: 4, listingsPerCall: 1 },
    consent: ebayConsent(calls, options.baseUrl),
    migration: ebayMigration(calls),
    bestOffers: ebayBestOffers(calls, book),
    check: (account, signal) => check(calls, account, signal),
    readListings: (account, signal) => readListings({ calls, categories, book, account }, signal),
    readOffers: (account, refs, signal) => readOffers(calls, account, refs, signal),
    prepareToSend: async (account, _, signal) => {
      await refreshListings(calls, book, account, signal);
      await book.keepSales(account);
      return true;
    },
    sendPrices: async (account, orders, signal) => {
      const outcomes = await sendPrices(calls, book, account, orders, signal);
      // Where that fails, the next call keeps it: the outcomes must not be lost.
      await book.keepSales(account).catch(() => undefined);
      return outcomes;
    },
    readPrices: (account, sent, signal) => readPrices(calls, book, account, sent, signal),
    readSales: (account, since, signal) => readSales(calls, account, since, signal),
    readMoney: (account, window, signal) => readMoney(calls, account, window, signal),
    readFigures: (account, refs, signal) => readFigures(calls, account, refs, signal),
  };
}

async function check(calls: EbayCalls, account: Account, signal: AbortSignal): Promise<ConnectionReport> {
  const credentials = credentialsOf(account);
  const path = '/sell/inventory/v1/inventory_item?limit=1&offset=0';
  const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'inventory' }, signal);
  parseResponse(NAME, InventoryPage, answer, 'page of the inventory');
  return {
    shopName: credentials.username ?? null,
    notes: [
      ...notesOn(credentials),
      ...((await mayReadMoney(calls, account, signal)) ? [] : [NO_RIGHT]),
      ...((await mayReadSales(calls, account, signal)) ? [] : [NO_SALES_RIGHT]),
    ],
    endsAt: endOf(credentials),
  };
}

/** The expiry of the authorization is in `endsAt` and shown from there: as a note it would appear twice. */
function notesOn(credentials: EbayCredentials): string[] {
  const notes: string[] = [];
  if (credentials.username === undefined) {
    notes.push('Without your eBay user name, your own offers may be treated as competitors.');
  }
  if (endOf(credentials) === null && credentials.refreshTokenExpiresAt !== undefined) {
    notes.push(
      'The expiry date of the refresh token is not a day such as 2027-05-31, so no reminder can be sent.',
    );
  }
  return notes;
}

/** A date or timestamp; null when there is none, and for anything else. */
function endOf({ refreshTokenExpiresAt }: EbayCredentials): Instant | null {
  const end = Day.safeParse(refreshTokenExpiresAt?.trim());
  return end.success ? instant(Date.parse(end.data)) : null;
}
