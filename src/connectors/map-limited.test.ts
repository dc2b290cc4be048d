import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { chunks, mapAhead, mapLimited } from './map-limited.ts';

test('at most this many run at once; results are in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const results = await mapLimited([5, 1, 4, 2, 3], 2, async (turns) => {
    running += 1;
    most = Math.max(most, running);
    for (let at = 0; at < turns; at++) await turn();
    running -= 1;
    return turns * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

test('after a failure no further item is started', async () => {
  const begun: number[] = [];
  const work = mapLimited([1, 2, 3, 4, 5, 6], 2, async (number) => {
    begun.push(number);
    await turn();
    if (number === 1) throw new Error('first');
    for (let at = 0; at < 5; at++) await turn();
  });
  await expect(work).rejects.toThrow('first');
  for (let at = 0; at < 20; at++) await turn();
  expect(begun).toEqual([1, 2]);
});

describe('ahead', () => {
  test('at most this many run at once, and results come in the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results: number[] = [];
    for await (const result of mapAhead([5, 1, 4, 2, 3], 2, async (turns) => {
      running += 1;
      most = Math.max(most, running);
      for (let at = 0; at < turns; at++) await turn();
      running -= 1;
      return turns * 10;
    }))
      results.push(result);
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
  });

  test('a failure is thrown at the turn of its item; nothing is started after it, and what runs ends before', async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const taken: number[] = [];
    const reading = (async () => {
      for await (const number of mapAhead([1, 2, 3, 4, 5, 6], 3, async (one) => {
        started.push(one);
        if (one === 3) throw new Error('third');
        for (let at = 0; at < one; at++) await turn();
        ended.push(one);
        return one;
      }))
        taken.push(number);
    })();
    await expect(reading).rejects.toThrow('third');
    expect(taken).toEqual([1, 2]);
    expect(started).toEqual([1, 2, 3, 4, 5]);
    expect(ended).toEqual([1, 2, 4, 5]);
  });

  test('nothing is started once the caller stops', async () => {
    const started: number[] = [];
    for await (const number of mapAhead([1, 2, 3, 4, 5], 2, async (one) => started.push(one))) {
      if (number === 2) break;
    }
    expect(started.length).toBeLessThan(5);
  });
});

test('chunks have everything once', () => {
  expect([...chunks([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
  expect([...chunks([], 2)]).toEqual([]);
});
