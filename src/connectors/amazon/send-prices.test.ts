import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MarketplaceConnector, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import {
  amazonAccount,
  amazonItem,
  amazonOffer,
  amazonRef,
  type FakeAmazon,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import { type Answer, limitsFor, silence } from '#tests/support/fake-service.ts';

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
  fake.service.on('GET', /^\/listings/, ({ path }) => ({ body: amazonItem(numberIn(path)) }));
  fake.service.on('PATCH', /^\/listings/, ({ path }) => ({ body: accepted(numberIn(path)) }));
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const numberIn = (path: string): number => Number(/SKU-(\d+)/.exec(path)?.[1]);
const patches = () => fake.service.asked.filter(({ method }) => method === 'PATCH');

function accepted(number: number, given: Record<string, unknown> = {}) {
  return { sku: `SKU-${number}`, status: 'ACCEPTED', submissionId: `sub-${number}`, issues: [], ...given };
}

function order(number: number, given: Partial<PriceOrder> = {}): PriceOrder {
  return {
    ref: amazonRef(number),
    price: cents(2_990),
    currentPrice: cents(3_100),
    ownPrices: [],
    sequence: 1,
    idempotencyKey: `key-${number}`,
    isUrgent: false,
    notAfter: instant(fake.now() + 600_000),
    ...given,
  };
}

async function send(
  orders: readonly PriceOrder[] = [order(1)],
  amazon: MarketplaceConnector = fake.amazon,
  signal = never,
): Promise<readonly SendOutcome[]> {
  return amazon.sendPrices(amazonAccount(), orders, signal);
}

const holding = (purchasable_offer: unknown[]): Answer => ({
  body: amazonItem(1, { attributes: { purchasable_offer } }),
});
const patchGets = (answer: Answer) => fake.service.on('PATCH', /^\/listings/, () => answer);
const readGets = (answer: Answer) => fake.service.on('GET', /^\/listings/, () => answer);

describe('a price', () => {
  test('is sent as a decimal with two places, and is accepted', async () => {
    expect(await send()).toEqual([{ listingId: 1, kind: 'accepted', receipt: null }]);
    const [patch] = patches();
    expect(patch?.query.get('marketplaceIds')).toBe(US);
    expect(patch?.text).toContain('"our_price":[{"schedule":[{"value_with_tax":29.90}]}]');
    expect(patch?.json).toEqual({
      productType: 'KETTLE',
      patches: [{ op: 'merge', path: '/attributes/purchasable_offer', value: [amazonOffer('29.90')] }],
    });
  });

  test('is sent as quoted text where the account only accepts that', async () => {
    await fake.amazon.sendPrices(amazonAccount({ quotesPrices: 'yes' }), [order(1)], never);
    expect(patches()[0]?.text).toContain('"value_with_tax":"29.90"');
  });

  test('goes with its selectors alone, whatever else the offer has', async () => {
    const sale = { schedule: [{ start_at: '2026-12-01', end_at: '2026-12-02', value_with_tax: 27 }] };
    const business = amazonOffer('28.00', { audience: 'B2B', quantity_discount_plan: [{ levels: [3, 5] }] });
    readGets(holding([business, amazonOffer('31.00', { discounted_price: [sale] })]));
    expect(await send()).toMatchObject([{ kind: 'accepted' }]);
    expect(patches()[0]?.json).toMatchObject({ patches: [{ op: 'merge', value: [amazonOffer('29.90')] }] });
  });

  test('of a listing without an offer gets one', async () => {
    readGets({ body: amazonItem(1, { attributes: {} }) });
    await send();
    expect(patches()[0]?.json).toMatchObject({ patches: [{ value: [amazonOffer('29.90')] }] });
  });

  test('uses the stored product type, else any', async () => {
    readGets({ body: amazonItem(1, { summaries: [] }) });
    await send([order(1, { ref: amazonRef(1, { keys: { productType: 'TEAPOT' } }) })]);
    await send([order(1)]);
    expect(patches().map(({ json }) => json)).toMatchObject([
      { productType: 'TEAPOT' },
      { productType: 'PRODUCT' },
    ]);
  });

  test('of a SKU with special characters has an encoded path', async () => {
    await send([order(1, { ref: amazonRef(1, { sku: 'a/b c?SKU-1' }) })]);
    expect(patches()[0]?.path).toContain('/a%2Fb%20c%3FSKU-1?');
  });
});

describe('a price of a listing that buyers see at another one', () => {
  const showing = (amount: string) => ({
    body: amazonItem(1, {
      offers: [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount } }],
    }),
  });

  test('does not overwrite what the seller set there', async () => {
    readGets(showing('35.00'));
    expect(await send()).toMatchObject([
      { kind: 'stopped', found: { kind: 'other_price', price: 3_500, source: 'item' } },
    ]);
    expect(patches()).toEqual([]);
  });

  test('replaces a price of ours that is still shown, or shown late', async () => {
    readGets(showing('35.00'));
    expect(await send([order(1, { ownPrices: [cents(3_500)] })])).toMatchObject([{ kind: 'accepted' }]);
  });
});

