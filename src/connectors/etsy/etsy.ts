import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import { createCalls, credentialsOf, type EtsyCalls, type EtsyOptions, shopOf } from './etsy-calls.ts';
import { etsyConsent } from './etsy-consent.ts';
import { readFigures } from './etsy-figures.ts';
import { readListings } from './etsy-listings.ts';
import { readMoney } from './etsy-money.ts';
import { readPrices, sendPrices } from './etsy-prices.ts';
import { readSales } from './etsy-sales.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { finishWrites } from './unfinished-writes.ts';

/** Etsy, through its Open API v3. It shows no competitor offers. */
export function createEtsy(options: EtsyOptions): MarketplaceConnector {
  const calls = createCalls(options);
  return {
    marketplace: 'etsy',
    finalRefusals: FINAL_REFUSALS,
    itemReads: { callsPerSecond: 8_000 / 86_400, listingsPerCall: 1 },
    consent: etsyConsent(calls, options.baseUrl),
    check: (account, signal) => check(calls, account, signal),
    readListings: (account, signal) => readListings(calls, account, signal),
    sendPrices: (account, orders, signal) => sendPrices(calls, account, orders, signal),
    finishWrites: (account, signal) => finishWrites({ calls, account, signal, shopId: null }),
    readPrices: (account, sent, signal) => readPrices(calls, account, sent, signal),
    readSales: (account, since, signal) => readSales(calls, account, since, signal),
    readMoney: (account, window, signal) => readMoney(calls, account, window, signal),
    readFigures: (account, refs, signal) => readFigures(calls, account, refs, signal),
  };
}

async function check(calls: EtsyCalls, account: Account, signal: AbortSignal): Promise<ConnectionReport> {
  const { shop_name, currency_code } = await shopOf(calls, account, signal);
  const { shopName } = credentialsOf(account);
  const notes: string[] = [];
  if (shopName !== undefined && shopName.toLowerCase() !== shop_name.toLowerCase()) {
    notes.push(`The authorization is for the shop ${shop_name}, not for ${shopName}.`);
  }
  if (currency_code != null && currency_code !== 'USD') {
    notes.push(`The shop is kept in ${currency_code}. Only prices in US dollars are read and sent.`);
  }
  // A refresh token that is used is replaced by a new one and never expires.
  return { shopName: shop_name, notes, endsAt: null };
}
