import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { createDocuments } from '#connectors/http/documents.ts';
import { isBulkHost } from './bulk-variants.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { createCalls, NAME, type ShopifyCalls, type ShopifyOptions, VERSION } from './shopify-calls.ts';
import { readListings } from './shopify-listings.ts';
import { readMoney } from './shopify-money.ts';
import { READ_A_CALL, readPrices, sendPrices } from './shopify-prices.ts';
import { SCOPES, SHOP } from './shopify-queries.ts';
import { Scopes, Shop } from './shopify-responses.ts';
import { readSales } from './shopify-sales.ts';

/** The permission to write includes reading. */
const RIGHTS = [
  { does: 'read products', by: ['read_products', 'write_products'] },
  { does: 'change prices', by: ['write_products'] },
  { does: 'read stock', by: ['read_inventory', 'write_inventory'] },
  { does: 'read orders', by: ['read_orders', 'write_orders'] },
  { does: 'read payouts', by: ['read_shopify_payments_payouts'] },
];

/** Several products' worth: the prices of one product are sent in one call. */
const PRICE_BATCH_SIZE = 100;

/** The Shopify connector. Shopify shows no competitor offers. */
export function createShopify(options: ShopifyOptions): MarketplaceConnector {
  const calls = createCalls(options);
  const documents = createDocuments({ ...options, name: NAME, mayLieOn: isBulkHost });
  return {
    marketplace: 'shopify',
    finalRefusals: FINAL_REFUSALS,
    itemReads: { callsPerSecond: 0.5, listingsPerCall: READ_A_CALL },
    pricesAtOnce: (waiting) => Math.min(waiting, PRICE_BATCH_SIZE),
    check: (account, signal) => check(calls, account, signal),
    readListings: (account, signal) => readListings(calls, documents, account, signal),
    sendPrices: (account, orders, signal) => sendPrices(calls, account, orders, signal),
    readPrices: (account, sent, signal) => readPrices(calls, account, sent, signal),
    readSales: (account, since, signal) => readSales(calls, account, since, signal),
    readMoney: (account, window, signal) => readMoney(calls, account, window, signal),
  };
}

async function check(calls: ShopifyCalls, account: Account, signal: AbortSignal): Promise<ConnectionReport> {
  const { data, version } = await calls.ask(
    account,
    { operation: 'shop', query: SHOP },
    Shop,
    'shop',
    signal,
  );
  const { name, currencyCode } = data.shop;
  const notes = await missingRights(calls, account, signal);
  if (currencyCode !== 'USD') {
    notes.push(`The shop sells in ${currencyCode.slice(0, 10)}. Only listings in US dollars are repriced.`);
  }
  if (version !== null && version !== VERSION) {
    notes.push(
      `Shopify responds with API version ${version.slice(0, 20)} instead of ${VERSION}. Update Pricewright.`,
    );
  }
  return { shopName: name ?? null, notes, endsAt: null };
}

async function missingRights(calls: ShopifyCalls, account: Account, signal: AbortSignal): Promise<string[]> {
  try {
    const call = { operation: 'scopes', query: SCOPES };
    const { data } = await calls.ask(account, call, Scopes, 'list of rights', signal);
    const has = new Set(data.currentAppInstallation.accessScopes.map(({ handle }) => handle));
    return RIGHTS.filter(({ by }) => !by.some((right) => has.has(right))).map(
      ({ does, by }) => `The key may not ${does}: give the app the right ${by[0]}.`,
    );
  } catch (error) {
    // The store responds; the permissions of the key are optional information.
    if (error instanceof ConnectorError && error.fault !== 'time') return [];
    throw error;
  }
}
