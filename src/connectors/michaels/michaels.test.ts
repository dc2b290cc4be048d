import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { entriesOf } from '#tests/support/all-of.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import {
  anAccount,
  anOrder,
  collect,
  never,
  type TestClock,
  testClock,
} from '#tests/support/connector-fixture.ts';
import { type FakeService, limitsFor, startFakeService } from '#tests/support/fake-service.ts';
import { createMichaels } from './michaels.ts';

let fake: FakeService;
let clock: TestClock;
let listings: Record<string, unknown>[];
/** SKUs that Michaels does not know. */
let unknownSkus: Set<string>;
beforeEach(async () => {
  fake = await startFakeService();
  clock = testClock();
  unknownSkus = new Set();
  listings = [aListing(1)];
  fake.on('GET', /^\/api\/mkp\/v1\/listing\/all-listings/, ({ query }) => {
    const from = Number(query.get('cursor') ?? 0);
    const size = Number(query.get('limit'));
    const nextCursor = from + size < listings.length ? String(from + size) : null;
    return { body: { code: '200', data: { listings: listings.slice(from, from + size), nextCursor } } };
  });
  // What is read before prices are sent gets no faults.
  fake.faultsOnly(/^(?!POST .*batch-get)/);
  fake.on('POST', /seller-sku-number\/batch-get$/, ({ json }) => ({
    body: {
      code: '200',
      data: (json as { sellerSkuNumbers: string[] }).sellerSkuNumbers
        .filter((sku) => !unknownSkus.has(sku))
        .map((sellerSkuNumber) => ({ sellerSkuNumber, price: 12.5 })),
    },
  }));
  fake.on('POST', /publish-by-seller-sku-number$/, () => ({
    body: { code: '200', message: 'success', data: null },
  }));
});
afterEach(() => fake.close());

const WRITES = anAccount({ apiKey: 'key-1', allowWrites: 'yes' });
const michaels = () =>
  createMichaels({ baseUrl: fake.url, limits: limitsFor(fake.faults), now: clock.now, wait: clock.wait });
const readAll = () => collect(entriesOf(michaels().readListings(WRITES, never)));
const send = (orders = [anOrder(1, 1999)], of = WRITES, signal = never) =>
  michaels().sendPrices(of, orders, signal);
const published = () =>
  fake.asked
    .filter(({ path }) => path.includes('publish'))
    .map(({ json }) => json as { sellerSkuNumber: string }[]);

function aListing(number: number, given: Record<string, unknown> = {}) {
  return {
    skuNumber: `60${number}`,
    primarySkuNumber: `60${number}`,
    sellerSkuNumber: `SKU-${number}`,
    itemName: `Ribbon ${number}`,
    price: 12.5,
    status: 'ACTIVE',
    ...given,
  };
}

/** A key in the format of the developer portal. */
function aKey(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS512' })}.${part(claims)}.signature`;
}