test('that is urgent is sent by a single call before a feed, unless there are as many as for a feed', () => {
  const atOnce = (urgent: number) => fake.amazon.pricesAtOnce?.(2_000, urgent);
  expect([3, 41, 599, 600].map(atOnce)).toEqual([3, 40, 40, 1_000]);
});

describe('a price is rejected', () => {
  test('when a 200 response is INVALID, with the message of the error', async () => {
    const issues = [
      { code: '18', message: 'Look at this.', severity: 'WARNING' },
      { code: '90', message: 'The price is below your minimum.', severity: 'ERROR' },
    ];
    patchGets({ body: accepted(1, { status: 'INVALID', issues }) });
    expect(await send()).toEqual([
      { listingId: 1, kind: 'rejected', message: 'The price is below your minimum.', code: '90' },
    ]);
  });

  test.each([400, 404, 413])('when Amazon responds with %i, with its message', async (status) => {
    patchGets({ status, body: { errors: [{ code: 'InvalidInput', message: 'No such product type.' }] } });
    expect(await send()).toEqual([
      {
        listingId: 1,
        kind: 'rejected',
        code: 'InvalidInput',
        message: expect.stringContaining('No such product type.'),
      },
    ]);
  });

  test.each([408, 409, 423, 425])(
    'not when the listing is busy (%i): its price is read back',
    async (status) => {
      patchGets({ status, body: { errors: [{ code: 'InvalidInput', message: 'Locked.' }] } });
      expect(await send()).toMatchObject([{ kind: 'unknown', message: expect.stringContaining('Locked.') }]);
    },
  );

  test.each([408, 409, 423, 425])('not when Amazon is busy before (%i): it is tried soon', async (status) => {
    readGets({ status, body: { errors: [{ code: 'InvalidInput', message: 'Locked.' }] } });
    const [outcome] = await send();
    expect(outcome).toMatchObject({ kind: 'not_sent', othersMayGo: true });
    expect(outcome).not.toHaveProperty('why');
    expect(patches()).toEqual([]);
  });

  test('not when Amazon refuses to show the listing: it is tried again', async () => {
    readGets({ status: 400, body: { errors: [{ code: 'InvalidInput', message: 'Not now.' }] } });
    expect(await send()).toMatchObject([
      { kind: 'not_sent', why: 'not_told', message: expect.stringContaining('Not now.') },
    ]);
    expect(patches()).toEqual([]);
  });

  test('when Amazon does not find the SKU: nothing is sent, and it is asked again', async () => {
    readGets({ status: 404, body: { errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] } });
    fake.lists(amazonItem(2));
    expect(await send()).toMatchObject([{ kind: 'not_sent', why: 'not_found', othersMayGo: true }]);
    expect(patches()).toEqual([]);
  });

  test('never when Amazon finds nothing of the seller: all wait', async () => {
    readGets({ status: 404, body: { errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] } });
    const outcomes = await send([order(1), order(2)]);
    expect(outcomes).toMatchObject([{ kind: 'not_sent' }, { kind: 'not_sent' }]);
    expect(JSON.stringify(outcomes)).not.toContain('not_found');
    expect(outcomes[0]).toMatchObject({ message: expect.stringContaining('seller ID') });
  });

  test('not by a 404 that does not name the SKU as not found: it is tried again', async () => {
    readGets({ status: 404, body: '<html>404</html>' });
    expect(await send()).toMatchObject([{ kind: 'not_sent', why: 'not_told', othersMayGo: true }]);
    expect(patches()).toEqual([]);
  });

  // The call for prices has no 404 of its own, and the listing was there right before.
  test('not for good when Amazon does not find the SKU that it has just shown', async () => {
    patchGets({ status: 404, body: { errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] } });
    expect(await send()).toMatchObject([{ kind: 'not_sent', why: 'not_found', othersMayGo: true }]);
    patchGets({ status: 404, body: '<html>404</html>' });
    const [outcome] = await send();
    expect(outcome).toMatchObject({ kind: 'rejected', code: '404' });
    expect(fake.amazon.finalRefusals.has('404')).toBe(false);
  });

  test.each(['.', '..'])('for the SKU "%s", which would change the path: no call is made', async (sku) => {
    expect(await send([order(1, { ref: amazonRef(1, { sku }) })])).toMatchObject([{ kind: 'rejected' }]);
    expect(fake.calls(/^\/listings/)).toEqual([]);
  });
});

