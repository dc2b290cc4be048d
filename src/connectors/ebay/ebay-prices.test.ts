import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import {
  type EbayShop,
  ebayOffer,
  ebayOrder,
  ebayRef,
  NOON,
  slowCalls,
  startEbayShop,
} from '#tests/support/fake-ebay.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
});
afterEach(() => shop.service.close());

/** What eBay answers at an address that it does not have, on every API, and what something in between answers. */
const WRONG_ADDRESS: [string, unknown][] = [
  ['HTML', '<html>404</html>'],
  [
    '2002',
    { errors: [{ errorId: 2002, domain: 'ACCESS', category: 'REQUEST', message: 'Resource not found' }] },
  ],
];

const never = new AbortController().signal;
const send = (...orders: ReturnType<typeof ebayOrder>[]) =>
  shop.connector.sendPrices(shop.account, orders, never);
const answers = (status: number, ...responses: unknown[]) =>
  shop.service.on('POST', /bulk_update/, () => ({ status, body: { responses } }));
const requestsOf = (path: RegExp) => shop.service.asked.filter((one) => path.test(one.path));
const writes = () => requestsOf(/bulk_update/);

describe('right before a price is sent', () => {
  const holds = (given: Record<string, unknown> = {}) =>
    shop.service.on('GET', /\/offer\/901$/, () => ({ body: ebayOffer(1, given) }));
  const limited = {
    pricingSummary: {
      price: { value: '24.99', currency: 'USD' },
      minimumAdvertisedPrice: { value: '18.00', currency: 'USD' },
    },
    listingPolicies: {
      bestOfferTerms: { bestOfferEnabled: true, autoAcceptPrice: { value: '20.00', currency: 'USD' } },
    },
  };
  beforeEach(() => answers(200, { offerId: '901', statusCode: 200 }));

  test('the offer is read, and a price of ours goes', async () => {
    holds({ pricingSummary: { price: { value: '24.99', currency: 'USD' } } });
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'accepted' }]);
    expect(writes()).toHaveLength(1);
  });

  const terms = (name: string) => ({
    ...limited,
    listingPolicies: {
      bestOfferTerms: { bestOfferEnabled: true, [name]: { value: '20.00', currency: 'USD' } },
    },
  });
  test.each([
    [2_000, 'autoAcceptPrice', 'stopped'],
    [2_001, 'autoAcceptPrice', 'accepted'],
    [2_000, 'autoDeclinePrice', 'stopped'],
    [2_001, 'autoDeclinePrice', 'accepted'],
  ])('a price of %d with Best Offers at 20.00 as their %s: %s', async (price, name, kind) => {
    holds(terms(name));
    const [outcome] = await send(ebayOrder(1, price));
    expect(outcome?.kind).toBe(kind);
    if (outcome?.kind === 'stopped') {
      expect(outcome.found).toEqual({
        kind: 'outside_limits',
        limits: { min: 2_001, max: null, map: 1_800 },
      });
    }
    expect(writes()).toHaveLength(kind === 'stopped' ? 0 : 1);
  });

  test('limits that the account ignores, and those of switched off Best Offers, stop nothing', async () => {
    holds(limited);
    const { credentials, tokens } = shop.account;
    const ignoring = { credentials: { ...credentials, ignorePriceLimits: 'yes' }, tokens };
    expect(await shop.connector.sendPrices(ignoring, [ebayOrder(1, 1_700)], never)).toMatchObject([
      { kind: 'accepted' },
    ]);
    const bestOfferTerms = { ...limited.listingPolicies.bestOfferTerms, bestOfferEnabled: false };
    holds({ ...limited, listingPolicies: { bestOfferTerms } });
    expect(await send(ebayOrder(1, 1_900))).toMatchObject([{ kind: 'accepted' }]);
  });

  test('a price that was changed there is not written over', async () => {
    holds({ pricingSummary: { price: { value: '13.37', currency: 'USD' } } });
    expect(await send(ebayOrder(1))).toMatchObject([
      { kind: 'stopped', found: { kind: 'other_price', price: 1_337 } },
    ]);
    expect(await send({ ...ebayOrder(1), ownPrices: [cents(1_337)] })).toMatchObject([{ kind: 'accepted' }]);
    expect(writes()).toHaveLength(1);
  });

  test('an offer in another currency gets no price in dollars', async () => {
    holds({ pricingSummary: { price: { value: '24.99', currency: 'CAD' } } });
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'stopped', found: { kind: 'not_repriceable' } }]);
    expect(writes()).toEqual([]);
  });

  test.each([
    [400, 25001],
    [400, 25709],
    [409, 25001],
  ])('an offer that eBay refuses to show (%i, %i) is no refusal of its price', async (status, errorId) => {
    const body = { errors: [{ errorId, message: 'Cannot be shown now.' }] };
    shop.service.on('GET', /\/offer\/901$/, () => ({ status, body }));
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'not_sent', othersMayGo: true }]);
    expect(writes()).toEqual([]);
  });

  test('an offer that eBay says is not available is none', async () => {
    const body = { errors: [{ errorId: 25713, message: 'This Offer is not available.' }] };
    shop.service.on('GET', /\/offer\/901$/, () => ({ status: 400, body }));
    answers(200, { offerId: '901', statusCode: 400, errors: [{ errorId: 25713, message: 'Removed.' }] });
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'rejected', code: '25713' }]);
    expect(writes()).toHaveLength(1);
  });

  test.each(WRONG_ADDRESS)(
    'an address that eBay does not know (404, %s) says nothing about an offer',
    async (_, body) => {
      shop.service.on('GET', /\/offer\/901$/, () => ({ status: 404, body }));
      expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'not_sent', why: 'not_told' }]);
      expect(writes()).toEqual([]);
    },
  );

  test('an offer that cannot be read stops the price for now', async () => {
    shop.service.on('GET', /\/offer\/901$/, () => ({ body: { ok: true } }));
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'not_sent' }]);
    expect(writes()).toEqual([]);
  });
});