describe('check', () => {
  test('reports the expiry of the key, once and not among the notes', async () => {
    const check = (exp: string) =>
      michaels().check(
        anAccount({ apiKey: aKey({ exp: Date.parse(exp) / 1_000 }), allowWrites: 'yes' }),
        never,
      );
    for (const end of ['2027-02-01', '2026-12-01']) {
      expect(await check(end)).toEqual({
        shopName: null,
        endsAt: Date.parse(end),
        notes: ['The Michaels integration is in beta: its API is not publicly documented.'],
      });
    }
  });

  test.each(['plain-key', 'a.b.c', aKey({ exp: 'soon' }), aKey({ exp: -1 })])(
    '%s does not say when',
    async (apiKey) => {
      const report = await michaels().check(anAccount({ apiKey }), never);
      expect(report).toMatchObject({
        endsAt: null,
        notes: [expect.anything(), 'Prices are synced but not sent.'],
      });
    },
  );

  test.each([
    [{}, /API key of Michaels is missing/],
    [{ apiKey: 'two words' }, /contains invalid characters/],
  ])('%j sends nothing', async (credentials, message) => {
    await expect(michaels().check(anAccount(credentials), never)).rejects.toMatchObject({
      fault: 'key',
      message: expect.stringMatching(message),
    });
    expect(fake.asked).toEqual([]);
  });

  test.each([
    [401, 'MCU_API_INVALID_API_KEY', 'key'],
    [401, 'MCU_DEVELOPER_API_DO_NOT_HAVE_PERMISSION', 'permission'],
    [200, 'MCU_API_INVALID_API_KEY', 'key'],
    [200, 'MCU_DEVELOPER_API_DO_NOT_HAVE_PERMISSION', 'permission'],
    [200, 'MCU_API_BAD_REQUEST', 'refused'],
    [200, '500', 'service'],
  ])('%i with the code %s is a %s fault', async (status, code, fault) => {
    fake.faults.push({ status, body: { code, message: 'No.' } });
    await expect(michaels().check(WRITES, never)).rejects.toMatchObject({ fault, code });
  });

  test('the key is only in the header', async () => {
    await michaels().check(WRITES, never);
    expect(fake.asked[0]?.headers['api-key']).toBe('key-1');
    expect(fake.asked[0]?.path).not.toContain('key-1');
  });
});