describe('a price is stopped by what Amazon shows right before', () => {
  const runs = (start_at: string, end_at: string | null) =>
    amazonOffer('31.00', { discounted_price: [{ schedule: [{ start_at, end_at, value_with_tax: 27 }] }] });
  const sale = runs('2026-11-20T11:59:00Z', '2026-11-30T00:00:00Z');
  const rule = amazonOffer('31.00', {
    automated_pricing_merchandising_rule_plan: [{ merchandising_rule: { rule_id: 'R1' } }],
  });
  const SALE = 'A sale price runs on Amazon.';

  test.each([
    [
      'a sale that began a minute ago',
      [sale],
      SALE,
      { isConfirmable: true, until: Date.parse('2026-11-30T00:00:00Z') },
    ],
    [
      'a sale without an end',
      [runs('2026-11-20T11:59:00Z', null)],
      SALE,
      { isConfirmable: true, until: null },
    ],
    [
      'a sale whose times cannot be read',
      [runs('soon', null)],
      'Amazon holds a sale that cannot be read.',
      { isConfirmable: true, until: null },
    ],
    [
      'a sale in another format',
      [amazonOffer('31.00', { discounted_price: { value: 27 } })],
      'Amazon holds a sale that cannot be read.',
      { isConfirmable: true, until: null },
    ],
    ['a rule', [rule], "Amazon's Automate Pricing sets this price.", { isConfirmable: true, until: null }],
    [
      'another currency',
      [amazonOffer('31.00', { currency: 'CAD' })],
      'Amazon holds a price in CAD for this listing.',
      { isConfirmable: false, until: null },
    ],
    [
      'two standard offers',
      [amazonOffer('31.00'), amazonOffer('32.00')],
      'Amazon holds several standard offers of this listing at once.',
      { isConfirmable: false, until: null },
    ],
  ])('%s: nothing is sent, and it is no refusal', async (_, entries, message, reported) => {
    readGets(holding(entries));
    expect(await send()).toEqual([
      { listingId: 1, kind: 'stopped', message, found: { kind: 'not_repriceable', ...reported } },
    ]);
    expect(patches()).toEqual([]);
  });

  test('the limits that the seller has just set: they are reported, and stop a user too', async () => {
    const limited = amazonOffer('31.00', {
      minimum_seller_allowed_price: [{ schedule: [{ value_with_tax: 30.01 }] }],
      map_price: [{ schedule: [{ value_with_tax: 27 }] }],
    });
    readGets(holding([limited]));
    expect(await send([order(1, { pastReason: SALE })])).toEqual([
      {
        listingId: 1,
        kind: 'stopped',
        message: '$29.90 is below the minimum price of $30.01 that you set on Amazon.',
        found: { kind: 'outside_limits', limits: { min: 3_001, max: null, map: 2_700 } },
      },
    ]);
    expect(patches()).toEqual([]);
    const ignoring = amazonAccount({ ignorePriceLimits: 'yes' });
    expect(await fake.amazon.sendPrices(ignoring, [order(1)], never)).toMatchObject([{ kind: 'accepted' }]);
  });

  test('a sale that is over or has not begun stops nothing', async () => {
    for (const entry of [runs('2026-11-01', '2026-11-20T11:59:00Z'), runs('2026-11-21', '2026-11-30')]) {
      readGets(holding([entry]));
      expect(await send()).toMatchObject([{ kind: 'accepted' }]);
    }
  });

  test('a user who was shown the sale and confirmed is not stopped by it, and by nothing else', async () => {
    readGets(holding([sale]));
    expect(await send([order(1, { pastReason: SALE })])).toMatchObject([{ kind: 'accepted' }]);
    readGets(holding([rule]));
    expect(await send([order(1, { pastReason: SALE })])).toMatchObject([{ kind: 'stopped' }]);
    readGets(holding([amazonOffer('31.00'), amazonOffer('32.00')]));
    const pastReason = 'Amazon holds several standard offers of this listing at once.';
    expect(await send([order(1, { pastReason })])).toMatchObject([{ kind: 'stopped' }]);
  });
});