describe('a price', () => {
  test('is sent as a decimal for its offer, without a stock quantity', async () => {
    answers(200, { offerId: '901', sku: 'MUG-1', statusCode: 200, errors: [], warnings: [] });
    expect(await send(ebayOrder(1, 1_990))).toEqual([{ listingId: 1, kind: 'accepted', receipt: null }]);
    const [write] = writes();
    expect(write?.json).toEqual({
      requests: [{ offers: [{ offerId: '901', price: { value: '19.90', currency: 'USD' } }] }],
    });
    expect(write?.headers['content-language']).toBe('en-US');
  });

  test('is one call for each SKU, in the order given', async () => {
    shop.service.on('POST', /bulk_update/, ({ text }) => {
      const offerId = /"offerId":"(\d+)"/.exec(text)?.[1];
      return { status: 207, body: { responses: [{ offerId, statusCode: offerId === '902' ? 400 : 200 }] } };
    });
    expect((await send(ebayOrder(1), ebayOrder(2), ebayOrder(3))).map(({ kind }) => kind)).toEqual([
      'accepted',
      'rejected',
      'accepted',
    ]);
    expect(writes()).toHaveLength(3);
  });

  const warning = { errorId: 25_401, message: 'A policy was adjusted.' };
  const problem = { errorId: 25_002, message: 'No.', longMessage: 'The price is too low for this category.' };
  const usedUp = {
    errorId: 25_002,
    message: 'You have exceeded the number of revisions allowed for this listing today.',
  };
  test.each([
    ['taken with a warning', 200, { statusCode: 200, warnings: [warning] }, { kind: 'accepted' }],
    [
      'refused in a 207',
      207,
      { statusCode: 400, errors: [problem] },
      { kind: 'rejected', message: 'The price is too low for this category.', code: '25002' },
    ],
    ['refused in a 200', 200, { statusCode: 400 }, { kind: 'rejected', code: '400' }],
    [
      'not above the price of declined Best Offers',
      207,
      { statusCode: 400, errors: [{ errorId: 25_002, message: 'Any User error. Auto decline amount.' }] },
      { kind: 'rejected', code: '22003' },
    ],
    [
      'not above the price of accepted Best Offers',
      207,
      { statusCode: 400, errors: [{ errorId: 25_002, message: 'The Best Offer Auto Accept Price.' }] },
      { kind: 'rejected', code: '23004' },
    ],
    [
      'changed too often today, in a 207',
      207,
      { statusCode: 400, errors: [usedUp] },
      { kind: 'not_sent', why: 'revision_limit' },
    ],
    ['too much', 207, { statusCode: 429, errors: [problem] }, { kind: 'not_sent' }],
    ['an internal error', 207, { statusCode: 500, errors: [problem] }, { kind: 'unknown' }],
    ['busy with the same item', 207, { statusCode: 409, errors: [problem] }, { kind: 'unknown' }],
    [
      'an error of its own in the status of a refusal',
      207,
      { statusCode: 400, errors: [{ errorId: 25_001, category: 'APPLICATION', message: 'A system error.' }] },
      { kind: 'unknown' },
    ],
    [
      'being changed elsewhere',
      207,
      { statusCode: 400, errors: [{ errorId: 25_025, category: 'APPLICATION', message: 'Concurrent.' }] },
      { kind: 'unknown' },
    ],
    ['not done completely', 207, { statusCode: 207 }, { kind: 'unknown' }],
    ['taken and an error', 200, { statusCode: 200, errors: [problem] }, { kind: 'unknown' }],
    ['about another offer', 200, { statusCode: 200, offerId: '777' }, { kind: 'unknown' }],
  ])('%s', async (_, status, response, expected) => {
    answers(status, { offerId: '901', ...response });
    expect(await send(ebayOrder(1))).toEqual([expect.objectContaining({ listingId: 1, ...expected })]);
  });

  test('that a 207 says nothing of is unknown', async () => {
    answers(207);
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'unknown' }]);
  });

  test.each(WRONG_ADDRESS)(
    'to an address that eBay does not know (404, %s) is not refused for good',
    async (_, body) => {
      shop.service.on('POST', /bulk_update/, () => ({ status: 404, body }));
      const [outcome] = await send(ebayOrder(1));
      const code = (outcome?.kind === 'rejected' && outcome.code) || '';
      expect(['404', '2002']).toContain(code);
      expect(shop.connector.finalRefusals.has(code)).toBe(false);
    },
  );

  test('with two different results is unknown', async () => {
    answers(200, { offerId: '901', statusCode: 200 }, { offerId: '901', statusCode: 400 });
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'unknown' }]);
  });

  test("refused as a whole has eBay's message", async () => {
    shop.service.on('POST', /bulk_update/, () => ({ status: 400, body: { errors: [problem] } }));
    expect(await send(ebayOrder(1))).toEqual([
      expect.objectContaining({
        kind: 'rejected',
        code: '25002',
        message: expect.stringContaining('too low for this category'),
      }),
    ]);
  });

  test('refused as a whole for its Best Offers has a code that is final', async () => {
    const atOffers = { errorId: 25_002, message: 'Any User error. Auto decline amount is too high.' };
    shop.service.on('POST', /bulk_update/, () => ({ status: 400, body: { errors: [atOffers] } }));
    const [outcome] = await send(ebayOrder(1));
    expect(outcome).toMatchObject({ kind: 'rejected', code: '22003' });
    expect(shop.connector.finalRefusals?.has('22003')).toBe(true);
  });

  test('of a listing that was changed too often today passes (C27)', async () => {
    shop.service.on('POST', /bulk_update/, () => ({ status: 400, body: { errors: [usedUp] } }));
    expect(await send(ebayOrder(1), ebayOrder(2))).toMatchObject([
      { listingId: 1, kind: 'not_sent', why: 'revision_limit', until: null },
      { listingId: 2, kind: 'not_sent', why: 'revision_limit' },
    ]);
  });

  const reset = new Date(NOON + 7_200_000).toISOString();
  test.each([
    [
      'until the reset that eBay reports',
      { remaining: 0, reset },
      { why: 'daily_limit', until: NOON + 7_200_000, othersMayGo: true },
    ],
    [
      'an hour without a reset',
      { remaining: 0 },
      { why: 'daily_limit', until: expect.toSatisfy((at) => at >= NOON + 3_600_000) },
    ],
    ['shortly while calls are left', { remaining: 7, reset }, { retryAfter: null }],
  ])('refused by 429 waits %s', async (_, rate, outcome) => {
    shop.service.on('POST', /bulk_update/, () => ({ status: 429, body: {} }));
    shop.service.on('GET', /rate_limit/, () => ({
      body: { rateLimits: [{ apiContext: 'sell', apiName: 'inventory', resources: [{ rates: [rate] }] }] },
    }));
    const [first, second] = await send(ebayOrder(1), ebayOrder(2));
    expect(first).toMatchObject({ listingId: 1, kind: 'not_sent', ...outcome });
    expect(second).toMatchObject({ listingId: 2, kind: 'not_sent' });
    expect(first !== undefined && 'why' in first).toBe('why' in outcome);
  });

  test('refused by 429 because its calls are used up wait; those of the Trading API go on', async () => {
    shop.service.on('POST', /bulk_update/, () => ({ status: 429, body: {} }));
    shop.service.on('GET', /rate_limit/, () => ({
      body: { rateLimits: [{ resources: [{ rates: [{ remaining: 0, reset }] }] }] },
    }));
    await send(ebayOrder(1));
    shop.service.asked.length = 0;
    const trading = { ...ebayOrder(2), ref: { ...ebayOrder(2).ref, keys: { listingId: '110' } } };
    const [inventory, other] = await send(ebayOrder(1), trading);
    const until = NOON + 7_200_000;
    expect(inventory).toMatchObject({ why: 'daily_limit', until, othersMayGo: true });
    expect(other).not.toMatchObject({ why: 'daily_limit' });
    expect(shop.traded().length).toBeGreaterThan(0);
    // Not requested again before the reset.
    expect(writes()).toEqual([]);
  });

  test('refused by 429 at once request once when calls are available again, and no other is sent', async () => {
    shop.service.on('POST', /bulk_update/, () => ({ status: 429, body: {} }));
    shop.service.on('GET', /rate_limit/, () => ({
      body: { rateLimits: [{ resources: [{ rates: [{ remaining: 0, reset }] }] }] },
    }));
    const outcomes = await send(...[1, 2, 3, 4, 5, 6].map((number) => ebayOrder(number)));
    expect(outcomes).toMatchObject(Array(6).fill({ kind: 'not_sent', why: 'daily_limit' }));
    expect(requestsOf(/rate_limit/)).toHaveLength(1);
    expect(requestsOf(/offer\/90[56]/)).toEqual([]);
  });

  test('refused by 429 are no used-up day where eBay does not say so', async () => {
    shop.service.on('POST', /bulk_update/, () => ({ status: 429, body: {} }));
    shop.service.on('GET', /rate_limit/, () => ({ status: 500, body: {} }));
    const [first, second] = await send(ebayOrder(1), ebayOrder(2));
    for (const one of [first, second]) {
      expect(one).toMatchObject({ kind: 'not_sent', retryAfter: 60_000, othersMayGo: true });
      expect(one).not.toHaveProperty('why');
    }
  });

  test('whose response is lost after eBay applied it is unknown, and sent once', async () => {
    shop.service.on('POST', /bulk_update/, () => (response) => void response.destroy());
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'unknown' }]);
    expect(writes()).toHaveLength(1);
  });

  test('are sent four at once: twenty leave in time at a slow eBay', async () => {
    const orders = Array.from({ length: 20 }, (_, at) => ({
      ...ebayOrder(at + 1),
      notAfter: instant(NOON + 20_000),
    }));
    const unchanged = { pricingSummary: { price: { value: '24.99', currency: 'USD' } } };
    let left = orders.length;
    // Of each order one call is under way.
    const slow = slowCalls(shop, 1_200, () => Math.min(4, left));
    shop.service.on('GET', /\/offer\/\d+$/, ({ path }) =>
      slow.answer(ebayOffer(Number(/90(\d+)$/.exec(path)?.[1]), unchanged)),
    );
    shop.service.on('POST', /bulk_update/, ({ json }) => {
      const { requests } = json as { requests: [{ offers: [{ offerId: string }] }] };
      const [{ offers }] = requests;
      const taken = { offerId: offers[0].offerId, statusCode: 200 };
      return slow.answer({ responses: [taken] }, () => {
        left -= 1;
      });
    });
    const outcomes = await send(...orders);
    expect(outcomes.map(({ listingId, kind }) => `${listingId} ${kind}`)).toEqual(
      orders.map(({ ref }) => `${ref.listingId} accepted`),
    );
    expect(slow.most()).toBe(4);
  });

  test('past its deadline is not sent; others are', async () => {
    answers(200, { offerId: '902', statusCode: 200 });
    const late = { ...ebayOrder(1), notAfter: instant(NOON - 1) };
    const nearlyLate = { ...ebayOrder(3), notAfter: instant(NOON + 2_900) };
    expect(await send(late, ebayOrder(2), nearlyLate)).toMatchObject([
      { kind: 'not_sent' },
      { kind: 'accepted' },
      { kind: 'not_sent', othersMayGo: true },
    ]);
    expect(writes()).toHaveLength(1);
    // Their offers would be read in vain.
    expect(requestsOf(/offer\/90[13]/)).toEqual([]);
  });

  test('without an offer and an item number is rejected, without a call', async () => {
    const order = ebayOrder(1, 1_999, { offerId: '../x' });
    const nowhere = { ...order, ref: { ...order.ref, itemId: '../x' } };
    expect(await send(nowhere)).toMatchObject([{ kind: 'rejected', code: null }]);
    expect(shop.service.asked).toEqual([]);
  });

  test('with a token refused in between is sent again with a new one', async () => {
    answers(200, { offerId: '901', statusCode: 200 });
    await send(ebayOrder(1));
    shop.service.faultsOnly(/bulk_update/);
    shop.service.faults.push({ status: 401, body: {} });
    expect(await send(ebayOrder(1))).toMatchObject([{ kind: 'accepted' }]);
    expect(writes()).toHaveLength(3);
  });

  test('with a revoked key ends all of them, instead of ten thousand failing calls', async () => {
    shop.service.on('POST', /oauth2/, () => ({ status: 400, body: { error: 'invalid_grant' } }));
    const outcomes = await send(...[1, 2, 3, 4, 5, 6].map((number) => ebayOrder(number)));
    expect(outcomes.map(({ kind, listingId }) => [listingId, kind])).toEqual(
      [1, 2, 3, 4, 5, 6].map((id) => [id, 'not_sent']),
    );
    // Four are sent at once.
    expect(shop.service.asked.length).toBeLessThanOrEqual(4);
  });

  test('waits for the rate limit, with a fifth left to others', async () => {
    answers(200, { offerId: '901', statusCode: 200 });
    await send(...Array.from({ length: 10 }, () => ebayOrder(1)));
    expect(shop.waits).toEqual([250, 250]);
  });
});

