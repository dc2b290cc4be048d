import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceReading } from '#connectors/connector.ts';
import { instant } from '#domain/units.ts';
import { anAccount, aSent, never } from '#tests/support/connector-fixture.ts';
import { anItem, type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

/** The price of the feeds, in cents, and what an item shows that does not have it yet, or has it. */
const SENT = 1_999;
const BEFORE = 12.5;
const ARRIVED = 19.99;

let fake: FakeWalmart;
let walmart: ReturnType<FakeWalmart['connect']>;
/** What ends the call that is under way, and when, on the clock of the test. */
let limit: { readonly ends: AbortController; readonly at: number } | null;
beforeEach(async () => {
  fake = await startFakeWalmart();
  walmart = fake.connect();
  limit = null;
});
afterEach(() => fake.close());

/** Milliseconds that a request takes. */
function takes(milliseconds: number): void {
  fake.clock.time = instant(fake.clock.time + milliseconds);
  if (limit !== null && fake.clock.time >= limit.at) limit.ends.abort();
}

interface Feed {
  feedStatus: string;
  count: number;
  /** Statuses other than SUCCESS, by the number of the SKU. */
  readonly odd: Map<number, string>;
  /** Instead of the page with this offset. */
  readonly brokenPages: Map<number, unknown>;
}

/** A feed of SKU-1 to SKU-n, whose pages have up to 50 results and take a time each. */
function serveFeed(id: string, count: number, pageTakes = 0): Feed {
  const feed: Feed = { feedStatus: 'PROCESSED', count, odd: new Map(), brokenPages: new Map() };
  fake.on('GET', new RegExp(`^/v3/feeds/${id}\\?`), ({ query }) => {
    takes(pageTakes);
    const from = Number(query.get('offset'));
    const broken = feed.brokenPages.get(from);
    if (broken !== undefined) return { body: broken };
    const itemIngestionStatus = numbers(from + 1, Math.max(0, Math.min(50, feed.count - from))).map(
      (number) => ({
        sku: `SKU-${number}`,
        ingestionStatus: feed.odd.get(number) ?? 'SUCCESS',
      }),
    );
    const { feedStatus } = feed;
    return { body: { feedStatus, itemsReceived: feed.count, itemDetails: { itemIngestionStatus } } };
  });
  return feed;
}

/** Items show the price before; those of these numbers the one of the feed. */
function serveItems(itemTakes = 0, arrived: ReadonlySet<number> = new Set()): void {
  fake.on('GET', /^\/v3\/items\/SKU-\d+\?/, ({ path }) => {
    takes(itemTakes);
    const number = Number(/SKU-(\d+)/.exec(path)?.[1]);
    const price = { currency: 'USD', amount: arrived.has(number) ? ARRIVED : BEFORE };
    return { body: { ItemResponse: [anItem(number, { price })] } };
  });
}

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}

function read(some: readonly number[], feed = 'F1', signal = never): Promise<readonly PriceReading[]> {
  const obtainedAt = fake.clock.time;
  const expiresAt = instant(obtainedAt + 86_400_000);
  const account = anAccount({ ...WALMART_PAIR }, { access: { value: 'token-0', obtainedAt, expiresAt } });
  return walmart.readPrices(
    account,
    some.map((number) => aSent(number, SENT, feed)),
    signal,
  );
}

/** The same, aborted after 50 seconds. @returns also the seconds it took */
async function readInTime(some: readonly number[], feed = 'F1') {
  const startedAt = fake.clock.time;
  limit = { ends: new AbortController(), at: startedAt + 50_000 };
  const readings = await read(some, feed, limit.ends.signal);
  limit = null;
  return { readings, seconds: (fake.clock.time - startedAt) / 1_000 };
}

/** The offsets of the requested pages of a feed. */
const pages = (feed = 'F1') =>
  fake.askedOf(new RegExp(`/feeds/${feed}\\?`)).map(({ query }) => Number(query.get('offset')));