const reset: Answer = (response) => void response.socket?.destroy();
const truncated: Answer = (response) => {
  response.writeHead(200, { 'content-length': '900' });
  response.write('{"sku":"SK');
  response.socket?.end();
};

describe('whether a price was accepted is unknown', () => {
  test.each<[string, Answer]>([
    ['500', { status: 500, body: { errors: [{ code: 'InternalFailure', message: 'Oops.' }] } }],
    ['502 with a page for people', { status: 502, body: '<html>Bad gateway</html>' }],
    ['no answer in time', silence],
    ['a connection that breaks after the request', reset],
    ['a truncated answer', truncated],
    ['garbage', { body: 'ka-boom' }],
    ['an empty answer', { body: '' }],
    ['another form', { body: { ok: true } }],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }],
    ['an answer about another SKU', { body: accepted(2) }],
    ['a validation-only response', { body: accepted(1, { status: 'VALID' }) }],
    ['an unknown status', { body: accepted(1, { status: 'MAYBE' }) }],
  ])('after %s, and it is not sent again', async (_, answer) => {
    patchGets(answer);
    expect(await send([order(1)], fake.connector({ limits: limitsFor([answer]) }))).toEqual([
      { listingId: 1, kind: 'unknown', message: expect.stringMatching(/\S{5,}/) },
    ]);
    expect(patches()).toHaveLength(1);
  });
});