describe('a price that is read back', () => {
  const readBack = (listingId = 1, keys = {}) =>
    shop.connector.readPrices(
      shop.account,
      [
        {
          ref: ebayRef(listingId, keys),
          price: cents(1_999),
          receipt: null,
          sentAt: NOON,
          isLastLook: false,
        },
      ],
      never,
    );
  const holds = (changes: Record<string, unknown>) =>
    shop.service.on('GET', /\/offer\/901$/, () => ({ body: ebayOffer(1, changes) }));
  const priced = (value: unknown, currency = 'USD') => ({ pricingSummary: { price: { value, currency } } });

  test.each([
    ['an amount', priced('19.99'), { kind: 'price', price: 1_999 }],
    ['one decimal', priced('19.9'), { kind: 'price', price: 1_990 }],
    ['zeros behind it', priced('19.9900'), { kind: 'price', price: 1_999 }],
    ['a third decimal', priced('19.999'), { kind: 'unreadable' }],
    ['rounding noise', priced('19.990000000000002'), { kind: 'price', price: 1_999 }],
    ['less than nothing', priced('-19.99'), { kind: 'unreadable' }],
    ['nothing', priced('0.00'), { kind: 'unreadable' }],
    ['no amount', priced('N/A'), { kind: 'unreadable' }],
    ['NaN', priced('NaN'), { kind: 'unreadable' }],
    ['a number', priced(19.99), { kind: 'price', price: 1_999 }],
    ['euros', priced('19.99', 'EUR'), { kind: 'unreadable' }],
    ['no price at all', { pricingSummary: {} }, { kind: 'unreadable' }],
    [
      'a listing that ended',
      { listing: { listingId: '110001', listingStatus: 'ENDED' } },
      { kind: 'missing' },
    ],
    ['an offer that is not published', { status: 'UNPUBLISHED', listing: null }, { kind: 'missing' }],
    [
      'a listing on hold',
      { listing: { listingStatus: 'ACTIVE', listingOnHold: true } },
      { kind: 'unreadable' },
    ],
    ['another offer', { offerId: '777' }, { kind: 'unreadable' }],
  ])('%s', async (_, changes, expected) => {
    holds(changes);
    expect(await readBack()).toEqual([expect.objectContaining({ listingId: 1, ...expected })]);
  });

  const removed = { errors: [{ errorId: 25_713, message: 'This Offer is not available.' }] };
  test.each([
    [404, removed],
    [400, removed],
  ])('of an offer that was removed (%i)', async (status, body) => {
    shop.service.on('GET', /\/offer\//, () => ({ status, body }));
    expect(await readBack()).toEqual([{ listingId: 1, kind: 'missing' }]);
  });

  test.each(WRONG_ADDRESS)(
    'of an address that eBay does not know (404, %s) are not read',
    async (_, body) => {
      shop.service.on('GET', /\/offer\//, () => ({ status: 404, body }));
      expect(await readBack()).toMatchObject([{ listingId: 1, kind: 'unreadable' }]);
    },
  );
});