const refused = (readings: readonly PriceReading[]) =>
  readings.flatMap((one) => (one.kind === 'price' && one.refusal !== null ? [one.listingId] : []));
const unread = (readings: readonly PriceReading[]) =>
  readings.flatMap(({ kind, listingId }) => (kind === 'unreadable' ? [listingId] : []));

describe('a feed of 5,000 whose pages take 600 ms each', () => {
  test('is read over several calls, each of which leaves time for the sender, and then never again', async () => {
    serveItems(300);
    const feed = serveFeed('F1', 5_000, 600);
    feed.odd.set(4_999, 'DATA_ERROR');
    let left = numbers(4_951, 50);
    let calls = 0;
    while (left.length > 0 && calls < 20) {
      const { readings, seconds } = await readInTime(left);
      calls += 1;
      expect(seconds).toBeLessThan(30);
      left = unread(readings);
      if (left.length === 0) expect(refused(readings)).toEqual([4_999]);
    }
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThan(10);
    expect(pages()).toEqual(numbers(0, 100).map((page) => page * 50));
    const { readings } = await readInTime(numbers(51, 50));
    expect([unread(readings), refused(readings), pages().length]).toEqual([[], [], 100]);
  });

  test('keeps what it read until the call was aborted', async () => {
    serveItems();
    const feed = serveFeed('F1', 5_000, 600);
    feed.odd.set(5_000, 'DATA_ERROR');
    for (let call = 0; call < 50; call++) {
      limit = { ends: new AbortController(), at: fake.clock.time + 3_000 };
      const [first, last] = await read([1, 5_000], 'F1', limit.ends.signal);
      limit = null;
      if (last?.kind === 'unreadable') continue;
      expect(last).toMatchObject({ refusal: { kind: 'rejected' } });
      expect(first).toMatchObject({ kind: 'price', refusal: null });
      expect(call).toBeGreaterThan(10);
      return;
    }
    expect.unreachable('It never finishes.');
  });
});

test('a price that its item shows needs no result', async () => {
  serveItems(0, new Set([1, 2]));
  const feed = serveFeed('F1', 3);
  expect(await read([1, 2])).toMatchObject([
    { kind: 'price', price: SENT, source: 'item', refusal: null },
    { kind: 'price', price: SENT },
  ]);
  expect(pages()).toEqual([]);
  feed.odd.set(3, 'DATA_ERROR');
  expect(refused(await read([1, 2, 3]))).toEqual([3]);
  expect(pages()).toEqual([0]);
});

test('a price that only the list of items shows may be from before: its result is read', async () => {
  fake.items.push(anItem(1, { price: { currency: 'USD', amount: ARRIVED } }));
  fake.on('GET', /productIdType/, () => ({ status: 404, body: {} }));
  serveFeed('F1', 1).odd.set(1, 'DATA_ERROR');
  expect(await read([1])).toMatchObject([{ source: 'list', price: SENT, refusal: { kind: 'rejected' } }]);
});

test('pages behind the last one that is needed are not read', async () => {
  serveItems();
  serveFeed('F1', 1_000);
  expect(unread(await read([1, 60]))).toEqual([]);
  expect(pages()).toEqual([0, 50]);
});

describe('a feed that is done but for one of its prices', () => {
  let feed: Feed;
  beforeEach(async () => {
    serveItems();
    feed = serveFeed('F1', 200);
    feed.odd.set(60, 'INPROGRESS');
    expect(refused(await read([60, 200]))).toEqual([]);
    expect(pages()).toEqual([0, 50, 100, 150]);
  });

  test('has one page read again, for that price alone', async () => {
    expect(refused(await read([60, 200]))).toEqual([]);
    expect(pages().slice(4)).toEqual([50]);
    feed.odd.set(60, 'DATA_ERROR');
    expect(refused(await read([60, 200]))).toEqual([60]);
    expect(pages().slice(5)).toEqual([50]);
    expect(refused(await read([60, 200]))).toEqual([60]);
    expect(pages()).toHaveLength(6);
  });

  test('has nothing read again for others', async () => {
    for (const first of [1, 51, 101]) await read(numbers(first, 50).filter((number) => number !== 60));
    expect(pages()).toHaveLength(4);
  });
});

