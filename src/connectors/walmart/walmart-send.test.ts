import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, anOrder, aSent, collect, never } from '#tests/support/connector-fixture.ts';
import { anItem, type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';

let fake: FakeWalmart;
beforeEach(async () => {
  fake = await startFakeWalmart();
  // Not what is read before prices are sent.
  fake.faultsOnly(/^(?!POST .*getPricingInsights)/);
});
afterEach(() => fake.close());

function loggedIn(more: Record<string, string> = {}) {
  const obtainedAt = fake.clock.time;
  const expiresAt = instant(obtainedAt + 900_000);
  return anAccount({ ...WALMART_PAIR, ...more }, { access: { value: 'token-0', obtainedAt, expiresAt } });
}

const many = (count: number) => Array.from({ length: count }, (_, at) => anOrder(at + 1, 1999));
/** As the sender does it. */
async function send(orders = [anOrder(1, 1999)], of = loggedIn(), signal = never) {
  const walmart = fake.connect();
  await walmart.prepareToSend?.(of, orders.length, signal);
  return walmart.sendPrices(of, orders, signal);
}

describe('a few prices', () => {
  test('are sent one by one, with two decimals, and are accepted', async () => {
    expect(await send([anOrder(1, 1999), anOrder(2, 2000)])).toEqual([
      { listingId: 1, kind: 'accepted', receipt: null },
      { listingId: 2, kind: 'accepted', receipt: null },
    ]);
    const [first, second] = fake.askedOf(/price$/);
    expect(first?.text).toBe(
      '{"sku":"SKU-1","pricing":[{"currentPriceType":"BASE","currentPrice":{"currency":"USD","amount":19.99}}]}',
    );
    expect(second?.text).toContain('"amount":20.00}');
  });

  test('with a response in the older format are accepted too', async () => {
    fake.faults.push({ body: { ItemPriceResponse: { sku: 'SKU-1', message: 'Thanks' } } });
    expect(await send()).toEqual([{ listingId: 1, kind: 'accepted', receipt: null }]);
  });

  test('keep the order of their outcomes when one of them fails', async () => {
    fake.faults.push({ status: 400, body: { errors: [{ code: 'TOO_LOW', description: 'Too low.' }] } });
    expect(await send([anOrder(7, 100), anOrder(3, 1999)])).toMatchObject([
      { listingId: 7, kind: 'rejected', code: 'TOO_LOW', message: expect.stringContaining('Too low.') },
      { listingId: 3, kind: 'accepted' },
    ]);
  });

  test.each([
    ['errors', [{ code: 'PRICE_1', description: 'No.', severity: 'ERROR' }], 'rejected'],
    ['error', [{ code: 'PRICE_1', description: 'No.' }], 'rejected'],
    ['errors', { error: [{ code: 'PRICE_1', description: 'No.' }] }, 'rejected'],
    ['errors', [{ code: 'HINT', description: 'Low stock.', severity: 'WARN' }], 'accepted'],
    ['errors', [{ code: 'DOWN', category: 'SYSTEM' }], 'unknown'],
    ['error', [{ code: 'REQUEST_THRESHOLD_VIOLATED.GMP_GATEWAY_API' }], 'not_sent'],
    ['errors', [], 'accepted'],
    ['errors', 'No.', 'rejected'],
    ['error', { code: 17, description: ['No.'] }, 'rejected'],
    ['errors', {}, 'accepted'],
  ])('200 with %s %j: %s', async (member, problems, kind) => {
    fake.faults.push({ body: { mart: 'WALMART_US', sku: 'SKU-1', [member]: problems } });
    expect(await send()).toMatchObject([{ listingId: 1, kind }]);
  });

  test('of an item that is not set up yet passes', async () => {
    const errors = [{ code: 'X', description: 'The item is not set up for pricing.' }];
    fake.faults.push({ status: 400, body: { errors } }, { body: { sku: 'SKU-2', errors } });
    expect(await send([anOrder(1, 1999), anOrder(2, 1999)])).toMatchObject([
      { kind: 'not_sent', why: 'too_new' },
      { kind: 'not_sent', why: 'too_new' },
    ]);
  });

  test.each([
    {
      status: 404,
      body: { errors: [{ code: 'CONTENT_NOT_FOUND.GMP_ITEM_PRICE_API', description: 'No item.' }] },
    },
    { body: { errors: [{ code: 'CONTENT_NOT_FOUND', description: 'No item.' }] } },
  ])('of an item that Walmart does not find are looked for a second time: %j', async (error) => {
    fake.faults.push(error);
    expect(await send()).toMatchObject([{ kind: 'not_sent', why: 'not_found', othersMayGo: true }]);
    expect(FINAL_REFUSALS.has('CONTENT_NOT_FOUND')).toBe(false);
  });

  test.each([{}, '<html>404</html>'])(
    'goes by feed after a 404 without an error of Walmart: %j',
    async (body) => {
      fake.faults.push({ status: 404, body });
      expect(await send()).toMatchObject([{ kind: 'accepted', receipt: 'FEED-1@AB' }]);
    },
  );

  test.each([
    { status: 410, body: {} },
    { status: 404, body: { errors: [{ code: 'URI_NOT_FOUND', description: 'No.' }] } },
  ])('goes by feed once Walmart has ended the call, which is tried again a day later: %j', async (error) => {
    fake.on('PUT', /^\/v3\/price$/, () => error);
    const of = { ...loggedIn(), findings: memoryFindings({}, fake.clock.now) };
    expect(await send(many(3), of)).toMatchObject(Array(3).fill({ kind: 'accepted', receipt: 'FEED-1@AB' }));
    expect(await of.findings.read('walmart_single_prices')).toEqual({ is: 'ended' });
    // Of another process too.
    await send([{ ...anOrder(1, 1999), isUrgent: true }], of);
    expect(fake.askedOf(/price$/)).toHaveLength(1);
    fake.clock.time = instant(fake.clock.time + hours(24));
    const later = { ...anOrder(1, 1999), notAfter: instant(fake.clock.time + 600_000) };
    await send([later], { ...loggedIn(), findings: of.findings });
    expect(fake.askedOf(/price$/)).toHaveLength(2);
  });

  test('goes by feed for a day where nothing is kept for other processes', async () => {
    fake.on('PUT', /^\/v3\/price$/, () => ({ status: 410, body: {} }));
    const walmart = fake.connect();
    for (let turn = 0; turn < 2; turn++) await walmart.sendPrices(loggedIn(), many(1), never);
    expect(fake.askedOf(/price$/)).toHaveLength(1);
  });

  test('a response about another SKU is not trusted', async () => {
    fake.faults.push({ body: { sku: 'SKU-2' } });
    expect(await send()).toMatchObject([{ kind: 'unknown' }]);
  });

  test.each(CALL_ERRORS)('$name: $sending', async ({ name, fault, sending }) => {
    fake.faults.push(fault());
    const [outcome] = await send();
    // When the quota of single calls is used up, feeds remain.
    if (name.startsWith('429')) expect(outcome).toMatchObject({ kind: 'accepted', receipt: 'FEED-1@AB' });
    else expect(outcome?.kind).toBe(sending);
    expect(fake.askedOf(/price$/)).toHaveLength(1);
  });

  test('a token refused in between is replaced, and the price sent again', async () => {
    fake.faults.push({ status: 401, body: {} });
    expect(await send()).toMatchObject([{ kind: 'accepted' }]);
    expect(fake.tokens).toBe(1);
  });

  test('with a wrong key none is sent', async () => {
    const of = anAccount({ ...WALMART_PAIR, clientSecret: 'wrong' });
    expect(await send([anOrder(1, 1999)], of)).toMatchObject([{ kind: 'not_sent' }]);
    expect(fake.askedOf(/price$/)).toEqual([]);
  });

  test('past the deadline none is sent', async () => {
    fake.clock.time = instant(Date.parse('2026-11-20T13:00:01Z'));
    expect(await send()).toMatchObject([{ kind: 'not_sent' }]);
    expect(fake.askedOf(/price$/)).toEqual([]);
  });

  test('an aborted call reports what is unknown and what was not sent', async () => {
    const stop = new AbortController();
    fake.faults.push(() => stop.abort());
    const kinds = (await send(many(3), loggedIn(), stop.signal)).map(({ kind }) => kind);
    expect(kinds).toEqual(['unknown', 'not_sent', 'not_sent']);
  });

  test('of two listings of one SKU the first is sent', async () => {
    const orders = [anOrder(1, 1999), anOrder(2, 2100, { sku: 'SKU-1' })];
    expect(await send(orders)).toMatchObject([{ kind: 'accepted' }, { listingId: 2, kind: 'not_sent' }]);
    expect(fake.askedOf(/price$/)).toHaveLength(1);
  });

  test('beyond the budget of single calls they are sent as a feed', async () => {
    const walmart = fake.connect();
    const receipts = async (orders: PriceOrder[]) => {
      await walmart.prepareToSend?.(loggedIn(), orders.length, never);
      const outcomes = await walmart.sendPrices(loggedIn(), orders, never);
      return outcomes.map((one) => one.kind === 'accepted' && one.receipt);
    };
    expect(await receipts(many(4))).toEqual([null, null, null, null]);
    // Five are kept for urgent prices.
    expect(await receipts(many(3))).toEqual([null, 'FEED-1@AB', 'FEED-1@AB']);
    const urgent = Array.from({ length: 6 }, (_, at) => ({ ...anOrder(101 + at, 1999), isUrgent: true }));
    expect(await receipts([...many(20), ...urgent])).toEqual([
      ...Array.from({ length: 20 }, () => 'FEED-1@AB'),
      ...[null, null, null, null, null, 'FEED-1@AB'],
    ]);
  });
});

describe('many prices', () => {
  test('are sent as one feed, whose ID is the receipt', async () => {
    const outcomes = await send(many(250));
    expect(outcomes).toHaveLength(250);
    expect(new Set(outcomes.map((one) => one.kind === 'accepted' && one.receipt))).toEqual(
      new Set(['FEED-1@AB']),
    );
    const [feed] = fake.askedOf(/feeds/);
    expect(feed?.query.get('feedType')).toBe('PRICE_AND_PROMOTION');
    expect(feed?.json).toEqual({
      MPItemFeedHeader: { businessUnit: 'WALMART_US', version: '2.0.20240126-12_25_52-api', locale: 'en' },
      MPItem: many(250).map(({ ref: { sku } }) => ({ 'Promo&Discount': { sku, price: 19.99 } })),
    });
  });

  test('are sent with the version of the head from the settings', async () => {
    await send(many(11), loggedIn({ feedVersion: '2.0.20270101' }));
    expect(fake.askedOf(/feeds/)[0]?.json).toMatchObject({ MPItemFeedHeader: { version: '2.0.20270101' } });
  });

  test.each(CALL_ERRORS)('$name: $sending', async ({ fault, sending }) => {
    fake.faults.push(fault());
    const outcomes = await send(many(11));
    // The next feed may be sent in seven and a half minutes: longer than the longest wait.
    const kind = sending === 'passes' ? 'not_sent' : sending;
    expect(outcomes.map((one) => one.kind)).toEqual(Array.from({ length: 11 }, () => kind));
    expect(fake.askedOf(/feeds/)).toHaveLength(1);
  });

  test.each([
    ['inside a 200 response', { body: { errors: [{ code: 'INVALID_REQUEST', description: 'No.' }] } }],
    ['with 400', { status: 400, body: { errors: [{ code: 'INVALID_REQUEST', description: 'No.' }] } }],
    ['with 413', { status: 413, body: {} }],
  ])('a feed refused %s ends none of its prices for good', async (_how, error) => {
    fake.faults.push(error);
    const outcomes = await send(many(11));
    const codes = outcomes.map((one) => (one.kind === 'rejected' ? one.code : one.kind));
    expect(codes.filter((code) => code === null || FINAL_REFUSALS.has(code))).toEqual([]);
    expect(new Set(codes)).toEqual(new Set([expect.stringMatching(/^feed:/)]));
  });

  test('a feed without an ID may have been accepted', async () => {
    fake.faults.push({ body: {} });
    expect(await send(many(11))).toContainEqual(expect.objectContaining({ listingId: 1, kind: 'unknown' }));
  });

  test('a feed has as many as Walmart recommends, and more while very many wait', async () => {
    const walmart = fake.connect();
    const sizes = async (waiting: number) => {
      await walmart.prepareToSend?.(loggedIn(), waiting, never);
      return [7, 5_000].map((checked) => walmart.pricesAtOnce?.(checked, 0));
    };
    expect(await sizes(8_000)).toEqual([7, 1_000]);
    expect(await sizes(8_001)).toEqual([7, 5_000]);
    expect(await sizes(2_000)).toEqual([7, 1_000]);
  });

  test('go by eight feeds an hour, besides one that is kept for urgent prices', async () => {
    const walmart = fake.connect();
    const { clock } = fake;
    const until = instant(clock.time + hours(1));
    const orders = many(11).map((order) => ({ ...order, notAfter: instant(until + hours(1)) }));
    let sent = 0;
    const waits: (number | null)[] = [];
    while (clock.time < until) {
      await walmart.prepareToSend?.(loggedIn(), orders.length, never);
      const [outcome] = await walmart.sendPrices(loggedIn(), orders, never);
      if (outcome?.kind === 'accepted') sent += 1;
      else if (outcome?.kind === 'not_sent') {
        expect(outcome).toMatchObject({ othersMayGo: true });
        waits.push(outcome.retryAfter);
        clock.time = instant(clock.time + Number(outcome.retryAfter));
      }
    }
    // The first at once, and then one every seven and a half minutes, less what reading the insights took.
    expect(sent).toBe(8);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(450_000);
    expect(Math.min(...waits.map(Number))).toBeGreaterThan(400_000);
    const urgent = Array.from({ length: 11 }, (_, at) => ({
      ...anOrder(101 + at, 1999),
      notAfter: instant(until + hours(1)),
      isUrgent: true,
    }));
    const outcomes = await walmart.sendPrices(loggedIn(), urgent, never);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'accepted', receipt: 'FEED-1@AB' });
    expect(fake.askedOf(/feeds/)).toHaveLength(9);
  });
});

