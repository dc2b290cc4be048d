import { expect, test } from 'vitest';
import { retryWait } from './retry-call.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const LONGEST = 30_000;
const wait = (header: string | null, attempt = 1, chance = 1) =>
  retryWait(header, attempt, LONGEST, NOW, chance);

test('seconds and dates are used as given', () => {
  expect(wait('0')).toBe(0);
  expect(wait(' 12 ')).toBe(12_000);
  expect(wait('Sat, 21 Nov 2026 12:00:20 GMT')).toBe(20_000);
  expect(wait('Sat, 21 Nov 2026 11:00:00 GMT')).toBe(0);
});

test('more than the longest allowed wait is refused', () => {
  expect(wait('30')).toBe(30_000);
  expect(wait('31')).toBeNull();
  expect(wait('Sun, 22 Nov 2026 12:00:00 GMT')).toBeNull();
});

test.each([null, 'soon', '-5'])(
  'without a readable header (%s) it doubles from a second, with chance',
  (header) => {
    expect([1, 2, 3].map((attempt) => wait(header, attempt))).toEqual([1_000, 2_000, 4_000]);
    expect(wait(header, 3, 0.25)).toBe(1_000);
    expect(wait(header, 20)).toBe(LONGEST);
  },
);
