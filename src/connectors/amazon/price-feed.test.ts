import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder, SendOutcome, SentPrice } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import {
  amazonAccount,
  amazonItem,
  amazonOffer,
  amazonRef,
  type FakeAmazon,
  OUR_SELLER,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import type { Asked } from '#tests/support/fake-service.ts';

const MANY = 1_500;

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
  const { service } = fake;
  service.on('GET', /^\/listings/, (requested) => ({ body: itemsFor(requested) }));
  service.on('POST', /^\/feeds\/2021-06-30\/documents$/, () => ({
    status: 201,
    body: { feedDocumentId: 'doc-1', url: `${service.url}/upload/1?signed=yes` },
  }));
  service.on('PUT', /^\/upload\/1/, () => ({ body: '' }));
  service.on('POST', /^\/feeds\/2021-06-30\/feeds$/, () => ({ status: 202, body: { feedId: 'feed-9' } }));
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const created = () =>
  fake.service.asked.filter(({ method, path }) => method === 'POST' && /feeds$/.test(path));
const uploaded = () => fake.service.asked.find(({ method }) => method === 'PUT');

/** The SKUs of the search that are ours; or the one that is requested. */
function itemsFor({ path, query }: Asked): unknown {
  const one = /items\/A2OURSELLER\/SKU-(\d+)/.exec(path);
  if (one !== null) return amazonItem(Number(one[1]));
  const numbers = (query.get('identifiers') ?? '').split(',').map((sku) => Number(sku.slice(4)));
  return { numberOfResults: numbers.length, items: numbers.map((number) => amazonItem(number)) };
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

const orders = (given: Partial<PriceOrder> = {}, count = MANY) =>
  Array.from({ length: count }, (_, at) => order(at + 1, given));
const send = (of: readonly PriceOrder[] = orders()): Promise<readonly SendOutcome[]> =>
  fake.amazon.sendPrices(amazonAccount(), of, never);
const kindsOf = (outcomes: readonly SendOutcome[]) => new Set(outcomes.map(({ kind }) => kind));

describe('many prices', () => {
  test('skip what the search shows with another price: its item is read first', async () => {
    const edited = (number: number) => ({
      offers: [
        {
          marketplaceId: US,
          offerType: 'B2C',
          price: { currencyCode: 'USD', amount: number === 3 ? '19.00' : '31.00' },
        },
      ],
    });
    fake.service.on('GET', /^\/listings/, ({ query }) => {
      const numbers = (query.get('identifiers') ?? '').split(',').map((sku) => Number(sku.slice(4)));
      return {
        body: {
          numberOfResults: numbers.length,
          items: numbers.map((number) => amazonItem(number, edited(number))),
        },
      };
    });
    const outcomes = await send();
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toMatchObject([
      { listingId: 3, kind: 'stopped', found: { kind: 'other_price', price: 1_900, source: 'list' } },
    ]);
    const { messages } = (uploaded()?.json ?? {}) as { messages: { sku: string }[] };
    expect(messages).toHaveLength(MANY - 1);
    expect(messages.some(({ sku }) => sku === 'SKU-3')).toBe(false);
  });

  test('are sent as one document, and its ID is the receipt', async () => {
    const outcomes = await send();
    expect(outcomes).toHaveLength(MANY);
    expect(outcomes[1_499]).toEqual({ listingId: 1_500, kind: 'accepted', receipt: 'feed-9' });
    expect(kindsOf(outcomes)).toEqual(new Set(['accepted']));
    expect(created().map(({ json }) => json)).toEqual([
      { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [US], inputFeedDocumentId: 'doc-1' },
    ]);
    const document = uploaded();
    expect(document?.headers).toMatchObject({ 'content-type': 'application/json; charset=UTF-8' });
    expect(document?.headers).not.toHaveProperty('x-amz-access-token');
    expect(document?.text).toContain('{"value_with_tax":29.90}');
    const { header, messages } = (document?.json ?? {}) as { header: unknown; messages: unknown[] };
    expect(header).toEqual({ sellerId: OUR_SELLER, version: '2.0', issueLocale: 'en_US' });
    expect(messages).toHaveLength(MANY);
    expect(messages[6]).toEqual({
      messageId: 7,
      sku: 'SKU-7',
      operationType: 'PATCH',
      productType: 'KETTLE',
      patches: [{ op: 'merge', path: '/attributes/purchasable_offer', value: [amazonOffer('29.90')] }],
    });
  });

  test('are read twenty at a time before', async () => {
    await send();
    expect(fake.calls(/^\/listings/)).toHaveLength(75);
    expect(fake.service.asked.some(({ method }) => method === 'PATCH')).toBe(false);
  });

  test('are batched up to what can be read; fewer use single calls, as do all once the feed quota is used up', async () => {
    const { amazon } = fake;
    expect([600, 999, 2_000].map((waiting) => amazon.pricesAtOnce?.(waiting, 0))).toEqual([600, 999, 1_000]);
    expect([1, 40, 41, 599].map((waiting) => amazon.pricesAtOnce?.(waiting, 0))).toEqual([1, 40, 40, 40]);
    await amazon.sendPrices(amazonAccount(), orders({ notAfter: instant(fake.now() - 1) }, 40), never);
    expect(fake.calls(/identifiers/)).toEqual([]);
    for (let feed = 0; feed < 4; feed++) await send(orders({}, 41));
    expect(created()).toHaveLength(4);
    expect(amazon.pricesAtOnce?.(2_000, 0)).toBe(40);
    fake.pass(150_000);
    expect(amazon.pricesAtOnce?.(2_000, 0)).toBe(1_000);
  });

  test('without feed quota may use single calls immediately', async () => {
    fake.service.on('POST', /feeds$/, () => ({
      status: 429,
      headers: { 'retry-after': '900' },
      body: { errors: [] },
    }));
    const [outcome] = await send();
    expect(outcome).toMatchObject({ kind: 'not_sent', retryAfter: null, othersMayGo: true });
    expect(fake.amazon.pricesAtOnce?.(2_000, 0)).toBe(40);
  });

  test('that cannot all be read in time are sent as far as they were read, from the first one on', async () => {
    // Four are requested at a time here: each of them takes two seconds.
    fake.service.on('GET', /identifiers/, (requested) => {
      fake.pass(500);
      return { body: itemsFor(requested) };
    });
    const outcomes = await send(orders({ notAfter: instant(fake.now() + 20_000) }, 1_000));
    const taken = outcomes.filter(({ kind }) => kind === 'accepted').map(({ listingId }) => listingId);
    expect(taken.length).toBeGreaterThan(400);
    expect(taken).toEqual(Array.from({ length: taken.length }, (_, at) => at + 1));
    expect(outcomes.at(-1)).toMatchObject({ kind: 'not_sent', retryAfter: null, othersMayGo: true });
    expect(created()).toHaveLength(1);
  });

  test('do not wait for one response that never comes', async () => {
    fake.service.on('GET', /identifiers=SKU-1,/, () => () => undefined);
    const outcomes = await send(orders({ notAfter: instant(fake.now() + 8_000) }, 100));
    expect(outcomes[0]).toMatchObject({ kind: 'not_sent', othersMayGo: true });
    expect(outcomes[99]).toMatchObject({ kind: 'accepted' });
  });

  test('that the search does not find are requested one by one; those not found are asked for again', async () => {
    fake.service.on('GET', /identifiers/, (requested) => {
      const { items } = itemsFor(requested) as { items: { sku: string }[] };
      const found = items.filter(({ sku }) => sku !== 'SKU-3' && sku !== 'SKU-4');
      return { body: { numberOfResults: found.length, items: found } };
    });
    fake.service.on('GET', /items\/A2OURSELLER\/SKU-4\?/, () => ({
      status: 404,
      body: { errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] },
    }));
    const outcomes = await send();
    expect(outcomes[2]).toMatchObject({ listingId: 3, kind: 'accepted' });
    expect(outcomes[3]).toMatchObject({ listingId: 4, kind: 'not_sent', why: 'not_found' });
  });

  test('with a comma in the SKU are not searched for, because commas separate SKUs there', async () => {
    fake.service.on('GET', /items\/A2OURSELLER\/a%2Cb\?/, () => ({ body: amazonItem(1, { sku: 'a,b' }) }));
    const all = [order(9_001, { ref: amazonRef(9_001, { sku: 'a,b' }) }), ...orders()];
    expect(await send(all)).toContainEqual({ listingId: 9_001, kind: 'accepted', receipt: 'feed-9' });
    expect(fake.calls(/identifiers=.*a%2Cb/)).toEqual([]);
  });

  test('that are too late are skipped, and the others are sent', async () => {
    const late = order(9_001, { notAfter: instant(fake.now() + 1) });
    const outcomes = await send([late, ...orders()]);
    expect(outcomes[0]).toMatchObject({ listingId: 9_001, kind: 'not_sent' });
    expect(outcomes[1]).toMatchObject({ listingId: 1, kind: 'accepted' });
  });

  test('whose listings cannot be read are not sent, and the others are', async () => {
    fake.service.on('GET', /identifiers=SKU-1,/, () => ({ body: { items: 'none' } }));
    const outcomes = await send();
    expect(outcomes.slice(0, 21).map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 20 }, () => 'not_sent'),
      'accepted',
    ]);
  });

  test('whose listings Amazon refuses to show were not refused', async () => {
    fake.service.on('GET', /identifiers=/, (requested) =>
      requested.path.includes('SKU-7')
        ? { status: 400, body: { errors: [{ code: 'InvalidInput', message: 'Not now.' }] } }
        : { body: itemsFor(requested) },
    );
    expect(kindsOf(await send(orders({}, 41)))).toEqual(new Set(['not_sent', 'accepted']));
  });

  test('of a refused account make only a few calls', async () => {
    fake.service.on('GET', /^\/listings/, () => ({ status: 403, body: { errors: [] } }));
    expect(kindsOf(await send())).toEqual(new Set(['not_sent']));
    expect(fake.calls(/^\/listings/).length).toBeLessThan(9);
  });
});

