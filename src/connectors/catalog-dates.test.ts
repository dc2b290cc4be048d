import { afterEach, describe, expect, test } from 'vitest';
import type { Instant } from '#domain/units.ts';
import { anAccount, never, testClock } from '#tests/support/connector-fixture.ts';
import { amazonAccount, amazonItem, startFakeAmazon } from '#tests/support/fake-amazon.ts';
import { startFakeService } from '#tests/support/fake-service.ts';
import { aVariant, SHOP_KEY, startFakeShopify } from '#tests/support/fake-shopify.ts';
import { anItem, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import type { CatalogPage } from './connector.ts';
import { createMichaels } from './michaels/michaels.ts';

const MINUTE = 60_000;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

interface Clock {
  readonly now: () => Instant;
  readonly pass: (milliseconds: number) => void;
}

/** Minutes from the start of a sync to the timestamp of each page, where processing a page takes a minute. */
async function datesOf({ now, pass }: Clock, pages: () => AsyncIterable<CatalogPage>): Promise<number[]> {
  const startedAt = now();
  const dates: number[] = [];
  for await (const { asOf } of pages()) {
    dates.push((asOf - startedAt) / MINUTE);
    pass(MINUTE);
  }
  return dates;
}

const clockOf = (clock: ReturnType<typeof testClock>): Clock => ({
  now: clock.now,
  pass: (milliseconds) => void clock.wait(milliseconds),
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('a page of Walmart', () => {
  async function walmart() {
    const fake = await startFakeWalmart();
    ends.push(() => fake.close());
    return {
      fake,
      dates: () =>
        datesOf(clockOf(fake.clock), () => fake.connect().readListings(anAccount(WALMART_PAIR), never)),
    };
  }

  test('is dated before its request', async () => {
    const { fake, dates } = await walmart();
    fake.items.push(...numbers(120).map((number) => anItem(number)));
    expect(await dates()).toEqual([0, 1, 2]);
  });

  test('is dated before the request for its report, however long the report took', async () => {
    const { fake, dates } = await walmart();
    fake.on('GET', /^\/v3\/items\?/, () => ({ body: { ItemResponse: [anItem(1)], totalItems: 10_001 } }));
    const row = (number: number) =>
      `SKU-${number},${number},${'Mug'.repeat(200)} ${number},12.50,PUBLISHED,Seller Fulfilled`;
    const head = 'SKU,Item ID,Product Name,Price,Publish Status,Fulfillment Type';
    fake.serveReport([head, ...numbers(5_000).map(row)].join('\n'));
    const of = await dates();
    expect(of.length).toBeGreaterThan(1);
    expect(new Set(of)).toEqual(new Set([0]));
  });
});

describe('a page of Shopify', () => {
  async function shopify(count: number) {
    const fake = await startFakeShopify();
    ends.push(() => fake.close());
    fake.answer('productVariantsCount', () => ({
      shop: { currencyCode: 'USD' },
      productVariantsCount: { count },
    }));
    return {
      fake,
      dates: () =>
        datesOf(clockOf(fake.clock), () => fake.connect().readListings(anAccount(SHOP_KEY), never)),
    };
  }

  test('is dated before its request', async () => {
    const { fake, dates } = await shopify(2);
    let page = 0;
    fake.answer('productVariants(', () => {
      page += 1;
      const pageInfo = { hasNextPage: page < 2, endCursor: `after-${page}` };
      return { productVariants: { pageInfo, nodes: [aVariant(page)] } };
    });
    expect(await dates()).toEqual([0, 1]);
  });

  test('is dated before the start of the bulk operation, however long it took', async () => {
    const { fake, dates } = await shopify(10_001);
    const operation = { id: 'gid://shopify/BulkOperation/1', errorCode: null, url: null };
    fake.answer('bulkOperationRunQuery', () => ({
      bulkOperationRunQuery: { bulkOperation: { ...operation, status: 'CREATED' }, userErrors: [] },
    }));
    const looks = ['RUNNING', 'RUNNING'];
    fake.answer('bulkOperation(', () => {
      const status = looks.shift() ?? 'COMPLETED';
      return { bulkOperation: { ...operation, status, url: `${fake.url}/bulk.jsonl` } };
    });
    fake.on('GET', /^\/bulk\.jsonl$/, () => (response) => {
      const lines = numbers(5_000).map((number) => JSON.stringify(aVariant(number)));
      response.end(`${lines.join('\n')}\n`);
    });
    const of = await dates();
    expect(of.length).toBeGreaterThan(1);
    expect(new Set(of)).toEqual(new Set([0]));
  });
});

describe('a page of Amazon', () => {
  async function amazon() {
    const fake = await startFakeAmazon();
    ends.push(() => fake.close());
    return {
      service: fake.service,
      dates: () => datesOf(fake, () => fake.amazon.readListings(amazonAccount(), never)),
    };
  }

  test('is dated before its search', async () => {
    const { service, dates } = await amazon();
    service.on('GET', /^\/listings/, ({ query }) => {
      const at = Number(query.get('pageToken') ?? 0);
      const pagination = at < 2 ? { pagination: { nextToken: String(at + 1) } } : {};
      return { body: { numberOfResults: 3, items: [amazonItem(at + 1)], ...pagination } };
    });
    expect(await dates()).toEqual([0, 1, 2]);
  });

  test('is as old as the report while one of its rows comes from there', async () => {
    const { service, dates } = await amazon();
    const head = 'seller-sku\tasin1\titem-name\tprice\tfulfillment-channel\tstatus';
    const rows = numbers(60).map((n) => `SKU-${n}\tB1${n}\tPot ${n}\t12.50\tDEFAULT\tActive`);
    // All of the first and of the third page are found; of the second, one is not.
    const found = (sku: string) => sku !== '' && sku !== 'SKU-33';
    service.on('GET', /^\/listings/, ({ query }) => {
      const skus = (query.get('identifiers') ?? '').split(',').filter(found);
      const items = skus.map((sku, at) => amazonItem(at, { sku }));
      return { body: { numberOfResults: query.has('identifiers') ? items.length : 1_200, items } };
    });
    service.on('POST', /\/reports$/, () => ({ status: 202, body: { reportId: 'r-1' } }));
    const looks = ['IN_QUEUE', 'IN_PROGRESS'];
    service.on('GET', /\/reports\/r-1$/, () => ({
      body: { reportId: 'r-1', processingStatus: looks.shift() ?? 'DONE', reportDocumentId: 'd-1' },
    }));
    service.on('GET', /\/documents\/d-1$/, () => ({
      body: { reportDocumentId: 'd-1', url: `${service.url}/report` },
    }));
    service.on('GET', /^\/report$/, () => (response) => void response.end([head, ...rows].join('\n')));
    // The report takes 35 seconds, and the search follows it.
    expect(await dates()).toEqual([35_000 / MINUTE, 0, 35_000 / MINUTE + 2]);
  });
});

test('a page of Michaels is dated before its request, not when all pages were read', async () => {
  const service = await startFakeService();
  ends.push(() => service.close());
  const clock = testClock();
  service.on('GET', /all-listings/, ({ query }) => {
    const at = Number(query.get('cursor') ?? 0);
    const listing = { skuNumber: `60${at}`, sellerSkuNumber: `SKU-${at}`, itemName: 'Ribbon', price: 12.5 };
    // The response takes five minutes.
    void clock.wait(5 * MINUTE);
    const nextCursor = at < 2 ? String(at + 1) : null;
    return { body: { code: '200', data: { listings: [{ ...listing, status: 'ACTIVE' }], nextCursor } } };
  });
  const connector = createMichaels({ baseUrl: service.url, now: clock.now, wait: clock.wait });
  const account = anAccount({ apiKey: 'key-1' });
  expect(await datesOf(clockOf(clock), () => connector.readListings(account, never))).toEqual([0, 5, 10]);
});
