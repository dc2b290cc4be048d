import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { endOf, entriesOf } from '#tests/support/all-of.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, collect, never } from '#tests/support/connector-fixture.ts';
import { anItem, type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

let fake: FakeWalmart;
beforeEach(async () => {
  fake = await startFakeWalmart();
});
afterEach(() => fake.close());

const account = () => anAccount(WALMART_PAIR);
const readAll = (of = account()) => collect(entriesOf(fake.connect().readListings(of, never)));

/** An account that has its token already, so that faults apply to the call itself. */
function loggedIn() {
  const obtainedAt = fake.clock.time;
  const expiresAt = instant(obtainedAt + 900_000);
  return anAccount(WALMART_PAIR, { access: { value: 'token-0', obtainedAt, expiresAt } });
}

describe('the key', () => {
  test('fetches a token that is reused, and replaced before it expires', async () => {
    const [of, walmart] = [account(), fake.connect()];
    await walmart.check(of, never);
    await walmart.check(of, never);
    expect(fake.tokens).toBe(1);
    fake.clock.time = instant(fake.clock.time + 800_000);
    await walmart.check(of, never);
    expect(fake.tokens).toBe(2);
  });

  test('is only sent for the token; calls carry the token, a number and the name of the service', async () => {
    await fake.connect().check(account(), never);
    const [token, call] = fake.asked;
    expect(token?.text).toBe('grant_type=client_credentials');
    expect(call?.headers).toMatchObject({
      'wm_sec.access_token': 'token-1',
      'wm_svc.name': 'Walmart Marketplace',
      'wm_qos.correlation_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      accept: 'application/json',
    });
    expect(call?.headers.authorization).toBeUndefined();
  });

  test.each(['clientId', 'clientSecret'])(
    'without its %s is asked for by name; nothing is sent',
    async (name) => {
      const of = anAccount({ ...WALMART_PAIR, [name]: ' ' });
      await expect(fake.connect().check(of, never)).rejects.toMatchObject({
        fault: 'key',
        message: expect.stringMatching(/^The client (ID|secret) of Walmart is missing/),
      });
      expect(fake.asked).toEqual([]);
    },
  );

  test('that is wrong is reported, also where Walmart responds with 400; the secret is in no message', async () => {
    const of = anAccount({ ...WALMART_PAIR, clientSecret: 'canary-secret' });
    const error = await fake
      .connect()
      .check(of, never)
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ fault: 'key', status: 400 });
    expect(JSON.stringify([String(error), error])).not.toContain('canary-secret');
  });

  test('a token that is refused is replaced once', async () => {
    fake.faults.push({ status: 401, body: { error: [{ code: 'UNAUTHORIZED' }] } });
    await fake.connect().check(loggedIn(), never);
    expect(fake.tokens).toBe(1);
  });

  test('a token response without a token is unreadable', async () => {
    fake.faults.push({ body: { token_type: 'Bearer' } });
    await expect(fake.connect().check(account(), never)).rejects.toMatchObject({ fault: 'unreadable' });
  });
});