describe('the catalog', () => {
  test('has every listing', async () => {
    expect(await readAll()).toEqual([
      {
        kind: 'listing',
        sku: 'SKU-1',
        itemId: '601',
        title: 'Ribbon 1',
        imageUrl: null,
        price: 1250,
        fulfillmentType: 'FBM',
        quantity: null,
        isActive: true,
        notRepriceableReason: null,
        keys: { primarySkuNumber: '601' },
      },
    ]);
  });

  test('the parent of variations is skipped: its price cannot be set', async () => {
    listings = [
      aListing(1),
      aListing(2, { primarySkuNumber: '601' }),
      aListing(3, { sellerSkuNumber: null }),
    ];
    expect(await readAll()).toMatchObject([
      { kind: 'passed_over', what: 'SKU-1', why: 'not_ours_to_price' },
      { kind: 'listing', sku: 'SKU-2' },
      { kind: 'passed_over', what: 'Ribbon 3', why: 'no_sku' },
    ]);
  });

  test('is read to the last page; an identical duplicate counts once, a different one is skipped', async () => {
    listings = Array.from({ length: 250 }, (_, at) => aListing(at + 1));
    listings.push(aListing(5), aListing(6, { price: 99 }));
    const all = await readAll();
    expect(all).toHaveLength(251);
    expect(all.at(-1)).toEqual({ kind: 'passed_over', what: 'SKU-6', why: 'repeated' });
  });

  test('goes on after a page without entries, as long as there is another one', async () => {
    fake.on('GET', /all-listings/, ({ query }) => ({
      body: {
        code: '200',
        data: query.has('cursor')
          ? { listings: [aListing(1)], nextCursor: null }
          : { listings: [], nextCursor: 'more' },
      },
    }));
    expect(await readAll()).toMatchObject([{ kind: 'listing', sku: 'SKU-1' }]);
    const pages = michaels().readListings(WRITES, never);
    let step = await pages.next();
    while (step.done !== true) step = await pages.next();
    // Nothing counts as missing that such a page may have lost.
    expect(step.value).toMatchObject({ isPart: true });
  });

  test('a repeated cursor fails the sync', async () => {
    fake.on('GET', /all-listings/, () => ({
      body: { data: { listings: [aListing(1)], nextCursor: 'same' } },
    }));
    await expect(readAll()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.faults.push(fault());
    const result = readAll();
    if (reading === 'passes') expect(await result).toHaveLength(1);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });

  test.each(NO_PRICES)('a price of %j is passed over', async (price) => {
    listings.push(aListing(2, { price }));
    const [, odd] = await readAll();
    expect(odd).toMatchObject({ why: 'unreadable', member: 'price' });
  });
});

describe('prices', () => {
  test.each([{}, { allowWrites: 'no' }, { allowWrites: '' }])('with %j none is sent', async (more) => {
    const outcomes = await send(
      [anOrder(1, 1999), anOrder(2, 1999)],
      anAccount({ apiKey: 'key-1', ...more }),
    );
    expect(outcomes.map((one) => one.kind === 'rejected' && one.message.slice(0, 27))).toEqual([
      'Michaels is read-only. Turn',
      'Michaels is read-only. Turn',
    ]);
    expect(fake.asked).toEqual([]);
  });

  test('are sent fifty per call, with two decimals, within the budget', async () => {
    const outcomes = await send(Array.from({ length: 120 }, (_, at) => anOrder(at + 1, 2000)));
    expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(published().map((batch) => batch.length)).toEqual([50, 50, 20]);
    const [first] = fake.asked.filter(({ path }) => path.includes('publish'));
    expect(first?.text).toContain('[{"sellerSkuNumber":"SKU-1","price":20.00},');
    expect(clock.waits).toEqual([10_000, 10_000]);
  });

  test.each([
    ['404', { status: 404, body: { code: 'MCU_API_LISTING_NOT_FOUND', message: 'Unknown.' } }],
    ['a 404 inside a 200', { body: { code: 'MCU_API_LISTING_NOT_FOUND', message: 'Unknown.' } }],
    ['400', { status: 400, body: { code: 'MCU_API_BAD_REQUEST', message: 'A parent.' } }],
  ])('one wrong SKU (%s) is found by halving; the others are accepted', async (_, refusal) => {
    fake.on('POST', /publish/, ({ text }) =>
      text.includes('"SKU-3"') ? refusal : { body: { code: '200' } },
    );
    const outcomes = await send(Array.from({ length: 6 }, (_, at) => anOrder(at + 1, 1999)));
    const wrong =
      refusal.body.code === 'MCU_API_BAD_REQUEST'
        ? { kind: 'rejected', code: refusal.body.code, message: expect.stringContaining('A parent.') }
        : // It was found right before.
          { kind: 'not_sent', why: 'not_found', othersMayGo: true };
    const taken = { kind: 'accepted' };
    expect(outcomes).toMatchObject([taken, taken, wrong, taken, taken, taken]);
  });

  test('to an address that Michaels does not know (404) are not refused for good, and not sent again in halves', async () => {
    fake.on('POST', /publish/, () => ({ status: 404, body: '<html>404</html>' }));
    const outcomes = await send(Array.from({ length: 6 }, (_, at) => anOrder(at + 1, 1999)));
    expect(new Set(outcomes.map((one) => one.kind === 'rejected' && one.code))).toEqual(new Set(['404']));
    expect(michaels().finalRefusals.has('404')).toBe(false);
    expect(published()).toHaveLength(1);
  });

  test('that no address shows before (404) are not sent, and are asked for once', async () => {
    fake.on('POST', /batch-get$/, () => ({ status: 404, body: '<html>404</html>' }));
    const outcomes = await send(Array.from({ length: 6 }, (_, at) => anOrder(at + 1, 1999)));
    for (const one of outcomes) expect(one).toMatchObject({ kind: 'not_sent', why: 'not_told' });
    expect(fake.asked).toHaveLength(1);
  });

  test('are read right before: unknown SKUs and changed prices do not go', async () => {
    unknownSkus.add('SKU-2');
    const orders = [
      anOrder(1, 1999),
      anOrder(2, 1999),
      { ...anOrder(3, 1999), currentPrice: cents(1400) },
      { ...anOrder(4, 1999), currentPrice: cents(1400), ownPrices: [cents(1250)] },
    ];
    expect(await send(orders)).toMatchObject([
      { kind: 'accepted' },
      { kind: 'not_sent', why: 'not_found' },
      { kind: 'stopped', found: { kind: 'other_price', price: 1250 } },
      { kind: 'accepted' },
    ]);
    expect(published()).toMatchObject([[{ sellerSkuNumber: 'SKU-1' }, { sellerSkuNumber: 'SKU-4' }]]);
  });

  test('of a SKU that is not found before are looked for again, and the others go', async () => {
    fake.on('POST', /batch-get$/, ({ text }) =>
      text.includes('"SKU-2"')
        ? { status: 404, body: { code: 'MCU_API_LISTING_NOT_FOUND', message: 'Unknown.' } }
        : { body: { code: '200', data: [{ sellerSkuNumber: 'SKU-1', price: 12.5 }] } },
    );
    expect(await send([anOrder(1, 1999), anOrder(2, 1999)])).toMatchObject([
      { kind: 'accepted' },
      { kind: 'not_sent', why: 'not_found', othersMayGo: true },
    ]);
    expect(published()).toMatchObject([[{ sellerSkuNumber: 'SKU-1' }]]);
  });

  test('that cannot be read before are not sent', async () => {
    fake.on('POST', /batch-get$/, () => ({ status: 500, body: {} }));
    expect(await send()).toMatchObject([{ kind: 'not_sent' }]);
    expect(published()).toEqual([]);
  });

  test.each(['MCU_API_BAD_REQUEST', '400'])(
    'that Michaels refuses to show (%s) were not refused: they are tried again, and the others go',
    async (code) => {
      const shown = [1, 2, 4, 5].map((number) => ({ sellerSkuNumber: `SKU-${number}`, price: 12.5 }));
      fake.on('POST', /batch-get$/, ({ text }) =>
        text.includes('"SKU-3"')
          ? { status: 400, body: { code, message: 'A parent.' } }
          : { body: { code: '200', data: shown.filter((one) => text.includes(`"${one.sellerSkuNumber}"`)) } },
      );
      const outcomes = await send(Array.from({ length: 5 }, (_, at) => anOrder(at + 1, 1999)));
      expect(outcomes).toMatchObject([
        { kind: 'accepted' },
        { kind: 'accepted' },
        { kind: 'not_sent', why: 'not_told', message: expect.stringContaining('A parent.') },
        { kind: 'accepted' },
        { kind: 'accepted' },
      ]);
      expect(published().flat()).toHaveLength(4);
    },
  );

  test('of two listings of one SKU the first is sent', async () => {
    const outcomes = await send([anOrder(1, 1999), anOrder(2, 2100, { sku: 'SKU-1' })]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'not_sent']);
  });

  test('with a read-only key none is sent', async () => {
    const body = { code: 'MCU_DEVELOPER_API_DO_NOT_HAVE_PERMISSION', message: 'No.' };
    fake.faults.push({ status: 401, body });
    expect(await send()).toMatchObject([
      { kind: 'not_sent', message: expect.stringContaining('may also write') },
    ]);
  });

  test.each([{ code: 'MCU_SYSTEM_ERROR' }, { message: 'success' }, {}])(
    '%j says nothing sure',
    async (body) => {
      fake.faults.push({ body });
      expect(await send()).toMatchObject([{ kind: 'unknown' }]);
    },
  );

  test('that wait too long are not sent', async () => {
    clock.time = instant(Date.parse('2026-11-20T13:00:01Z'));
    expect(await send()).toMatchObject([{ kind: 'not_sent' }]);
    expect(fake.asked).toEqual([]);
  });

  test.each(CALL_ERRORS)('$name: $sending', async ({ fault, sending }) => {
    fake.faults.push(fault());
    const [outcome] = await send();
    expect(outcome?.kind).toBe(sending === 'passes' ? 'accepted' : sending);
    expect(published()).toHaveLength(sending === 'passes' ? 2 : 1);
  });
});