describe('a document of prices', () => {
  test.each([
    ['has no place', 'POST', /documents$/],
    ['cannot be stored', 'PUT', /upload/],
  ])('that %s is not sent', async (_, method, path) => {
    fake.service.on(method, path, () => ({ status: 403, body: { errors: [] } }));
    expect(kindsOf(await send())).toEqual(new Set(['not_sent']));
    expect(created()).toEqual([]);
  });

  test('is never uploaded to another service', async () => {
    fake.service.on('POST', /documents$/, () => ({
      body: { feedDocumentId: 'doc-1', url: 'https://evil.example/upload' },
    }));
    expect(kindsOf(await send())).toEqual(new Set(['not_sent']));
    expect(created()).toEqual([]);
  });

  test.each([
    ['fails with 500', { status: 500, body: '' }],
    ['is answered without a number', { status: 202, body: {} }],
    ['is answered with garbage', { status: 202, body: 'thanks' }],
  ])('whose start %s may have acted: all are unknown, and it is not started again', async (_, answer) => {
    fake.service.on('POST', /feeds$/, () => answer);
    expect(kindsOf(await send())).toEqual(new Set(['unknown']));
    expect(created()).toHaveLength(1);
  });

  test('is sent by the deadline of the first of its prices', async () => {
    const busy = { status: 429, headers: { 'retry-after': '29' }, body: { errors: [] } };
    let times = 3;
    fake.service.on('POST', /documents$/, () => {
      times -= 1;
      if (times >= 0) return busy;
      return { body: { feedDocumentId: 'doc-1', url: `${fake.service.url}/upload/1` } };
    });
    const first = order(9_001, { notAfter: instant(fake.now() + 90_000) });
    expect(kindsOf(await send([first, ...orders()]))).toEqual(new Set(['not_sent']));
    expect(uploaded()).toBeDefined();
    expect(created()).toEqual([]);
  });

  test.each([400, 403])('whose start is refused (%i) says nothing about the prices in it', async (status) => {
    fake.service.on('POST', /feeds$/, () => ({ status, body: { errors: [] } }));
    expect(kindsOf(await send())).toEqual(new Set(['not_sent']));
  });
});