describe('a price is not sent', () => {
  test('after its deadline, even if the rate limit delayed it', async () => {
    const late = { notAfter: instant(fake.now() - 1) };
    expect(await send([order(1, late)])).toMatchObject([{ kind: 'not_sent' }]);
    const orders = Array.from({ length: 12 }, (_, at) =>
      order(at + 1, { notAfter: instant(fake.now() + 1_000) }),
    );
    const outcomes = await send(orders);
    const sent = outcomes.filter(({ kind }) => kind === 'accepted');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThan(12);
    expect(patches()).toHaveLength(sent.length);
  });

  test.each([
    ['without Retry-After', {}],
    ['with one', { 'retry-after': '2' }],
    ['with an absurd one', { 'retry-after': '86400' }],
  ])('when Amazon is asked too much (429 %s), nor are the others then', async (_, headers) => {
    patchGets({ status: 429, headers, body: { errors: [{ code: 'QuotaExceeded', message: 'Too many.' }] } });
    const outcomes = await send(Array.from({ length: 30 }, (_, at) => order(at + 1)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['not_sent']));
    expect(outcomes.map(({ listingId }) => listingId)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(patches().length).toBeLessThan(20);
  });

  test('without credentials', async () => {
    const outcomes = await fake.amazon.sendPrices(amazonAccount({ refreshToken: '' }), [order(1)], never);
    expect(outcomes).toMatchObject([{ kind: 'not_sent', message: expect.stringMatching(/refresh token/) }]);
  });

  test.each([
    [403, 'permission'],
    [401, 'key'],
  ])('with a refusal of the account (%i), nor are the others', async (status) => {
    patchGets({ status, body: { errors: [{ code: 'Unauthorized', message: 'Denied.' }] } });
    const outcomes = await send(Array.from({ length: 40 }, (_, at) => order(at + 1)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['not_sent']));
    expect(patches().length).toBeLessThan(15);
  });

  test.each<[string, Answer]>([
    ['breaks', reset],
    ['is garbage', { body: '{"sku":' }],
    ['is a 503', { status: 503, body: '' }],
    ['has a price of "N/A"', { body: amazonItem(1, { offers: priced('N/A') }) }],
  ])('when what Amazon holds of the listing %s', async (_, answer) => {
    readGets(answer);
    const [outcome] = await send([order(1)], fake.connector({ limits: { attempts: 1 } }));
    expect(outcome).toMatchObject({ listingId: 1, kind: 'not_sent' });
    expect(patches()).toEqual([]);
  });

  test('when no server responds', async () => {
    await fake.close();
    expect(await send([order(1)], fake.connector({ limits: { attempts: 1 } }))).toMatchObject([
      { kind: 'not_sent', message: expect.stringMatching(/cannot be reached/) },
    ]);
    fake = await startFakeAmazon();
  });

  test('when the caller has aborted', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await send([order(1), order(2)], fake.amazon, stop.signal)).toMatchObject([
      { kind: 'not_sent' },
      { kind: 'not_sent' },
    ]);
    expect(patches()).toEqual([]);
  });
});

function priced(amount: unknown) {
  return [{ marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount } }];
}

test('many prices keep their order, and one failure affects only its own outcome', async () => {
  fake.service.on('PATCH', /SKU-3\?/, () => ({ status: 500, body: '' }));
  fake.service.on('PATCH', /SKU-5\?/, () => ({ body: accepted(5, { status: 'INVALID', issues: [] }) }));
  const outcomes = await send(Array.from({ length: 8 }, (_, at) => order(at + 1)));
  expect(outcomes.map(({ listingId, kind }) => `${listingId} ${kind}`)).toEqual([
    ...['1 accepted', '2 accepted', '3 unknown', '4 accepted', '5 rejected', '6 accepted', '7 accepted'],
    '8 accepted',
  ]);
});

test('a token that expires while a price is sent is replaced, and the price sent again', async () => {
  let isFirst = true;
  fake.service.on('PATCH', /^\/listings/, ({ path }) => {
    if (!isFirst) return { body: accepted(numberIn(path)) };
    isFirst = false;
    return { status: 401, body: { errors: [{ code: 'Unauthorized', message: 'Denied.' }] } };
  });
  expect(await send()).toMatchObject([{ kind: 'accepted' }]);
  expect(patches().map(({ headers }) => headers['x-amz-access-token'])).toEqual(['token-1', 'token-2']);
});
