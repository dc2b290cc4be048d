import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import { type Instant, instant } from '#domain/units.ts';
import { anAccount, anOrder, never, type TestClock, testClock } from '#tests/support/connector-fixture.ts';
import { type FakeService, startFakeService } from '#tests/support/fake-service.ts';
import { createMichaels } from './michaels.ts';
import { RefusedTogether } from './refused-together.ts';

/** As in usecases/marketplaces/sending: how late a call may start, and the pauses between two turns. */
const SEND_DEADLINE = 20_000;
const RETRY_DELAY = 5_000;
const DEFAULT_PAUSE = 15_000;

const WRITES = anAccount({ apiKey: 'key-1', allowWrites: 'yes' });
const REFUSAL = { status: 400, body: { code: 'MCU_API_BAD_REQUEST', message: 'A parent.' } };

let fake: FakeService;
let clock: TestClock;
/** SKUs whose price Michaels refuses, with all that go in the same call. */
let wrong: Set<string>;
const names = (text: string): boolean => [...wrong].some((sku) => text.includes(`"${sku}"`));
beforeEach(async () => {
  fake = await startFakeService();
  clock = testClock();
  wrong = new Set();
  fake.on('POST', /batch-get$/, ({ json }) => ({
    body: {
      code: '200',
      data: (json as { sellerSkuNumbers: string[] }).sellerSkuNumbers.map((sellerSkuNumber) => ({
        sellerSkuNumber,
        price: 12.5,
      })),
    },
  }));
  fake.on('POST', /publish/, ({ text }) => (names(text) ? REFUSAL : { body: { code: '200' } }));
});
afterEach(() => fake.close());

interface Turn {
  readonly accepted: readonly string[];
  readonly ended: readonly string[];
}

/** The turns of a sender until nothing waits, with its deadlines: what is left is marked and sent again, in its order. */
async function turnsOf(orders: readonly PriceOrder[]): Promise<readonly Turn[]> {
  const michaels = createMichaels({ baseUrl: fake.url, now: clock.now, wait: clock.wait });
  const turns: Turn[] = [];
  let waiting = orders;
  while (waiting.length > 0 && turns.length < 100) {
    const notAfter = instant(clock.time + SEND_DEADLINE);
    const taken = waiting.slice(0, michaels.pricesAtOnce?.(waiting.length, 0));
    const outcomes = await michaels.sendPrices(
      WRITES,
      taken.map((one) => ({ ...one, notAfter })),
      never,
    );
    const skus = (isOne: (one: (typeof outcomes)[number]) => boolean) =>
      outcomes.filter(isOne).map(({ listingId }) => `SKU-${listingId}`);
    const stay = new Set(skus((one) => one.kind === 'not_sent' && one.why === undefined));
    const accepted = skus(({ kind }) => kind === 'accepted');
    const ended = taken.map(({ ref }) => ref.sku).filter((sku) => !stay.has(sku) && !accepted.includes(sku));
    turns.push({ accepted, ended });
    const isPaused = outcomes.every((one) => one.kind === 'not_sent' && one.othersMayGo !== true);
    clock.time = instant(clock.time + (isPaused ? DEFAULT_PAUSE : RETRY_DELAY)) as Instant;
    const over = new Set([...accepted, ...ended]);
    waiting = waiting.filter(({ ref }) => !over.has(ref.sku));
  }
  return turns;
}

const many = (count: number) => Array.from({ length: count }, (_, at) => anOrder(at + 1, 1999));
const acceptedOf = (turns: readonly Turn[]) => turns.flatMap(({ accepted }) => accepted);
const endedOf = (turns: readonly Turn[]) => turns.flatMap(({ ended }) => ended);

describe('one wrong price', () => {
  test.each([1, 2, 25, 26, 37, 50])('at place %i of fifty is found within eight turns', async (place) => {
    wrong.add(`SKU-${place}`);
    const startedAt = clock.time;
    const turns = await turnsOf(many(50));
    expect(endedOf(turns)).toEqual([`SKU-${place}`]);
    expect(acceptedOf(turns)).toHaveLength(49);
    expect(turns.length).toBeLessThanOrEqual(8);
    // Within the ten minutes that a price waits.
    expect(clock.time - startedAt).toBeLessThan(4 * 60_000);
  });

  test('does not keep the others that wait behind it', async () => {
    wrong.add('SKU-1');
    const turns = await turnsOf(many(500));
    expect(endedOf(turns)).toEqual(['SKU-1']);
    expect(acceptedOf(turns)).toHaveLength(499);
    for (const { accepted } of turns.slice(1)) expect(accepted.length).toBeGreaterThan(0);
  });

  test('that cannot even be read with the others is found the same way', async () => {
    wrong.add('SKU-7');
    fake.on('POST', /batch-get$/, ({ text, json }) =>
      names(text)
        ? REFUSAL
        : {
            body: {
              code: '200',
              data: (json as { sellerSkuNumbers: string[] }).sellerSkuNumbers.map((sellerSkuNumber) => ({
                sellerSkuNumber,
                price: 12.5,
              })),
            },
          },
    );
    const turns = await turnsOf(many(50));
    expect(endedOf(turns)).toEqual(['SKU-7']);
    expect(acceptedOf(turns)).toHaveLength(49);
    expect(turns.length).toBeLessThanOrEqual(8);
  });
});

test('of many wrong prices each is found, and all others arrive', async () => {
  for (let number = 1; number <= 300; number += 20) wrong.add(`SKU-${number}`);
  const turns = await turnsOf(many(300));
  expect(new Set(endedOf(turns))).toEqual(wrong);
  expect(acceptedOf(turns)).toHaveLength(285);
});

test('no call is used up for prices that could not leave in time', async () => {
  wrong.add('SKU-1');
  await turnsOf(many(50));
  const calls = fake.asked.filter(({ path }) => path.includes('publish')).length;
  expect(calls).toBeLessThanOrEqual(1 + 12);
});

test('a pause that Michaels asks for is no wrong price: nothing is requested until it ends', async () => {
  fake.on('POST', /publish/, () => ({ status: 429, body: {}, headers: { 'retry-after': '120' } }));
  const michaels = createMichaels({ baseUrl: fake.url, now: clock.now, wait: clock.wait });
  const send = () => {
    const notAfter = instant(clock.time + SEND_DEADLINE);
    return michaels.sendPrices(WRITES, [{ ...anOrder(1, 1999), notAfter }], never);
  };
  await send();
  const { asked: requests } = fake;
  const before = requests.length;
  expect(await send()).toMatchObject([{ kind: 'not_sent', retryAfter: 120_000 }]);
  expect(requests).toHaveLength(before);
});

test('is forgotten after half an hour', () => {
  const refused = new RefusedTogether(clock.now);
  refused.refused(['A', 'B']);
  expect(refused.firstOf(['B', 'C'])).toEqual(['B']);
  clock.time = instant(clock.time + 30 * 60_000);
  expect(refused.has('A')).toBe(false);
  expect(refused.size).toBe(0);
});
