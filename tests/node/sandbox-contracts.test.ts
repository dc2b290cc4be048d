import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '#sandbox/exchanges.ts';
import { SDL } from '#sandbox/faces/shopify/schema.ts';
import type { FaceName } from '#sandbox/faults/fault.ts';
import type { Sandbox } from '#sandbox/server.ts';
import { OfficialDocuments } from '#tests/support/official-documents.ts';
import { callAmazon } from '#tests/support/sandbox-amazon.ts';
import { callEbay } from '#tests/support/sandbox-ebay.ts';
import { callEtsy } from '#tests/support/sandbox-etsy.ts';
import { callMichaels } from '#tests/support/sandbox-michaels.ts';
import { openSandboxShop, pass } from '#tests/support/sandbox-shop.ts';
import { callShopify } from '#tests/support/sandbox-shopify.ts';
import { callVeeqo } from '#tests/support/sandbox-veeqo.ts';
import { callWalmart } from '#tests/support/sandbox-walmart.ts';

/** Not part of the project: whoever has the documents puts them beside it. */
const FOLDER = process.env.PRICEWRIGHT_CONTRACTS ?? resolve(import.meta.dirname, '../../../shared/contracts');
const hasDocuments = existsSync(FOLDER);

/** Calls that belong to storage, not to the API: no document has them. */
const STORAGE = new Set(['uploadDocument', 'downloadDocument', 'fetchReportFile', 'bulkOperationDocument']);

/** Every call of a face, made once or more. */
const SCENARIOS: Partial<Readonly<Record<FaceName, (sandbox: Sandbox) => Promise<void>>>> = {
  amazon: callAmazon,
  walmart: callWalmart,
  ebay: callEbay,
  etsy: callEtsy,
  shopify: callShopify,
  michaels: callMichaels,
  veeqo: callVeeqo,
};

if (!hasDocuments)
  console.info(`The official documents are not at ${FOLDER}: the sandbox is not held against them.`);

describe.runIf(hasDocuments)('what the sandbox answers is what the official documents say', () => {
  const documents = new OfficialDocuments(FOLDER);
  const exchanges: Exchange[] = [];
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandboxShop();
  });
  afterAll(() => sandbox.close());

  test.each(Object.entries(SCENARIOS))('%s', async (face, calls) => {
    sandbox.exchanges.clear();
    await calls(sandbox);
    exchanges.push(...sandbox.exchanges.list());
    const made = sandbox.exchanges.list().filter(({ operation }) => !STORAGE.has(operation ?? ''));
    const unknown = made.filter((exchange) => documents.problems(exchange) === null);
    expect(unknown.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(made.flatMap((exchange) => documents.problems(exchange) ?? [])).toEqual([]);
    expect(made.every((exchange) => exchange.face === face && exchange.operation !== null)).toBe(true);
  });

  test('what Amazon writes into reports and results of feeds follows its schemas', () => {
    const tasks = sandbox.world.market('amazon').tasks.list();
    const feeds = tasks.filter(({ kind }) => kind === 'feed');
    const traffic = tasks.filter(({ output }) => output?.includes('salesAndTrafficByAsin'));
    expect([feeds.length, traffic.length]).toEqual([1, 1]);
    const schemas = 'amazon/schemas';
    for (const { output } of feeds) {
      const file = `${schemas}/listings-feed-processing-report-schema-v2.json`;
      expect(documents.textProblems(file, output ?? '')).toEqual([]);
    }
    pass(sandbox, 3_600_000);
    const messages = sandbox.world.queue.receive(10, 0);
    expect(messages.length).toBeGreaterThan(0);
    for (const { text } of messages) {
      expect(documents.textProblems(`${schemas}/AnyOfferChangedNotification.json`, text)).toEqual([]);
    }
    for (const { output } of traffic) {
      expect(documents.textProblems(`${schemas}/sellerSalesAndTrafficReport.json`, output ?? '')).toEqual([]);
    }
  });

  test("the schema of the sandbox's Shopify is a part of Shopify's, and the check knows others", () => {
    expect(documents.graphql().disagreements(SDL)).toEqual([]);
    const wrong = SDL.replace('tracked: Boolean!', 'tracked: Boolean').replace(
      'limit: Int = 10000',
      'most: Int',
    );
    expect(documents.graphql().disagreements(wrong)).toEqual([
      'InventoryItem.tracked: Boolean',
      'QueryRoot.productVariantsCount(most: Int = nothing)',
    ]);
  });

  test('a wrong name, a missing member and a number as a text are found', async () => {
    const good = exchanges.find(({ operation }) => operation === 'updatePrice');
    if (good === undefined) throw new Error('no price was sent');
    const broken = [
      { ...good, responseBody: '{"sku":"A","massage":"fine"}' },
      { ...good, requestBody: '{"pricing":[]}' },
      { ...good, requestBody: good.requestBody.replace(/"amount":([\d.]+)/, '"amount":"$1"') },
      { ...good, path: `${good.path}?replace=all` },
      { ...good, status: 201 },
    ];
    expect(broken.map((exchange) => documents.problems(exchange)?.length)).toEqual([1, 1, 1, 1, 1]);
    const shop = exchanges.find(({ operation }) => operation === 'shop');
    if (shop === undefined) throw new Error('Shopify was not asked for the shop');
    const inPounds = { ...shop, responseBody: shop.responseBody.replace('"USD"', '"POUNDS"') };
    const unasked = { ...shop, responseBody: shop.responseBody.replace('"name"', '"plan":1,"name"') };
    expect([inPounds, unasked].map((exchange) => documents.problems(exchange)?.length)).toEqual([1, 1]);
    const offers = exchanges.find(({ operation }) => operation === 'getListingOffersBatch');
    if (offers === undefined) throw new Error('no offers were asked for');
    const renamed = { ...offers, responseBody: offers.responseBody.replaceAll('"Shipping"', '"shipping"') };
    expect(documents.problems(renamed)).not.toEqual([]);
  });
});
