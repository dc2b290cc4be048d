import { expect, test } from 'vitest';
import { CompletenessCheck } from './completeness-check.ts';

type Answer = [total: number | null, ...keys: string[]];

const ends = (...answers: Answer[]) => {
  const list = new CompletenessCheck('Walmart', 'items');
  for (const [total, ...keys] of answers) list.takes(total, keys);
  return () => list.end();
};

test.each<[string, Answer[]]>([
  [
    'every thing came',
    [
      [2, 'a'],
      [2, 'b'],
    ],
  ],
  ['nobody names a total', [[null, 'a'], [null]]],
  ['there is nothing', [[0]]],
  [
    'one was taken off meanwhile',
    [
      [3, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'one was added meanwhile and came',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'one was added meanwhile where the reading had been already',
    [
      [2, 'a'],
      [3, 'b'],
    ],
  ],
  ['one stands twice on a page, and is counted so', [[2, 'a', 'a']]],
])('a list is whole when %s', (_, answers) => {
  expect(ends(...answers)).not.toThrow();
});

test.each<[string, Answer[], string]>([
  [
    'a page is missing',
    [
      [1_200, 'a'],
      [1_200, 'b'],
    ],
    'Walmart has 1,200 items and returned 2 of them',
  ],
  ['a single thing is missing', [[3, 'a', 'b']], 'has 3 items and returned 2'],
  [
    'a page came twice instead of the next one',
    [
      [2, 'a'],
      [2, 'a'],
    ],
    'has 2 items and returned 1',
  ],
])('a list is not whole when %s', (_, answers, words) => {
  expect(ends(...answers)).toThrow(words);
});
