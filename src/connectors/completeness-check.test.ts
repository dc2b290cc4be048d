import { expect, test } from 'vitest';
import { CompletenessCheck } from './completeness-check.ts';

type Answer = [total: number | null, ...keys: string[]];

const totalOf = (...answers: Answer[]) => {
  const list = new CompletenessCheck();
  for (const [total, ...keys] of answers) list.takes(total, keys);
  return list.total();
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
  const { told, came } = totalOf(...answers) ?? { told: 0, came: 0 };
  expect(came).toBeGreaterThanOrEqual(told);
});

test.each<[string, Answer[], number, number]>([
  [
    'a page is missing',
    [
      [1_200, 'a'],
      [1_200, 'b'],
    ],
    ...[1_200, 2],
  ],
  ['a single thing is missing', [[3, 'a', 'b']], 3, 2],
  [
    'a page came twice instead of the next one',
    [
      [2, 'a'],
      [2, 'a'],
    ],
    ...[2, 1],
  ],
] as [string, Answer[], number, number][])('a list is not whole when %s', (_, answers, told, came) => {
  expect(totalOf(...answers)).toEqual({ told, came });
});
