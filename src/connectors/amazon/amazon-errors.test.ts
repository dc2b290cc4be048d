import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MarketplaceConnector } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import { entriesOf } from '#tests/support/all-of.ts';
import {
  allOf,
  amazonAccount,
  amazonItem,
  amazonRef,
  type FakeAmazon,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import { type Answer, limitsFor, silence } from '#tests/support/fake-service.ts';

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const account = amazonAccount();
async function* none(): AsyncGenerator<never[]> {
  yield [];
}

/** One read each, the calls it makes, and a valid response. */
const READS: Record<
  string,
  { path: RegExp; fine: unknown; run: (amazon: MarketplaceConnector) => Promise<unknown> }
> = {
  check: {
    path: /^\/sellers/,
    fine: {
      payload: [
        {
          marketplace: { id: US, defaultCurrencyCode: 'USD' },
          participation: { isParticipating: true, hasSuspendedListings: false },
          storeName: 'Kettles',
        },
      ],
    },
    run: (amazon) => amazon.check(account, never),
  },
  readListings: {
    path: /^\/listings\/2021-08-01\/items\/\w+\?/,
    fine: { numberOfResults: 1, items: [amazonItem(1)] },
    run: (amazon) => allOf(entriesOf(amazon.readListings(account, never))),
  },
  readOffers: {
    path: /listingOffers$/,
    fine: { responses: [] },
    run: (amazon) => allOf(amazon.readOffers?.(account, [amazonRef(1)], never) ?? none()),
  },
  readSales: {
    path: /^\/orders/,
    fine: { orders: [] },
    run: (amazon) => allOf(amazon.readSales?.(account, instant(0), never) ?? none()),
  },
  estimateFees: {
    path: /feesEstimate$/,
    fine: [],
    run: (amazon) => {
      const query = { ref: amazonRef(1), price: cents(100), shippingCharge: cents(0) };
      return allOf(amazon.estimateFees?.(account, [query], never) ?? none());
    },
  },
  readFigures: {
    path: /^\/catalog/,
    fine: { items: [] },
    run: (amazon) => allOf(amazon.readFigures?.(account, [amazonRef(1)], never) ?? none()),
  },
};

const errors = { errors: [{ code: 'QuotaExceeded', message: 'You exceeded your quota.' }] };
const reset: Answer = (response) => void response.socket?.destroy();
const truncated: Answer = (response) => {
  response.writeHead(200, { 'content-length': '900' });
  response.write('{"payload":[');
  response.socket?.end();
};

/** Errors of a service, and whether they pass: then one retry is enough. Else the resulting fault. */
const CALL_ERRORS: [string, Answer, 'passes' | 'stays', string][] = [
  ['429 without Retry-After', { status: 429, body: errors }, 'passes', 'busy'],
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '2' }, body: errors }, 'passes', 'busy'],
  [
    '429 with an absurd Retry-After',
    { status: 429, headers: { 'retry-after': '99999' }, body: errors },
    'stays',
    'busy',
  ],
  ['500', { status: 500, body: errors }, 'passes', 'service'],
  ['502 with a page for people', { status: 502, body: '<html>Bad gateway</html>' }, 'passes', 'service'],
  ['no answer in time', silence, 'passes', 'network'],
  ['a line that breaks', reset, 'passes', 'network'],
  ['a truncated answer', truncated, 'passes', 'network'],
  ['400', { status: 400, body: errors }, 'stays', 'refused'],
  ['403', { status: 403, body: errors }, 'stays', 'permission'],
  ['garbage', { body: '%PDF-1.7' }, 'stays', 'unreadable'],
  ['a page for people', { body: '<html>Sign in</html>' }, 'stays', 'unreadable'],
  ['an empty answer', { body: '' }, 'stays', 'unreadable'],
  ['a 200 with errors', { body: errors }, 'stays', 'unreadable'],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'stays', 'service'],
];

/** Fails each call of a read this many times, and then responds normally. */
function fail(name: string, answer: Answer, times: number): void {
  const { path, fine } = READS[name] ?? { path: /none/, fine: null };
  const { service } = fake;
  let left = times;
  service.on('GET', /^\/listings/, () => ({ body: READS.readListings?.fine }));
  for (const method of ['GET', 'POST']) {
    service.on(method, path, () => {
      left -= 1;
      return left >= 0 ? answer : { body: fine };
    });
  }
}

describe.each(Object.keys(READS))('%s', (name) => {
  const run = (amazon: MarketplaceConnector) => READS[name]?.run(amazon) ?? Promise.reject(new Error(name));

  test.each(CALL_ERRORS)('%s: once', async (_, answer, isPassing, fault) => {
    fail(name, answer, 1);
    const result = run(fake.connector({ limits: limitsFor([answer]) }));
    // Their next calls are due minutes later: a user does not wait for that, and orders continue with the next
    // sync.
    const isDear = name === 'check' || name === 'readSales';
    const isWaitedFor = isPassing === 'passes' && !(isDear && fault === 'busy');
    if (isWaitedFor) await expect(result).resolves.toBeDefined();
    else await expect(result).rejects.toMatchObject({ name: 'ConnectorError', fault });
  });

  test.each(CALL_ERRORS)('%s: for good', async (_, answer, _isPassing, fault) => {
    fail(name, answer, 99);
    await expect(run(fake.connector({ limits: limitsFor([answer]) }))).rejects.toMatchObject({
      name: 'ConnectorError',
      fault,
    });
    expect(fake.calls(READS[name]?.path ?? /none/).length).toBeLessThanOrEqual(4);
  });
});

describe('readPrices', () => {
  const read = (answer: Answer) =>
    fake
      .connector({ limits: limitsFor([answer]) })
      .readPrices(
        account,
        [{ ref: amazonRef(1), price: cents(100), receipt: null, sentAt: fake.now(), isLastLook: false }],
        never,
      );

  test.each(CALL_ERRORS)('%s: for good', async (_, answer, _isPassing, fault) => {
    fake.service.on('GET', /^\/listings/, () => answer);
    if (fault === 'refused' || fault === 'unreadable')
      expect(await read(answer)).toEqual([{ listingId: 1, kind: 'unreadable', message: expect.any(String) }]);
    else await expect(read(answer)).rejects.toMatchObject({ fault });
  });
});

test('no failure contains a key', async () => {
  const echo = 'refresh-1 secret-1 token-1';
  for (const answer of [{ status: 400, body: echo }, { status: 500, body: echo }, { body: echo }]) {
    fail('check', answer, 99);
    const error = await fake
      .connector({ limits: { attempts: 1 } })
      .check(account, never)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify([String(error), error])).not.toMatch(/refresh-1|secret-1|token-1/);
  }
});
