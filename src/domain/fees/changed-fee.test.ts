import { expect, test } from 'vitest';
import { type Bps, hours, type Instant } from '#domain/units.ts';
import { aFeeSchedule, NOW, usd } from '#tests/builders/facts.ts';
import { isFeeChanged } from './changed-fee.ts';
import type { FeeAnswer } from './fee-answer.ts';
import { feeCandidates } from './fee-candidates.ts';

const NONE = 0 as Bps;
const schedule = (category: string, bands: Parameters<typeof aFeeSchedule>[0]) => ({
  ...aFeeSchedule(bands),
  marketplace: 'amazon' as const,
  category,
});
const CANDIDATES = feeCandidates(
  [
    schedule('All', [{ percent: 15 }]),
    schedule('Beauty', [{ upTo: 10, percent: 8 }, { percent: 15 }]),
    schedule('More', [{ percent: 17 }]),
  ],
  NONE,
);

const answer = ([price, commission]: readonly [number, number], days: number): FeeAnswer => ({
  source: 'estimate',
  fulfillmentType: 'FBM',
  askedPrice: usd(price),
  askedShipping: usd(0),
  toldAt: (NOW + days * hours(24)) as Instant,
  commission: usd(commission),
  perUnit: usd(0),
  isAccepted: false,
});

test.each<[string, (readonly [number, number])[], readonly [number, number], boolean]>([
  ['the first answer', [], [20, 3.4], false],
  ['the same answer', [[20, 3]], [20, 3], false],
  ['a cent of rounding', [[20, 3]], [20, 3.01], false],
  ['another fee at the same price', [[20, 3]], [20, 3.4], true],
  [
    'another price under the schedule found',
    [
      [20, 3],
      [9, 1.35],
    ],
    [30, 4.5],
    false,
  ],
  [
    'another price off the schedule found',
    [
      [20, 3],
      [9, 1.35],
    ],
    [30, 5.1],
    true,
  ],
  ['a further price of one of two schedules', [[20, 3]], [9, 0.72], false],
  ['a further price that no schedule has', [[20, 3]], [9, 0.9], false],
  [
    'a price between two of one rate of its own',
    [
      [20, 2.4],
      [30, 3.6],
    ],
    [25, 3],
    false,
  ],
  [
    'a price off the one rate around it',
    [
      [20, 2.4],
      [30, 3.6],
    ],
    [25, 3.5],
    true,
  ],
  [
    'a price beyond rates of its own',
    [
      [20, 2.4],
      [30, 3.6],
    ],
    [40, 6],
    false,
  ],
])('%s', (_, earlier, reported, isChanged) => {
  const answers = [...earlier.map((each) => answer(each, 0)), answer(reported, 2)];
  const evidence = {
    marketplace: 'amazon' as const,
    fulfillmentType: 'FBM' as const,
    ownRate: null,
    answers,
    sameCategory: [],
    candidates: CANDIDATES,
    schedule: null,
    category: 'none' as const,
    revenue: usd(20),
    salesTax: NONE,
    doubtedSince: null,
    now: (NOW + 2 * hours(24)) as Instant,
  };
  expect(isFeeChanged(evidence, ({ toldAt }) => toldAt === evidence.now)).toBe(isChanged);
});
