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
  ['no total is reported', [[null, 'a'], [null]]],
  ['there is nothing', [[0]]],
  [
    'one was removed in between',
    [
      [3, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'one was added in between and returned',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'one was added in between on a page that was read before',
    [
      [2, 'a'],
      [3, 'b'],
    ],
  ],
  ['one is twice on a page, and counted twice', [[2, 'a', 'a']]],
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
