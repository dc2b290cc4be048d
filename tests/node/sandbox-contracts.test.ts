import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SDL } from '#sandbox/adapters/shopify/schema.ts';
import type { Exchange } from '#sandbox/exchanges.ts';
import type { ServiceName } from '#sandbox/faults/fault.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { exchangeChecker } from '#tests/contracts/check-exchange.ts';
import { textChecker } from '#tests/contracts/check-text.ts';
import { documentsFolder, SHOPIFY } from '#tests/contracts/document-files.ts';
import { type Deviation, exchangeOf } from '#tests/contracts/exchange.ts';
import { partsNotIn } from '#tests/contracts/graphql-parts.ts';
import { callAmazon } from '#tests/support/sandbox-amazon.ts';
import { callEbay } from '#tests/support/sandbox-ebay.ts';
import { callEtsy } from '#tests/support/sandbox-etsy.ts';
import { callMichaels } from '#tests/support/sandbox-michaels.ts';
import { openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';
import { callShopify } from '#tests/support/sandbox-shopify.ts';
import { callVeeqo } from '#tests/support/sandbox-veeqo.ts';
import { callWalmart } from '#tests/support/sandbox-walmart.ts';

const FOLDER = documentsFolder();

/** Storage calls, which no API document describes. */
const STORAGE = new Set(['uploadDocument', 'downloadDocument', 'fetchReportFile', 'bulkOperationDocument']);

/** Expected deviations: deliberate errors of the scenarios, and gaps in the documents. */
const MEANT: Partial<Readonly<Record<ServiceName, readonly string[]>>> = {
  // Walmart's documents describe errors only for the token call. The other codes:
  // https://developer.walmart.com/us-marketplace/docs/api-integration-usage
  walmart: [
    'GET /v3/items/{id}: answer status 404 is not in the document',
    'PUT /v3/price: answer status 404 is not in the document',
    // Deliberately requests an address without https.
    'POST /v3/webhooks/subscriptions: answer status 400 is not in the document',
    'GET /v3/items: answer status 401 is not in the document',
  ],
  // Without the scope of the call, as for every call of eBay.
  ebay: ['GET /sell/finances/v1/transaction: answer status 403 is not in the document'],
  // Deliberately invalid requests.
  etsy: ['GET /v3/application/shops/{shop_id}/listings: request query limit must be <= 100'],
  michaels: ['GET /api/mkp/v1/order/query: request query pageSize must be >= 1'],
};

/** Walmart's document calls the cells of a reconciliation report objects; its own example has texts. */
const CONTRADICTION = /reconFileJson: answer \/reportData\/\d+\/.+ must be object$/;

function lineOf({ call, side, where, problem }: Deviation): string {
  return `${call}: ${side} ${where} ${problem}`;
}

/** Every call of a service, made at least once. */
const SCENARIOS: Partial<Readonly<Record<ServiceName, (sandbox: Sandbox) => Promise<void>>>> = {
  amazon: callAmazon,
  walmart: callWalmart,
  ebay: callEbay,
  etsy: callEtsy,
  shopify: callShopify,
  michaels: callMichaels,
  veeqo: callVeeqo,
};

if (FOLDER === null) console.info('No official documents here: the sandbox is not held against them.');

describe.runIf(FOLDER !== null)('what the sandbox answers is what the official documents say', () => {
  const folder = FOLDER ?? '';
  let check: (exchange: Exchange) => string[];
  const exchanges: Exchange[] = [];
  let sandbox: Sandbox;
  beforeAll(async () => {
    const checkAny = exchangeChecker(folder);
    check = (exchange) => checkAny(exchangeOf(exchange)).map(lineOf);
    sandbox = await openSandboxShop();
  });
  afterAll(() => sandbox.close());

  test.each(Object.entries(SCENARIOS))('%s', async (service, calls) => {
    sandbox.exchanges.clear();
    await calls(sandbox);
    exchanges.push(...sandbox.exchanges.list());
    const made = sandbox.exchanges.list().filter(({ operation }) => !STORAGE.has(operation ?? ''));
    const found = made.flatMap(check);
    expect(found.some((line) => CONTRADICTION.test(line))).toBe(service === 'walmart');
    expect(found.filter((line) => !CONTRADICTION.test(line))).toEqual(MEANT[service as ServiceName] ?? []);
    expect(made.every((exchange) => exchange.service === service && exchange.operation !== null)).toBe(true);
  });

  test('reports and feed results of Amazon match their schemas', () => {
    const tasks = sandbox.world.market('amazon').tasks.list();
    const feeds = tasks.filter(({ kind }) => kind === 'feed');
    const traffic = tasks.filter(({ output }) => output?.includes('salesAndTrafficByAsin'));
    expect([feeds.length, traffic.length]).toEqual([1, 1]);
    const ofReport = textChecker(folder, 'amazon/schemas/listings-feed-processing-report-schema-v2.json');
    for (const { output } of feeds) {
      expect(ofReport(output ?? '')).toEqual([]);
      expect(ofReport((output ?? '').replace('"summary"', '"sumary"'))).not.toEqual([]);
    }
    pass(sandbox, 3_600_000);
    const messages = sandbox.world.queue.receive(10, 0);
    expect(messages.length).toBeGreaterThan(0);
    const ofMessage = textChecker(folder, 'amazon/schemas/AnyOfferChangedNotification.json');
    expect(messages.flatMap(({ text }) => ofMessage(text))).toEqual([]);
    const ofTraffic = textChecker(folder, 'amazon/schemas/sellerSalesAndTrafficReport.json');
    expect(traffic.flatMap(({ output }) => ofTraffic(output ?? ''))).toEqual([]);
  });

  test("the sandbox's Shopify schema is a subset of Shopify's, and the check detects one that is not", () => {
    const official = readFileSync(join(folder, SHOPIFY.file), 'utf8');
    expect(partsNotIn(official, SDL)).toEqual([]);
    const wrong = SDL.replace('tracked: Boolean!', 'tracked: Boolean').replace(
      'limit: Int = 10000',
      'most: Int',
    );
    expect(partsNotIn(official, wrong)).toEqual([
      'InventoryItem.tracked: Boolean',
      'QueryRoot.productVariantsCount(most: Int = nothing)',
    ]);
  });

  test('a wrong name, a missing member and a number as text are detected', async () => {
    const good = exchanges.find(({ operation }) => operation === 'updatePrice');
    if (good === undefined) throw new Error('no price was sent');
    const broken = [
      { ...good, responseBody: '{"sku":"A","massage":"fine"}' },
      { ...good, requestBody: '{"pricing":[]}' },
      { ...good, requestBody: good.requestBody.replace(/"amount":([\d.]+)/, '"amount":"$1"') },
      { ...good, path: `${good.path}?replace=all` },
      { ...good, status: 201 },
    ];
    expect(broken.map((exchange) => check(exchange).length)).toEqual([1, 1, 1, 1, 1]);
    const shop = exchanges.find(({ operation }) => operation === 'shop');
    if (shop === undefined) throw new Error('Shopify was not asked for the shop');
    const inPounds = { ...shop, responseBody: shop.responseBody.replace('"USD"', '"POUNDS"') };
    const unasked = { ...shop, responseBody: shop.responseBody.replace('"name"', '"plan":1,"name"') };
    expect([inPounds, unasked].map((exchange) => check(exchange).length)).toEqual([1, 1]);
    const offers = exchanges.find(({ operation }) => operation === 'getListingOffersBatch');
    if (offers === undefined) throw new Error('no offers were asked for');
    const renamed = { ...offers, responseBody: offers.responseBody.replaceAll('"Shipping"', '"shipping"') };
    expect(check(renamed)).not.toEqual([]);
  });
});