test('a few prices without single calls or a feed wait for the next single call, not for the next feed', async () => {
  const walmart = fake.connect();
  const notAfter = instant(fake.clock.time + hours(1));
  const send = async (count: number) => {
    const orders = many(count).map((order) => ({ ...order, notAfter }));
    return (await walmart.sendPrices(loggedIn(), orders, never)).at(-1);
  };
  // The feed that is not kept for urgent prices.
  expect(await send(11)).toMatchObject({ kind: 'accepted', receipt: 'FEED-1@AB' });
  let last = await send(3);
  for (let round = 0; round < 40 && last?.kind === 'accepted'; round++) last = await send(3);
  expect(last).toMatchObject({ kind: 'not_sent', othersMayGo: true });
  expect(last?.kind === 'not_sent' && last.retryAfter).toBeLessThanOrEqual(45_000);
});

describe('right before it is sent', () => {
  const REPRICER = { repricerStatus: 'ACTIVE', repricerStrategyName: 'Match all' };
  const row = (number: number, given: Record<string, unknown> = {}) => ({
    sku: `SKU-${number}`,
    currentPrice: 12.5,
    repricerStatus: 'INACTIVE',
    ...given,
  });
  const runsPromotion = () =>
    fake.on('GET', /promo\/sku/, () => ({
      body: {
        payload: {
          pricingList: {
            pricing: [{ effectiveDate: 1_700_000_000_000, expirationDate: 1_900_000_000_000 }],
          },
        },
      },
    }));

  /** The SKUs that were requested alone since. */
  const asksAlone = (since: number) =>
    fake
      .askedOf(/getPricingInsights/)
      .slice(since)
      .flatMap(({ json }) => (json as { searchCriteria?: { searchValue: string } }).searchCriteria ?? [])
      .map(({ searchValue }) => searchValue);

  test('a price that Walmart sets with its own repricer is stopped', async () => {
    fake.insights.push(row(1, REPRICER), row(2));
    expect(await send(many(2))).toMatchObject([
      {
        kind: 'stopped',
        message: expect.stringContaining('Match all'),
        found: { kind: 'not_repriceable', until: null },
      },
      { kind: 'accepted' },
    ]);
    expect(fake.askedOf(/price$/)).toHaveLength(1);
  });

  test('promotions are looked up where buyers pay another price than ours', async () => {
    runsPromotion();
    fake.insights.push(row(1, { currentPrice: 10 }), row(2));
    expect((await send(many(2))).map(({ kind }) => kind)).toEqual(['stopped', 'accepted']);
    expect(fake.askedOf(/promo/).map(({ path }) => path)).toEqual(['/v3/promo/sku/SKU-1']);
  });

  test('promotions are looked up where a lower buy box may be our own price in one', async () => {
    runsPromotion();
    fake.insights.push(row(1, { buyBoxBasePrice: 12.49 }), row(2, { buyBoxBasePrice: 12.51 }));
    expect((await send(many(2))).map(({ kind }) => kind)).toEqual(['stopped', 'accepted']);
    expect(fake.askedOf(/promo/).map(({ path }) => path)).toEqual(['/v3/promo/sku/SKU-1']);
  });

  test.each(['the same process', 'another one'])(
    'promotions known lately are looked up whatever buyers pay, two days at most, in %s',
    async (process) => {
      runsPromotion();
      const account = { ...loggedIn(), findings: memoryFindings() };
      const first = fake.connect();
      fake.insights.push(row(1, { currentPrice: 10 }));
      expect(await first.sendPrices(account, many(1), never)).toMatchObject([{ kind: 'stopped' }]);
      // The insights are behind, or say the regular price.
      fake.insights.splice(0, 1, row(1));
      const walmart = process === 'another one' ? fake.connect() : first;
      const sent = async (hour: number) => {
        fake.clock.time = instant(fake.clock.time + hours(hour));
        const order = { ...anOrder(1, 1999), notAfter: instant(fake.clock.time + 20_000) };
        return (await walmart.sendPrices(account, [order], never))[0]?.kind;
      };
      expect(await sent(24)).toBe('stopped');
      fake.on('GET', /promo\/sku/, () => ({ body: { payload: { pricingList: { pricing: [] } } } }));
      expect(await sent(1)).toBe('accepted');
      const lookups = () => fake.askedOf(/promo/).length;
      const before = lookups();
      expect(await sent(47)).toBe('accepted');
      expect(await sent(2)).toBe('accepted');
      expect(lookups()).toBe(before + 1);
    },
  );

  describe('a promotion that was reported', () => {
    const noPromotion = () => ({ body: { payload: { pricingList: { pricing: [] } } } });
    const promotion = (expirationDate: number | null) => () => ({
      body: {
        payload: { pricingList: { pricing: [{ effectiveDate: 1_700_000_000_000, expirationDate }] } },
      },
    });
    const sender = () => {
      const of = { ...loggedIn(), findings: memoryFindings() };
      let walmart = fake.connect();
      return {
        restart: () => {
          walmart = fake.connect();
        },
        sent: async (minutes: number, currentPrice = 1199) => {
          fake.clock.time = instant(fake.clock.time + minutes * 60_000);
          const order = { ...anOrder(1, currentPrice), notAfter: instant(fake.clock.time + 20_000) };
          return (await walmart.sendPrices(of, [order], never))[0];
        },
      };
    };

    test('and ended keeps no price waiting for more than a quarter of an hour where lookups fail', async () => {
      const { sent } = sender();
      fake.insights.push(row(1, { currentPrice: 10 }));
      fake.on('GET', /promo\/sku/, promotion(fake.clock.time + 600_000));
      expect(await sent(0)).toMatchObject({ kind: 'stopped' });
      fake.insights.splice(0, 1, row(1));
      fake.on('GET', /promo\/sku/, () => ({ status: 503, body: {} }));
      // The insights can be read each time.
      expect(await sent(120)).toMatchObject({ kind: 'not_sent', retryAfter: 60_000 });
      expect(await sent(10)).toMatchObject({ kind: 'not_sent', retryAfter: 60_000 });
      expect(await sent(6)).toMatchObject({ kind: 'accepted' });
      // Hours later it is another failure.
      expect(await sent(20 * 60)).toMatchObject({ kind: 'not_sent', retryAfter: 60_000 });
      fake.on('GET', /promo\/sku/, noPromotion);
      expect(await sent(1)).toMatchObject({ kind: 'accepted' });
      fake.on('GET', /promo\/sku/, () => ({ status: 503, body: {} }));
      expect(await sent(1)).toMatchObject({ kind: 'not_sent', retryAfter: 60_000 });
    });

    test.each(['the same process', 'another one'])(
      'without an end gets no price while lookups fail, in %s',
      async (process) => {
        const { sent, restart } = sender();
        fake.insights.push(row(1, { currentPrice: 10 }));
        fake.on('GET', /promo\/sku/, promotion(null));
        expect(await sent(0)).toMatchObject({ kind: 'stopped', found: { until: null } });
        if (process === 'another one') restart();
        fake.insights.splice(0, 1, row(1));
        fake.on('GET', /promo\/sku/, () => ({ status: 503, body: {} }));
        for (const minutes of [1, 20, 72 * 60])
          expect(await sent(minutes)).toMatchObject({ kind: 'not_sent', why: 'not_told' });
        fake.on('GET', /promo\/sku/, noPromotion);
        expect(await sent(1)).toMatchObject({ kind: 'accepted' });
      },
    );

    test('and ended is looked up by another process too, for two days', async () => {
      const { sent, restart } = sender();
      fake.insights.push(row(1, { currentPrice: 10 }));
      fake.on('GET', /promo\/sku/, promotion(fake.clock.time + 600_000));
      expect(await sent(0)).toMatchObject({ kind: 'stopped' });
      fake.insights.splice(0, 1, row(1));
      // A next one is known to Walmart, and not shown by the insights.
      fake.on('GET', /promo\/sku/, noPromotion);
      expect(await sent(60)).toMatchObject({ kind: 'accepted' });
      restart();
      fake.on('GET', /promo\/sku/, promotion(fake.clock.time + 72 * 3_600_000));
      expect(await sent(60)).toMatchObject({ kind: 'stopped' });
      fake.on('GET', /promo\/sku/, noPromotion);
      restart();
      expect(await sent(60)).toMatchObject({ kind: 'accepted' });
      restart();
      const before = fake.askedOf(/promo/).length;
      expect(await sent(49 * 60)).toMatchObject({ kind: 'accepted' });
      expect(fake.askedOf(/promo/)).toHaveLength(before);
    });
  });

  test('a promotion that ended early counts until then, not until its reported end', async () => {
    const walmart = fake.connect();
    const start = fake.clock.time;
    const outcomeAt = async (minute: number) => {
      fake.clock.time = instant(start + minute * 60_000);
      const order = { ...anOrder(1, 1199), notAfter: instant(fake.clock.time + 20_000) };
      const [outcome] = await walmart.sendPrices(loggedIn(), [order], never);
      return outcome;
    };
    let pricing = [{ effectiveDate: 1_700_000_000_000, expirationDate: start + 30 * 86_400_000 }];
    fake.on('GET', /promo\/sku/, () => ({ body: { payload: { pricingList: { pricing } } } }));
    fake.insights.push(row(1, { buyBoxBasePrice: 12 }));
    expect(await outcomeAt(0)).toMatchObject({ kind: 'stopped' });
    pricing = [];
    expect(await outcomeAt(20)).toMatchObject({ kind: 'not_sent', othersMayGo: true });
    expect(await outcomeAt(81)).toMatchObject({ kind: 'accepted' });
    // Nothing set its price when that was last read.
    fake.insights.splice(0, 1, { ...row(1), currentPrice: 'USD 5' });
    expect(await outcomeAt(100)).toMatchObject({ kind: 'not_sent', retryAfter: 60_000 });
  });

  test('two different rows of one SKU are no answer about it, in whatever order they come', async () => {
    for (const rows of [
      [row(1, REPRICER), row(1)],
      [row(1), row(1, REPRICER)],
    ]) {
      fake.insights.splice(0, fake.insights.length, ...rows, row(2));
      expect(await send(many(2))).toMatchObject([
        { kind: 'not_sent', why: 'not_told' },
        { kind: 'accepted' },
      ]);
    }
    fake.insights.splice(0, fake.insights.length, row(1), row(1), row(2));
    expect(await send(many(2))).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
  });

  test('a box that may still show the price of an ended promotion is waited for, an hour at most', async () => {
    const walmart = fake.connect();
    const outcomeAt = async (minute: number) => {
      fake.clock.time = instant(ends + minute * 60_000);
      const order = { ...anOrder(1, 1199), notAfter: instant(fake.clock.time + 20_000) };
      const [outcome] = await walmart.sendPrices(loggedIn(), [order], never);
      return outcome;
    };
    const ends = fake.clock.time + 600_000;
    const pricing = [{ effectiveDate: 1_700_000_000_000, expirationDate: ends }];
    fake.on('GET', /promo\/sku/, () => ({ body: { payload: { pricingList: { pricing } } } }));
    fake.insights.push(row(1, { buyBoxBasePrice: 12 }));
    expect(await outcomeAt(-5)).toMatchObject({ kind: 'stopped', found: { until: ends } });
    expect(await outcomeAt(30)).toMatchObject({ kind: 'not_sent', othersMayGo: true });
    expect(await outcomeAt(61)).toMatchObject({ kind: 'accepted' });
  });

  test('a price that is none of ours stops it, and its item has to be read', async () => {
    fake.on('GET', /promo\/sku/, () => ({ status: 404 }));
    fake.insights.push(row(1, { currentPrice: 10 }), row(2, { currentPrice: 11 }));
    const former = { ...anOrder(2, 1999), ownPrices: [cents(1_100)] };
    expect(await send([anOrder(1, 1999), former])).toMatchObject([
      { kind: 'stopped', found: { kind: 'other_price', price: 1_000, source: 'list' } },
      { kind: 'accepted' },
    ]);
    // Its item did not show it; a user's price does not wait for the item.
    const ignored = { ...anOrder(1, 1999), ignoredPrices: [cents(1_000)] };
    for (const order of [ignored, { ...anOrder(1, 1999), isUrgent: true }]) {
      expect(await send([order])).toMatchObject([{ kind: 'accepted' }]);
    }
  });

  describe.each([500, 403, 429])('insights that cannot be read (%i)', (status) => {
    const later = (order: PriceOrder) => ({ ...order, notAfter: instant(fake.clock.time + 20_000) });
    const fails = () => fake.on('POST', /getPricingInsights/, () => ({ status, body: {} }));
    const unreported = { kind: 'not_sent', why: 'not_told', othersMayGo: true };
    const raised = (order: PriceOrder) => ({
      ...order,
      isUrgent: true,
      price: cents(order.currentPrice + 100),
    });

    test('and never were: no price goes but a raise that ends a loss, however long that lasts', async () => {
      fails();
      const walmart = fake.connect();
      const [urgent, other, cut] = many(3) as [PriceOrder, PriceOrder, PriceOrder];
      const orders = [raised(urgent), other, { ...cut, isUrgent: true, price: cents(cut.currentPrice - 1) }];
      expect(await walmart.sendPrices(loggedIn(), orders, never)).toMatchObject([
        { kind: 'accepted' },
        unreported,
        unreported,
      ]);
      expect(await walmart.prepareToSend?.(loggedIn(), 300, never)).toBe(false);
      fake.clock.time = instant(fake.clock.time + 16 * 60_000);
      expect(await walmart.sendPrices(loggedIn(), many(1).map(later), never)).toMatchObject([unreported]);
    });

    test('and showed nothing that sets the price: prices wait for a quarter of an hour, urgent ones go (C25)', async () => {
      const walmart = fake.connect();
      fake.insights.push(...many(2).map((_, at) => row(at + 1)));
      await walmart.prepareToSend?.(loggedIn(), 300, never);
      fake.clock.time = instant(fake.clock.time + 16 * 60_000);
      fails();
      const [urgent, other] = many(2).map(later) as [PriceOrder, PriceOrder];
      const waiting = await walmart.sendPrices(loggedIn(), [{ ...urgent, isUrgent: true }, other], never);
      expect(waiting).toMatchObject([{ kind: 'accepted' }, { kind: 'not_sent', retryAfter: 60_000 }]);
      expect(waiting[1]).not.toHaveProperty('why');
      fake.clock.time = instant(fake.clock.time + 16 * 60_000);
      const outcomes = await walmart.sendPrices(loggedIn(), many(2).map(later), never);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
      expect(await walmart.prepareToSend?.(loggedIn(), 300, never)).toBe(true);
    });

    test('and showed a repricer of Walmart: its price goes neither alone nor in a feed', async () => {
      const walmart = fake.connect();
      fake.insights.push(...many(300).map((_, at) => (at === 8 ? row(9, REPRICER) : row(at + 1))));
      await walmart.prepareToSend?.(loggedIn(), 300, never);
      fails();
      for (const minutes of [16, 32]) {
        fake.clock.time = instant(fake.clock.time + minutes * 60_000);
        await walmart.prepareToSend?.(loggedIn(), 300, never);
      }
      const all = many(300).map(later);
      const ninth = all[8] as PriceOrder;
      expect(await walmart.sendPrices(loggedIn(), [raised(ninth)], never)).toMatchObject([unreported]);
      const outcomes = await walmart.sendPrices(loggedIn(), all, never);
      expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toMatchObject([
        { listingId: 9, ...unreported },
      ]);
    });

    test('since the key has no right to that: this is kept for one alert, and each price names it', async () => {
      const of = { ...loggedIn(), findings: memoryFindings({}, fake.clock.now) };
      const right = async () => of.findings.read('walmart_insights');
      const walmart = fake.connect();
      fake.on('POST', /getPricingInsights/, () => ({ status: 403, body: {} }));
      const [first] = many(1).map(later) as [PriceOrder];
      expect(await walmart.sendPrices(of, [first], never)).toMatchObject([
        {
          ...unreported,
          message: expect.stringMatching(/no right to the pricing insights/),
        },
      ]);
      expect(await right()).toEqual({ is: 'lacking' });
      await walmart.prepareToSend?.(of, 300, never);
      fake.on('POST', /getPricingInsights/, () => ({
        body: { pageContext: { totalPages: 1 }, pricingInsightsResponseList: [row(1)] },
      }));
      expect(await walmart.sendPrices(of, [first], never)).toMatchObject([{ kind: 'accepted' }]);
      expect(await right()).toBeNull();
    });

    test('after a restart: what something set when that was last reported gets no price, not even a raise', async () => {
      const of = { ...loggedIn(), findings: memoryFindings() };
      const sendOf = (order: PriceOrder) => fake.connect().sendPrices(of, [later(order)], never);
      const [first, second] = many(2) as [PriceOrder, PriceOrder];
      fake.insights.push(row(1, REPRICER), row(2, REPRICER));
      await sendOf(first);
      await sendOf(second);
      fake.insights.splice(0, 1, row(1));
      await sendOf(first);
      fails();
      expect(await sendOf(raised(first))).toMatchObject([{ kind: 'accepted' }]);
      expect(await sendOf(raised(second))).toMatchObject([unreported]);
    });

    test('after a restart: no price goes into a promotion before its reported end', async () => {
      const of = { ...loggedIn(), findings: memoryFindings() };
      const until = fake.clock.time + 3_600_000;
      fake.on('GET', /promo\/sku/, () => ({
        body: {
          payload: {
            pricingList: { pricing: [{ effectiveDate: 1_700_000_000_000, expirationDate: until }] },
          },
        },
      }));
      fake.insights.push(row(1, { currentPrice: 10 }));
      const send = async () => {
        const walmart = fake.connect();
        await walmart.prepareToSend?.(of, 300, never);
        return walmart.sendPrices(of, [raised(later(anOrder(1, 1999)))], never);
      };
      expect(await send()).toMatchObject([{ kind: 'stopped' }]);
      fails();
      expect(await send()).toMatchObject([unreported]);
      fake.clock.time = instant(until + 1);
      expect(await send()).toMatchObject([{ kind: 'accepted' }]);
    });

    test('are waited for anew after they could be read', async () => {
      const walmart = fake.connect();
      fails();
      await walmart.sendPrices(loggedIn(), many(1), never);
      fake.on('POST', /getPricingInsights/, () => ({
        body: { pageContext: { totalPages: 1 }, pricingInsightsResponseList: [row(1)] },
      }));
      fake.clock.time = instant(fake.clock.time + 16 * 60_000);
      expect(await walmart.sendPrices(loggedIn(), many(1).map(later), never)).toMatchObject([
        { kind: 'accepted' },
      ]);
      fake.on('POST', /getPricingInsights/, () => ({ status, body: {} }));
      expect(await walmart.sendPrices(loggedIn(), many(1).map(later), never)).toMatchObject([
        { kind: 'not_sent' },
      ]);
    });
  });

  describe('a row that cannot be read', () => {
    const odd = (number: number) => row(number, { currentPrice: 'N/A' });
    const at = (minute: number) => (order: PriceOrder) => {
      fake.clock.time = instant(start + minute * 60_000);
      return { ...order, notAfter: instant(fake.clock.time + 20_000) };
    };
    const unreported = { kind: 'not_sent', why: 'not_told', othersMayGo: true };
    let start: number;
    beforeEach(() => {
      start = fake.clock.time;
    });

    test('and never was: its price is not sent, the others are', async () => {
      fake.insights.push(odd(1), row(2));
      expect(await send(many(2))).toMatchObject([unreported, { kind: 'accepted' }]);
    });

    test('and named nothing that sets the price before: it waits for a quarter of an hour', async () => {
      const walmart = fake.connect();
      const one = async (minute: number, isUrgent = false) => {
        const [outcome] = await walmart.sendPrices(
          loggedIn(),
          [at(minute)({ ...anOrder(1, 1999), isUrgent })],
          never,
        );
        return outcome;
      };
      fake.insights.push(row(1));
      expect(await one(0)).toMatchObject({ kind: 'accepted' });
      fake.insights.splice(0, 1, odd(1));
      const waiting = await one(1);
      expect(waiting).toMatchObject({ kind: 'not_sent', retryAfter: 60_000, othersMayGo: true });
      expect(waiting).not.toHaveProperty('why');
      expect(await one(2, true)).toMatchObject({ kind: 'accepted' });
      expect(await one(15)).toMatchObject({ kind: 'not_sent' });
      expect(await one(17)).toMatchObject({ kind: 'accepted' });
      fake.insights.splice(0, 1, row(1, REPRICER));
      expect(await one(18)).toMatchObject({ kind: 'stopped' });
      fake.insights.splice(0, 1, odd(1));
      expect(await one(40)).toMatchObject(unreported);
    });

    test('keeps its price out of a feed; one without a SKU may be any that the scan did not name', async () => {
      const walmart = fake.connect();
      fake.insights.push(...many(300).map((_, index) => (index === 8 ? odd(9) : row(index + 1))));
      const feed = async (minute: number) => {
        const orders = many(300).map(at(minute));
        await walmart.prepareToSend?.(loggedIn(), 300, never);
        const outcomes = await walmart.sendPrices(loggedIn(), orders, never);
        return outcomes.filter(({ kind }) => kind !== 'accepted');
      };
      expect(await feed(0)).toMatchObject([{ listingId: 9, ...unreported }]);
      fake.insights.splice(8, 1);
      expect(await feed(20)).toEqual([]);
      // Requested alone, Walmart says that it has nothing about it.
      fake.insights.push({ currentPrice: 12.5 });
      const before = fake.askedOf(/getPricingInsights/).length;
      expect(await feed(40)).toEqual([]);
      expect(asksAlone(before)).toEqual(['SKU-9']);
      const nameless = { currentPrice: 12.5 };
      fake.on('POST', /getPricingInsights/, ({ text }) => ({
        body: {
          pageContext: { totalPages: 1 },
          pricingInsightsResponseList: text.includes('SKU-9') ? [nameless] : fake.insights,
        },
      }));
      expect(await feed(60)).toMatchObject([{ listingId: 9, kind: 'not_sent' }]);
    });
  });

  test('a feed goes without what Walmart sets since the scan over all insights (C11)', async () => {
    const walmart = fake.connect();
    fake.insights.push(...Array.from({ length: 300 }, (_, at) => row(at + 1)));
    const prepare = () => walmart.prepareToSend?.(loggedIn(), 300, never);
    expect(await prepare()).toBe(true);
    fake.insights[8] = row(9, REPRICER);
    fake.clock.time = instant(fake.clock.time + 16 * 60_000);
    expect(await prepare()).toBe(true);
    const late = many(300).map((order) => ({ ...order, notAfter: instant(fake.clock.time + 20_000) }));
    const outcomes = await walmart.sendPrices(loggedIn(), late, never);
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toMatchObject([
      { listingId: 9, kind: 'stopped' },
    ]);
    const fed = fake.askedOf(/feeds/).flatMap(({ json }) => (json as { MPItem: unknown[] }).MPItem);
    expect(fed).toHaveLength(299);
    // One scan for each feed, and no SKU on its own.
    expect(fake.askedOf(/getPricingInsights/)).toHaveLength(2);
  });

  test.each([
    ['a 404', { status: 404, body: {} }],
    ['an empty page', { body: { pageContext: { totalPages: 4 }, pricingInsightsResponseList: [] } }],
  ])('a scan that is broken off by %s says nothing about what it did not reach', async (_, broken) => {
    const items = Array.from({ length: 60 }, (_, at) => row(at + 1));
    fake.on('POST', /getPricingInsights/, ({ json }) => {
      const { pageNumber, searchCriteria } = json as { pageNumber: number; searchCriteria?: object };
      if (searchCriteria !== undefined) return { status: 500, body: {} };
      const pricingInsightsResponseList = items.slice(pageNumber * 20, pageNumber * 20 + 20);
      return pageNumber < 2
        ? { body: { pageContext: { totalPages: 4 }, pricingInsightsResponseList } }
        : broken;
    });
    const walmart = fake.connect();
    expect(await walmart.prepareToSend?.(loggedIn(), 300, never)).toBe(false);
    const offers = walmart.readOffers?.(
      loggedIn(),
      many(60).map(({ ref }) => ref),
      never,
    );
    await expect(collect(offers)).rejects.toMatchObject({ fault: 'unreadable' });
    const notAfter = instant(fake.clock.time + 60_000);
    const sent = await walmart.sendPrices(
      loggedIn(),
      many(60).map((order) => ({ ...order, notAfter })),
      never,
    );
    expect(sent.flatMap(({ kind, listingId }) => (kind === 'accepted' ? [listingId] : []))).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    expect(
      fake.askedOf(/getPricingInsights/).filter(({ text }) => text.includes('searchCriteria')).length,
    ).toBeLessThan(40);
  });

  describe('a scan of more pages than ten minutes are enough for', () => {
    let pages: number;
    let walmart: ReturnType<FakeWalmart['connect']>;
    const prepare = () => walmart.prepareToSend?.(loggedIn(), 300, never);
    /** Those of these numbers that are not accepted. */
    async function feed(numbers: readonly number[]): Promise<number[]> {
      const notAfter = instant(fake.clock.time + 60_000);
      const orders = numbers.map((number) => ({ ...anOrder(number, 1199), notAfter }));
      const outcomes = await walmart.sendPrices(loggedIn(), orders, never);
      return outcomes.flatMap(({ kind, listingId }) => (kind === 'accepted' ? [] : [listingId]));
    }
    beforeEach(async () => {
      pages = 0;
      fake.on('POST', /getPricingInsights/, ({ json }) => {
        const alone = (json as { searchCriteria?: { searchValue: string } }).searchCriteria;
        if (alone === undefined) pages += 1;
        const rows = [alone === undefined ? row(pages) : { ...row(0), sku: alone.searchValue }];
        return { body: { pageContext: { totalPages: 1_500 }, pricingInsightsResponseList: rows } };
      });
      walmart = fake.connect();
      const start = fake.clock.time;
      let turns = 1;
      while ((await prepare()) === false) turns += 1;
      const took = fake.clock.time - start;
      expect(took).toBeGreaterThan(10 * 60_000);
      expect(took).toBeLessThan(11 * 60_000);
      expect(turns).toBeGreaterThan(50);
    });

    test('is no whole one: what it did not reach is asked alone, as far as that is quick, and else not read', async () => {
      const seen = many(300).map(({ ref }) => ref.listingId);
      const unseen = Array.from({ length: 25 }, (_, at) => 1_400 + at);
      const before = fake.askedOf(/getPricingInsights/).length;
      expect(await feed([...seen, ...unseen])).toEqual(unseen.slice(20));
      expect(asksAlone(before)).toEqual(unseen.slice(0, 20).map((number) => `SKU-${number}`));
    });

    test('goes on, and prices go as their SKUs come up', async () => {
      const reached = pages;
      for (let turn = 0; turn < 500 && pages < 1_499; turn++) expect(await prepare()).toBe(true);
      expect(reached).toBeLessThan(1_000);
      const late = Array.from({ length: 25 }, (_, at) => 1_400 + at);
      const before = fake.askedOf(/getPricingInsights/).length;
      expect(await feed(late)).toEqual([]);
      expect(asksAlone(before)).toEqual([]);
    });

    test('begins anew where it was left for longer than what it read is fresh', async () => {
      const before = fake.askedOf(/getPricingInsights/).length;
      await prepare();
      fake.clock.time = instant(fake.clock.time + 16 * 60_000);
      await prepare();
      const requested = fake.askedOf(/getPricingInsights/).slice(before);
      const numbers = requested.map(({ json }) => (json as { pageNumber: number }).pageNumber);
      expect(numbers[0]).toBeGreaterThan(100);
      expect(numbers.filter((number) => number === 0)).toHaveLength(1);
    });
  });
});

