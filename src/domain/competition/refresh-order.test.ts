import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hours, type Instant, instant } from '#domain/units.ts';
import { REFRESH_QUEUES, type RefreshCandidate, type RefreshQueue, refreshOrder } from './refresh-order.ts';

const NOW = instant(Date.UTC(2026, 2, 1));
const DAY = hours(24);
const at = (ago: number): Instant => instant(NOW - ago);
const many = (queue: RefreshQueue, count: number): RefreshCandidate[] =>
  Array.from({ length: count }, (_, index) => ({ queue, readAt: at(hours(1) + index) }));
const countsIn = (order: readonly RefreshCandidate[]): number[] =>
  REFRESH_QUEUES.map((queue) => order.filter((one) => one.queue === queue).length);

describe('the order of refresh', () => {
  test.each([
    ['all queues are full', { requested: 40, hot: 40, warm: 40, cold: 40 }, [20, 10, 6, 4]],
    ['nothing was requested', { hot: 40, warm: 40, cold: 40 }, [0, 20, 12, 8]],
    ['nothing is hot, so its turns fall to warm', { requested: 40, warm: 40, cold: 40 }, [20, 0, 16, 4]],
    ['nothing is warm, so its turns fall to cold', { requested: 40, hot: 40, cold: 40 }, [20, 10, 0, 10]],
    ['few were requested', { requested: 3, hot: 40, warm: 40, cold: 40 }, [3, 19, 11, 7]],
    ['there is only cold', { cold: 60 }, [0, 0, 0, 40]],
  ])('of the next 40, if %s', (_, sizes, expected) => {
    const candidates = Object.entries(sizes).flatMap(([queue, count]) => many(queue as RefreshQueue, count));
    expect(countsIn(refreshOrder(candidates, NOW, DAY).slice(0, 40))).toEqual(expected);
  });

  test.each([
    [19, 'cold'],
    [19.3, 'warm'],
    [20.5, 'hot'],
    [21.7, 'requested'],
    [100, 'requested'],
  ] as const)('a reading of %f hours of 24 has the turn of %s', (age, queue) => {
    const others = REFRESH_QUEUES.flatMap((each) => many(each, 40));
    const late = { queue: 'cold', readAt: at(hours(age)) } as const;
    // The first turn of each queue, in an order without empty ones.
    const first = { requested: 0, hot: 1, warm: 3, cold: 7 }[queue];
    expect(refreshOrder([...others, late], NOW, DAY).indexOf(late)).toBe(first);
  });

  test('of equal ones the first comes first', () => {
    const never = ['a', 'b', 'c'].map((name) => ({ queue: 'cold' as const, readAt: null, name }));
    expect(refreshOrder(never, NOW, DAY).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  const candidate = fc.record({
    queue: fc.constantFrom(...REFRESH_QUEUES),
    readAt: fc.option(fc.integer({ min: 0, max: hours(30) }).map(at)),
  });

  test('has every candidate once, and in a queue the oldest first', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 60 }), (candidates) => {
        const order = refreshOrder(candidates, NOW, DAY);
        expect(order).toHaveLength(candidates.length);
        expect(new Set(order)).toEqual(new Set(candidates));
        // Below 0.8 of the age no listing changes its queue.
        const early = order.filter(({ readAt }) => readAt !== null && NOW - readAt < DAY * 0.8);
        for (const queue of REFRESH_QUEUES) {
          const times = early.filter((one) => one.queue === queue).map(({ readAt }) => readAt ?? 0);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test('lets no reading get too old while half of the budget, of 20 and more at once, is enough for a round', () => {
    const shop = fc.record({
      sizes: fc.tuple(...REFRESH_QUEUES.slice(1).map(() => fc.integer({ min: 70, max: 200 }))),
      surplus: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(shop, ({ sizes: [hot = 0, warm = 0, cold = 0], surplus }) => {
        const queues: RefreshQueue[] = ['hot', 'warm', 'cold'];
        const listings = [hot, warm, cold].flatMap((size, index) =>
          Array.from({ length: size }, () => ({
            queue: queues[index] ?? 'cold',
            readAt: NOW as Instant | null,
          })),
        );
        const step = hours(1);
        const turns = Math.floor((DAY * 0.8) / step);
        const budget = Math.ceil((2 * listings.length) / turns) + surplus;
        let oldest = 0;
        for (let turn = 1; turn <= 3 * turns; turn++) {
          const now = instant(NOW + turn * step);
          for (const one of listings) oldest = Math.max(oldest, now - (one.readAt ?? 0));
          for (const one of refreshOrder(listings, now, DAY).slice(0, budget)) one.readAt = now;
        }
        expect(oldest).toBeLessThanOrEqual(DAY);
      }),
      { numRuns: 20 },
    );
  });
});