test('nothing is kept of a feed that is under way', async () => {
  serveItems();
  const feed = serveFeed('F1', 100);
  feed.feedStatus = 'INPROGRESS';
  expect(await read([1, 100])).toMatchObject([{ refusal: null }, { refusal: null }]);
  feed.feedStatus = 'PROCESSED';
  feed.odd.set(1, 'DATA_ERROR').set(100, 'DATA_ERROR');
  expect(refused(await read([1, 100]))).toEqual([1, 100]);
  expect(pages()).toEqual([0, 0, 50]);
});

test('a page that cannot be read keeps no other from being read', async () => {
  serveItems();
  const feed = serveFeed('F1', 200);
  feed.odd.set(1, 'DATA_ERROR').set(200, 'DATA_ERROR');
  feed.brokenPages.set(50, { feedStatus: 7 });
  let readings: readonly PriceReading[] = [];
  for (let call = 0; call < 3; call++) readings = await read([1, 60, 200]);
  expect([refused(readings), unread(readings)]).toEqual([[1, 200], [60]]);
  feed.brokenPages.clear();
  readings = await read([1, 60, 200]);
  expect([refused(readings), unread(readings)]).toEqual([[1, 200], []]);
});

test('a page with fewer results than its feed has is read again', async () => {
  serveItems();
  const feed = serveFeed('F1', 100);
  const itemIngestionStatus = [{ sku: 'SKU-51', ingestionStatus: 'SUCCESS' }];
  for (const details of [{ itemIngestionStatus }, null]) {
    feed.brokenPages.set(50, { feedStatus: 'PROCESSED', itemsReceived: 100, itemDetails: details });
    expect(await read([100])).toMatchObject([{ kind: 'price', refusal: null }]);
  }
  feed.brokenPages.clear();
  feed.odd.set(100, 'DATA_ERROR');
  expect(refused(await read([100]))).toEqual([100]);
  expect(pages()).toEqual([0, 50, 50, 50]);
});

test('the feeds of a whole day are kept; the one that was not needed for the longest goes first', async () => {
  serveItems();
  const day = numbers(1, 250).map((number) => `D${number}`);
  for (const id of day) {
    serveFeed(id, 1);
    await read([1], id);
  }
  const again = async (id: string) => {
    const before = pages(id).length;
    await read([1], id);
    return pages(id).length - before;
  };
  expect(await again('D1')).toBe(0);
  serveFeed('NEW', 1);
  await read([1], 'NEW');
  expect(await again('D1')).toBe(0);
  expect(await again('D2')).toBe(1);
});

test('feeds whose prices were all refused are kept as far as that is little', async () => {
  serveItems();
  const lastOf = async (id: string) => {
    for (let call = 0; call < 10; call++) {
      const readings = await read([4_000], id);
      if (unread(readings).length === 0) return expect(refused(readings)).toEqual([4_000]);
    }
    return expect.unreachable('It never finishes.');
  };
  for (const id of ['F1', 'F2', 'F3']) {
    const feed = serveFeed(id, 4_000);
    for (const number of numbers(1, 4_000)) feed.odd.set(number, 'DATA_ERROR');
    await lastOf(id);
  }
  const counts = () => ['F1', 'F2', 'F3'].map((id) => pages(id).length);
  for (const id of ['F2', 'F3']) await lastOf(id);
  expect(counts()).toEqual([80, 80, 80]);
  await lastOf('F1');
  expect(counts()).toEqual([160, 80, 80]);
});

test('items that were read before the call was aborted count', async () => {
  serveItems(2_000, new Set(numbers(1, 50)));
  const { readings } = await readInTime(numbers(1, 50));
  expect(readings.filter(({ kind }) => kind === 'price').length).toBeGreaterThan(20);
  expect(readings).toHaveLength(50);
  expect(readings.at(-1)).toMatchObject({ listingId: 50, kind: 'unreadable' });
});