describe('prices read back', () => {
  const read = (sent: Parameters<ReturnType<FakeWalmart['connect']>['readPrices']>[1]) =>
    fake.connect().readPrices(loggedIn(), sent, never);

  test('are those of the items; removed ones are missing', async () => {
    fake.items.push(
      anItem(1, { sku: 'A/1 b' }),
      anItem(3, { price: { currency: 'CAD', amount: 9 } }),
      anItem(4, { price: null }),
    );
    const sent = [aSent(1, 1250, null, { sku: 'A/1 b' }), aSent(2, 100), aSent(3, 900), aSent(4, 900)];
    expect(await read(sent)).toEqual([
      { listingId: 1, kind: 'price', price: 1250, source: 'item', refusal: null },
      { listingId: 2, kind: 'missing' },
      { listingId: 3, kind: 'unreadable', message: 'Walmart shows a price in CAD.' },
      { listingId: 4, kind: 'unreadable', message: 'Walmart shows no price for this SKU.' },
    ]);
    expect(fake.askedOf(/items/)[0]?.path).toBe('/v3/items/A%2F1%20b?productIdType=SKU');
  });

  test('are looked up in the list before a listing counts as missing', async () => {
    fake.items.push(anItem(1));
    fake.on('GET', /productIdType/, () => ({ status: 404, body: { message: 'no such address' } }));
    expect(await read([aSent(1, 1250), aSent(2, 100)])).toEqual([
      { listingId: 1, kind: 'price', price: 1250, source: 'list', refusal: null },
      { listingId: 2, kind: 'missing' },
    ]);
  });

  test('are requested four at a time', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    fake.on('GET', /productIdType/, ({ path }) => (response) => {
      const sku = /items\/([^?]+)/.exec(path)?.[1] ?? '';
      waiting.push(() => response.end(JSON.stringify({ ItemResponse: [anItem(1, { sku })] })));
      most = Math.max(most, waiting.length);
      // The ninth comes alone.
      if (waiting.length === 4 || sku === 'SKU-9') for (const respond of waiting.splice(0)) respond();
    });
    const readings = await read(Array.from({ length: 9 }, (_, at) => aSent(at + 1, 1250)));
    expect(readings.map(({ listingId, kind }) => [listingId, kind])).toEqual(
      Array.from({ length: 9 }, (_, at) => [at + 1, 'price']),
    );
    expect(most).toBe(4);
  });

  test('come with the result of their feed', async () => {
    fake.items.push(anItem(1), anItem(2), anItem(3));
    const row = (sku: string, ingestionStatus: string, description?: string) => ({
      sku,
      ingestionStatus,
      ingestionErrors: {
        ingestionError: description ? [{ type: 'DATA_ERROR', code: 'E1', description }] : [],
      },
    });
    const itemIngestionStatus = [
      row('SKU-1', 'SUCCESS'),
      row('SKU-2', 'DATA_ERROR', 'Below minimum.'),
      row('SKU-3', 'INPROGRESS'),
    ];
    fake.on('GET', /^\/v3\/feeds\//, () => ({
      body: { feedStatus: 'PROCESSED', itemsReceived: 3, itemDetails: { itemIngestionStatus } },
    }));
    expect(await read([1, 2, 3].map((id) => aSent(id, 1999, 'F@1')))).toMatchObject([
      { refusal: null },
      { refusal: { kind: 'rejected', message: 'Walmart rejected the price: Below minimum.', code: 'E1' } },
      { refusal: null },
    ]);
    expect(fake.askedOf(/feeds/).map(({ path }) => path)).toEqual([
      '/v3/feeds/F%401?includeDetails=true&offset=0&limit=50',
    ]);
  });

  describe('of a feed of many', () => {
    const COUNT = 120;
    let feedStatus: string;
    const asked = () => fake.askedOf(/feeds/).length;
    const sent = [aSent(1, 1999, 'F@1'), aSent(COUNT, 1999, 'F@1')];
    beforeEach(() => {
      feedStatus = 'PROCESSED';
      fake.items.push(anItem(1), anItem(COUNT));
      fake.on('GET', /^\/v3\/feeds\//, ({ query }) => {
        const from = Number(query.get('offset'));
        const itemIngestionStatus = Array.from({ length: Math.min(50, COUNT - from) }, (_, at) => ({
          sku: `SKU-${from + at + 1}`,
          ingestionStatus: from + at + 1 === COUNT ? 'DATA_ERROR' : 'SUCCESS',
        }));
        return { body: { feedStatus, itemsReceived: COUNT, itemDetails: { itemIngestionStatus } } };
      });
    });

    test.each(['RECEIVED', 'INPROGRESS'])(
      'that is %s nothing is said of a single price yet',
      async (status) => {
        feedStatus = status;
        expect(await read(sent)).toMatchObject([{ refusal: null }, { refusal: null }]);
        expect(asked()).toBe(1);
      },
    );

    test.each(['PROCESSED', 'PARTIAL'])('that is %s each is said', async (status) => {
      feedStatus = status;
      expect(await read(sent)).toMatchObject([{ refusal: null }, { refusal: { kind: 'rejected' } }]);
      expect(asked()).toBe(3);
    });

    test('that is done but for one of its prices are read again', async () => {
      const first = { sku: 'SKU-1', ingestionStatus: 'INPROGRESS' };
      fake.on('GET', /^\/v3\/feeds\//, () => ({
        body: { feedStatus, itemsReceived: 1, itemDetails: { itemIngestionStatus: [first] } },
      }));
      const walmart = fake.connect();
      const look = () => walmart.readPrices(loggedIn(), [aSent(1, 1999, 'F@1')], never);
      expect(await look()).toMatchObject([{ refusal: null }]);
      first.ingestionStatus = 'DATA_ERROR';
      expect(await look()).toMatchObject([{ refusal: { kind: 'rejected' } }]);
    });

    test('that is done are read once', async () => {
      const walmart = fake.connect();
      for (let look = 0; look < 3; look++)
        expect(await walmart.readPrices(loggedIn(), sent, never)).toMatchObject([
          { refusal: null },
          { refusal: { kind: 'rejected' } },
        ]);
      expect(asked()).toBe(3);
    });
  });

  test.each(['SYSTEM_ERROR', 'TIMEOUT_ERROR'])(
    '%s is a failure of the order, and no refusal',
    async (status) => {
      fake.items.push(anItem(1));
      const itemIngestionStatus = [{ sku: 'SKU-1', ingestionStatus: status }];
      fake.on('GET', /^\/v3\/feeds\//, () => ({
        body: { feedStatus: 'PROCESSED', itemsReceived: 1, itemDetails: { itemIngestionStatus } },
      }));
      expect(await read([aSent(1, 1999, 'F@1')])).toEqual([
        {
          listingId: 1,
          kind: 'price',
          price: 1250,
          source: 'item',
          refusal: null,
          failure: `Walmart had an internal error with the price (${status}).`,
        },
      ]);
    },
  );

  test('that Walmart will take later are no refusals', async () => {
    fake.items.push(anItem(1), anItem(2));
    const row = (sku: string, code: string, description: string) => ({
      sku,
      ingestionStatus: 'DATA_ERROR',
      ingestionErrors: { ingestionError: [{ type: 'DATA_ERROR', code, description }] },
    });
    const itemIngestionStatus = [
      row('SKU-1', 'REQUEST_THRESHOLD_VIOLATED.GMP_GATEWAY_API', 'Too many.'),
      row('SKU-2', 'E2', 'The item is not set up yet.'),
    ];
    fake.on('GET', /^\/v3\/feeds\//, () => ({
      body: { feedStatus: 'PROCESSED', itemsReceived: 2, itemDetails: { itemIngestionStatus } },
    }));
    expect(await read([1, 2].map((id) => aSent(id, 1999, 'F@1')))).toMatchObject([
      { refusal: null, failure: 'Walmart rejected the price: Too many.' },
      { refusal: { kind: 'not_sent', why: 'too_new', until: null } },
    ]);
  });

  test('of a feed that failed as a whole all fail; a deleted feed has no results', async () => {
    fake.items.push(anItem(1), anItem(2));
    const ingestionErrors = { ingestionError: [{ code: 'BAD_HEAD' }] };
    fake.on('GET', /^\/v3\/feeds\/BAD/, () => ({
      body: { feedStatus: 'ERROR', itemsReceived: 0, ingestionErrors },
    }));
    fake.on('GET', /^\/v3\/feeds\/OLD/, () => ({ status: 404, body: {} }));
    expect(await read([aSent(1, 1999, 'BAD'), aSent(2, 1999, 'OLD')])).toMatchObject([
      {
        refusal: { kind: 'rejected', message: 'Walmart rejected the price: BAD_HEAD', code: 'feed:BAD_HEAD' },
      },
      { refusal: null },
    ]);
  });

  test.each(['SYSTEM_ERROR', 'TIMEOUT_ERROR'])(
    'of a feed that failed by a %s of Walmart were not refused; what it took was taken',
    async (type) => {
      fake.items.push(anItem(1), anItem(2));
      fake.on('GET', /^\/v3\/feeds\//, () => ({
        body: {
          feedStatus: 'ERROR',
          itemsReceived: 2,
          ingestionErrors: { ingestionError: [{ type, code: 'E9', description: 'Down.' }] },
          itemDetails: { itemIngestionStatus: [{ sku: 'SKU-1', ingestionStatus: 'SUCCESS' }] },
        },
      }));
      const [taken, failed] = await read([1, 2].map((id) => aSent(id, 1999, 'F@1')));
      expect(taken).toMatchObject({ refusal: null });
      expect(taken).not.toHaveProperty('failure');
      expect(failed).toMatchObject({ refusal: null, failure: expect.stringContaining('Down.') });
    },
  );

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.items.push(anItem(1));
    fake.faults.push(fault());
    const result = read([aSent(1, 1250)]);
    if (reading === 'passes') expect(await result).toMatchObject([{ kind: 'price', price: 1250 }]);
    else if (reading === 'refused' || reading === 'unreadable')
      expect(await result).toMatchObject([{ listingId: 1, kind: 'unreadable' }]);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });

  test.each(NO_PRICES)('%j is not a price, and stops no other', async (amount) => {
    fake.items.push(anItem(1, { price: { currency: 'USD', amount } }), anItem(2));
    expect(await read([aSent(1, 1250), aSent(2, 1250)])).toMatchObject([
      { listingId: 1, kind: 'unreadable' },
      { listingId: 2, kind: 'price', price: 1250 },
    ]);
  });

  test('are unknown where their feed cannot be read, and only those', async () => {
    fake.items.push(anItem(1), anItem(2));
    fake.on('GET', /^\/v3\/feeds\/ODD/, () => ({ body: { feedStatus: 7 } }));
    expect(await read([aSent(1, 1999, 'ODD'), aSent(2, 1250)])).toMatchObject([
      { listingId: 1, kind: 'unreadable' },
      { listingId: 2, kind: 'price', price: 1250 },
    ]);
  });

  test.each([
    ['another SKU', [{ sku: 'SKU-10', price: { currency: 'USD', amount: 12 } }]],
    [
      'two items of the SKU',
      [12, 13].map((amount) => ({ sku: 'SKU-1', price: { currency: 'USD', amount } })),
    ],
  ])('are not those of %s', async (_what, ItemResponse) => {
    fake.items.push(anItem(2));
    fake.on('GET', /^\/v3\/items\/SKU-1\?/, () => ({ body: { ItemResponse } }));
    expect(await read([aSent(1, 1250), aSent(2, 1250)])).toMatchObject([
      { listingId: 1, kind: 'unreadable' },
      { listingId: 2, kind: 'price', price: 1250 },
    ]);
  });
});