describe('the result of a feed', () => {
  const report = (issues: unknown) => ({ header: {}, issues, summary: {} });
  const refused = { severity: 'ERROR', code: '90220', message: 'Above your maximum.', sku: 'SKU-2' };
  const SECOND = { kind: 'rejected', message: 'Above your maximum.', code: '90220' };

  function feedIs(feed: Record<string, unknown>, document?: { text: Buffer | string; isPacked?: boolean }) {
    const { service } = fake;
    service.on('GET', /^\/feeds\/2021-06-30\/feeds\/feed-9$/, () => ({
      body: { feedId: 'feed-9', feedType: 'JSON_LISTINGS_FEED', createdTime: 'x', ...feed },
    }));
    const packed = document?.isPacked ? { compressionAlgorithm: 'GZIP' } : {};
    service.on('GET', /^\/feeds\/2021-06-30\/documents\/result-9$/, () => ({
      body: { feedDocumentId: 'result-9', url: `${service.url}/result`, ...packed },
    }));
    service.on('GET', /^\/result$/, () => (response) => void response.end(document?.text));
  }

  test('is read by its ID, even if an earlier issue was recorded with it', async () => {
    const issues = [
      { code: '90', message: 'Below.', severity: 'ERROR', attributeNames: ['purchasable_offer'] },
    ];
    fake.service.on('GET', /identifiers/, (requested) => {
      const { items } = itemsFor(requested) as { items: object[] };
      return { body: { numberOfResults: items.length, items: items.map((item) => ({ ...item, issues })) } };
    });
    const [outcome] = await send(orders({}, 41));
    const receipt = outcome?.kind === 'accepted' ? outcome.receipt : null;
    expect(receipt).toMatch(/^feed-9 before:[0-9a-f]{16}$/);
    fake.service.on('GET', /SKU-1\?/, () => ({ body: amazonItem(1, { issues }) }));
    feedIs({ processingStatus: 'IN_QUEUE' });
    const sent = { ref: amazonRef(1), price: cents(2_990), receipt, sentAt: fake.now(), isLastLook: false };
    expect(await fake.amazon.readPrices(amazonAccount(), [sent], never)).toMatchObject([{ refusal: null }]);
    expect(fake.calls(/feeds\/feed-9$/)).toHaveLength(1);
  });

  async function refusals() {
    const sent = [1, 2, 3].map(
      (number): SentPrice => ({
        ref: amazonRef(number),
        price: cents(2_990),
        receipt: 'feed-9',
        sentAt: fake.now(),
        isLastLook: false,
      }),
    );
    const readings = await fake.amazon.readPrices(amazonAccount(), sent, never);
    return readings.map((reading) =>
      reading.kind === 'price' ? (reading.failure ?? reading.refusal) : reading.kind,
    );
  }

  test.each([false, true])('is read per SKU from its result; compressed: %s', async (isPacked) => {
    const issues = [refused, { severity: 'WARNING', message: 'Mind the title.', sku: 'SKU-3' }];
    const text = JSON.stringify(report(issues));
    feedIs(
      { processingStatus: 'DONE', resultFeedDocumentId: 'result-9' },
      { text: isPacked ? gzipSync(text) : text, isPacked },
    );
    expect(await refusals()).toEqual([null, SECOND, null]);
    expect(fake.calls(/^\/feeds/)).toHaveLength(2);
  });

  test('is fetched once for all prices that are read back after it', async () => {
    feedIs({ processingStatus: 'IN_QUEUE' });
    expect(await refusals()).toEqual([null, null, null]);
    feedIs(
      { processingStatus: 'DONE', resultFeedDocumentId: 'result-9' },
      { text: JSON.stringify(report([refused])) },
    );
    for (let time = 1; time <= 20; time++) expect(await refusals()).toEqual([null, SECOND, null]);
    expect(fake.calls(/documents/)).toHaveLength(1);
  });

  test('that failed as a whole refused none of its prices: they go again', async () => {
    feedIs({ processingStatus: 'FATAL' });
    expect(await refusals()).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/FATAL/)));
  });

  test('with an error about the document refused only what it names', async () => {
    const issues = [{ severity: 'ERROR', message: 'Not a document.' }, refused];
    feedIs(
      { processingStatus: 'DONE', resultFeedDocumentId: 'result-9' },
      { text: JSON.stringify(report(issues)) },
    );
    expect(await refusals()).toEqual(['Not a document.', SECOND, 'Not a document.']);
  });

  test.each([
    ['is in the queue', { processingStatus: 'IN_QUEUE' }, undefined],
    ['has a result that is garbage', { processingStatus: 'DONE' }, { text: '<html>' }],
    ['has a result that is packed wrongly', { processingStatus: 'DONE' }, { text: 'x', isPacked: true }],
  ])('that %s says nothing', async (_, feed, document) => {
    feedIs({ ...feed, resultFeedDocumentId: 'result-9' }, document);
    expect(await refusals()).toEqual([null, null, null]);
  });
});