describe('check', () => {
  test('names missing permissions', async () => {
    const scopes = { price: 'view_only', orders: 'no_access', item: 'view_only' };
    fake.on('GET', /^\/v3\/token\/detail$/, () => ({ body: { scopes } }));
    const { notes } = await fake.connect().check(account(), never);
    expect(notes).toEqual([
      "The key can read Walmart's prices but not change them.",
      "The key has no right to Walmart's orders.",
    ]);
  });

  test('names the right to pricing insights, which is in no scope of the token', async () => {
    fake.on('POST', /getPricingInsights/, () => ({ status: 403, body: {} }));
    const { notes } = await fake.connect().check(account(), never);
    expect(notes).toEqual([expect.stringMatching(/no right to Walmart's pricing insights/)]);
    fake.on('POST', /getPricingInsights/, () => ({ status: 500, body: {} }));
    expect(await fake.connect().check(account(), never)).toMatchObject({ notes: [] });
    expect(fake.askedOf(/getPricingInsights/).length).toBeGreaterThan(1);
  });

  test('works when the permissions are not reported', async () => {
    fake.on('GET', /^\/v3\/token\/detail$/, () => ({ status: 404, body: {} }));
    expect(await fake.connect().check(account(), never)).toEqual({ shopName: null, notes: [], endsAt: null });
  });
});

describe('the catalog', () => {
  test('is joined by SKU from items, catalog search, listing quality and insights', async () => {
    fake.items.push(anItem(1), anItem(2, { publishedStatus: 'UNPUBLISHED' }));
    fake.catalog.push({ sku: 'SKU-1', itemId: '55501', fulfillmentType: 'WFS' });
    fake.quality.push({
      sku: 'SKU-2',
      itemId: '55502',
      imageUrL: 'https://img.test/2.jpg',
      wfsEnabled: 'false',
    });
    fake.insights.push({ sku: 'SKU-2', inventoryCount: 7 });
    expect(await readAll()).toEqual([
      {
        kind: 'listing',
        sku: 'SKU-1',
        itemId: '55501',
        title: 'Mug 1',
        imageUrl: null,
        price: 1250,
        fulfillmentType: 'FBA/WFS',
        quantity: null,
        isActive: true,
        notRepriceableReason: undefined,
        keys: { wpid: 'WP1' },
      },
      expect.objectContaining({
        sku: 'SKU-2',
        itemId: '55502',
        imageUrl: 'https://img.test/2.jpg',
        fulfillmentType: 'FBM',
        quantity: 7,
        isActive: false,
      }),
    ]);
  });

  test('finds the data of an item on a later page of the catalog search', async () => {
    for (let number = 1; number <= 401; number++)
      fake.catalog.push({ sku: `SKU-${number}`, itemId: `55${number}` });
    fake.items.push(anItem(401));
    expect(await readAll()).toMatchObject([{ sku: 'SKU-401', itemId: '55401' }]);
    expect(fake.askedOf(/catalog/).map(({ query }) => query.get('page'))).toEqual(['0', '1', '2']);
  });

  test.each([
    ['no price', { price: null }, { price: null }],
    ['a price of nothing', { price: { currency: 'USD', amount: 0 } }, { price: null }],
    ['a price no binary fraction holds', { price: { currency: 'USD', amount: 1.1 } }, { price: 110 }],
    ['no item number', {}, { itemId: 'WP1' }],
    ['no name', { productName: ' ' }, { title: 'SKU-1' }],
    ['a product type', { productType: ' Sound Bars ' }, { productType: 'Sound Bars' }],
    ['a retired offer', { lifecycleStatus: 'RETIRED' }, { isActive: false }],
    ['spaces around the SKU', { sku: ' SKU-1 ' }, { sku: 'SKU-1' }],
  ])('with %s', async (_, given, expected) => {
    fake.items.push(anItem(1, given));
    expect(await readAll()).toEqual([expect.objectContaining(expected)]);
  });

  test.each([
    [{ sku: '' }, { what: 'Mug 1', why: 'no_sku' }],
    [{ sku: 'x'.repeat(201) }, { what: 'Mug 1', why: 'no_sku' }],
    [{ price: { currency: 'CAD', amount: 5 } }, { what: 'SKU-1', why: 'other_currency' }],
  ])('%j is passed over and named', async (given, expected) => {
    fake.items.push(anItem(1, given));
    expect(await readAll()).toEqual([{ kind: 'passed_over', ...expected }]);
  });

  test('is read to the last page, even when every page has the same cursor', async () => {
    for (let number = 1; number <= 120; number++) fake.items.push(anItem(number));
    expect(await readAll()).toHaveLength(120);
    const pages = [[anItem(1)], [anItem(2)], []];
    fake.on('GET', /^\/v3\/items\?/, () => ({
      body: { ItemResponse: pages.shift() ?? [], nextCursor: 'same' },
    }));
    expect(await readAll()).toHaveLength(2);
  });

  test('with a lost page is incomplete: its response broke off, and the retry returned the page after it', async () => {
    const page = (from: number, to: number) => ({
      ItemResponse: Array.from({ length: to - from + 1 }, (_, at) => anItem(from + at)),
      totalItems: 120,
      nextCursor: to === 120 ? null : 'on',
    });
    // Walmart's cursor moved on with the page whose response was lost.
    const pages = [page(1, 50), 'broken off', page(101, 120)];
    fake.on('GET', /^\/v3\/items\?/, () => {
      const body = pages.shift();
      return body === 'broken off' ? (response) => response.destroy() : { body };
    });
    expect(await endOf(fake.connect().readListings(account(), never))).toMatchObject({
      total: { told: 120, came: 70 },
    });
    expect(pages).toEqual([]);
  });

  test('may lose an item while it is read', async () => {
    const pages = [
      { ItemResponse: [anItem(1)], totalItems: 3, nextCursor: 'on' },
      { ItemResponse: [anItem(2)], totalItems: 2 },
    ];
    fake.on('GET', /^\/v3\/items\?/, () => ({ body: pages.shift() }));
    expect(await readAll()).toHaveLength(2);
  });

  test('identical duplicates of an item count once; a different one with its SKU is skipped', async () => {
    fake.items.push(anItem(1), anItem(1), anItem(1, { wpid: 'WP9', price: { currency: 'USD', amount: 99 } }));
    const all = await readAll();
    expect(all.map(({ kind }) => kind)).toEqual(['listing', 'passed_over']);
    expect(all[1]).toMatchObject({ what: 'SKU-1', why: 'repeated' });
  });

  test.each([
    ['Active', /own repricer.*"Buy box"/],
    ['SOMETHING_NEW', /own repricer/],
    ['Inactive', null],
    [null, null],
  ])("Walmart's own repricer says %j", async (repricerStatus, expected) => {
    fake.items.push(anItem(1));
    fake.insights.push({ sku: 'SKU-1', repricerStatus, repricerStrategyName: 'Buy box' });
    const [listing] = await readAll();
    const notRepriceableReason = expected === null ? null : expect.stringMatching(expected);
    expect(listing).toMatchObject({ notRepriceableReason });
  });

  test('an item that sells below its price is looked up for a promotion', async () => {
    fake.items.push(anItem(1), anItem(2), anItem(3));
    fake.insights.push({ sku: 'SKU-1', currentPrice: 9.99 }, { sku: 'SKU-2', currentPrice: 9.99 });
    const pricing = [{ effectiveDate: '2026-11-01T00:00:00Z', expirationDate: '2026-12-01T00:00:00Z' }];
    fake.on('GET', /^\/v3\/promo\/sku\/SKU-1$/, () => ({ body: { payload: { pricingList: { pricing } } } }));
    const all = await readAll();
    expect(all.map((one) => one.kind === 'listing' && typeof one.notRepriceableReason === 'string')).toEqual([
      true,
      false,
      false,
    ]);
    expect(fake.askedOf(/promo/)).toHaveLength(2);
  });

  describe('more items that sell below their price than one reading looks up', () => {
    const MANY = 230;
    let walmart: ReturnType<FakeWalmart['connect']>;
    /** The reasons against repricing, and the SKUs that were looked up. */
    async function reading(): Promise<{ reasons: unknown[]; asked: number[] }> {
      const before = fake.askedOf(/promo/).length;
      const all = await collect(entriesOf(walmart.readListings(account(), never)));
      const reasons = all.map((one) => (one.kind === 'listing' ? one.notRepriceableReason : one.kind));
      const requested = fake.askedOf(/promo/).slice(before);
      return { reasons, asked: requested.map(({ path }) => Number(path.split('SKU-')[1])) };
    }
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

    beforeEach(() => {
      walmart = fake.connect();
      for (const number of numbers(1, MANY)) {
        fake.items.push(anItem(number));
        fake.insights.push({ sku: `SKU-${number}`, currentPrice: 9.99 });
      }
      fake.on('GET', /^\/v3\/promo\/sku\//, () => ({ status: 404, body: {} }));
    });

    test('are not read beyond that: the next reading goes on with them, and the one after begins anew', async () => {
      fake.insights[209] = { sku: 'SKU-210', currentPrice: 9.99, repricerStatus: 'ACTIVE' };
      const first = await reading();
      expect(first.asked).toEqual(numbers(1, 200));
      expect(new Set(first.reasons.slice(0, 200))).toEqual(new Set([null]));
      // What its own repricer sets is known all the same.
      const rest = first.reasons.slice(200);
      expect(rest.splice(9, 1)).toEqual([expect.stringContaining('own repricer')]);
      expect(new Set(rest)).toEqual(new Set([undefined]));
      const second = await reading();
      expect(second.asked).toEqual(numbers(201, MANY));
      expect(new Set(second.reasons.slice(0, 200))).toEqual(new Set([undefined]));
      expect(second.reasons.at(-1)).toBeNull();
      expect((await reading()).asked).toEqual(numbers(1, 200));
    });

    test('and one that fails keeps no other from its turn', async () => {
      fake.on('GET', /^\/v3\/promo\/sku\/SKU-3$/, () => ({ status: 400, body: {} }));
      const { reasons, asked } = await reading();
      expect(asked).toEqual([1, 2, 3]);
      expect(reasons.slice(0, 4)).toEqual([null, null, undefined, undefined]);
      expect((await reading()).asked).toEqual(numbers(4, 203));
    });
  });

  test('a new store is connected and empty, whatever status its empty lists have (C24)', async () => {
    const none = { errors: [{ code: 'CONTENT_NOT_FOUND.GMP_ITEM_QUERY_API', description: 'Not found.' }] };
    fake.on('GET', /^\/v3\/items\?/, () => ({ status: 404, body: none }));
    fake.on('POST', /getPricingInsights/, () => ({ status: 404, body: none }));
    const noData = { errors: [{ description: 'No data found.' }] };
    fake.on('POST', /^\/v3\/items\/catalog\/search/, () => ({ status: 400, body: noData }));
    await expect(fake.connect().check(account(), never)).resolves.toBeDefined();
    const end = await endOf(fake.connect().readListings(account(), never));
    expect(end).toMatchObject({ unavailable: [] });
    expect(await readAll()).toEqual([]);
  });

  test('an oversold item has an unknown quantity and fails nothing', async () => {
    fake.items.push(anItem(1));
    fake.insights.push({ sku: 'SKU-1', inventoryCount: -2 });
    expect(await readAll()).toMatchObject([{ sku: 'SKU-1', quantity: null }]);
  });

  test.each([403, 200])(
    "does not say whether Walmart's own repricer has an item without its insight (%i)",
    async (status) => {
      fake.items.push(anItem(1));
      const body = { pageContext: { totalPages: 1 }, pricingInsightsResponseList: [] };
      fake.on('POST', /getPricingInsights/, () => ({ status, body }));
      expect(await readAll()).toMatchObject([{ sku: 'SKU-1', notRepriceableReason: undefined }]);
    },
  );

  test('works without images when the key has no permission for them', async () => {
    fake.items.push(anItem(1));
    fake.on('POST', /listingQuality/, () => ({ status: 403, body: {} }));
    expect(await readAll()).toHaveLength(1);
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.items.push(anItem(1));
    fake.faults.push(fault());
    const read = readAll(loggedIn());
    if (reading === 'passes') expect(await read).toHaveLength(1);
    else await expect(read).rejects.toMatchObject({ fault: reading });
  });

  test.each(NO_PRICES)('a price of %j is passed over, and the others are read', async (amount) => {
    fake.items.push(anItem(1), anItem(2, { price: { currency: 'USD', amount } }));
    expect(await readAll()).toMatchObject([
      { kind: 'listing', sku: 'SKU-1' },
      { what: 'SKU-2', why: 'unreadable', member: 'price.amount' },
    ]);
  });
});

describe('budgets', () => {
  test.each([
    ['x-next-replenish-time', (at: number) => String(at)],
    ['x-next-replenishment-time', (at: number) => new Date(at).toISOString()],
  ])('nothing goes before %s once Walmart says that nothing is left', async (header, write) => {
    const headers = { 'x-current-token-count': '0', [header]: write(fake.clock.time + 20_000) };
    fake.on('GET', /^\/v3\/items\?/, () => ({ body: { ItemResponse: [] }, headers }));
    const [of, walmart] = [account(), fake.connect()];
    await walmart.check(of, never);
    expect(fake.clock.waits).toEqual([]);
    await walmart.check(of, never);
    expect(fake.clock.waits).toEqual([20_000]);
  });

  test('an impossible reset time blocks for an hour at most', async () => {
    const headers = { 'x-current-token-count': '0', 'x-next-replenish-time': '99999999999999' };
    fake.on('GET', /^\/v3\/items\?/, () => ({ body: { ItemResponse: [] }, headers }));
    const [of, walmart] = [account(), fake.connect()];
    await walmart.check(of, never);
    await expect(walmart.check(of, never)).rejects.toMatchObject({ fault: 'busy', retryAfter: 3_600_000 });
  });
});
