import { expect, test } from 'vitest';
import { Dollars, OwnPrice, RoundedDollars } from './dollars.ts';

const UNREADABLE = 'unreadable';

function readBy(
  schema: typeof OwnPrice | typeof Dollars | typeof RoundedDollars,
  reported: unknown,
): unknown {
  const read = schema.safeParse(reported);
  return read.success ? read.data : UNREADABLE;
}

test.each<[told: unknown, cents: unknown]>([
  [19.99, 1999],
  ['19.99', 1999],
  ['15.0', 1500],
  ['19.9900000000', 1999],
  [1e2, 10_000],
  // Computed with binary numbers: half a thousandth of a cent off is still that cent.
  [19.990000000000002, 1999],
  ['19.990000000000002', 1999],
  [19.990005, 1999],
  [19.989995, 1999],
  [19.99001, { finer: '19.99001' }],
  [19.995, { finer: '19.995' }],
  ['25.123', { finer: '25.123' }],
  [0.001, { finer: '0.001' }],
  // Unknown, and never free.
  [null, null],
  [undefined, null],
  ['', null],
  [' ', null],
  [0, null],
  ['0.00', null],
  [-1, UNREADABLE],
  ['-1.00', UNREADABLE],
  ['1e2', UNREADABLE],
  ['USD 5', UNREADABLE],
  ['12,99', UNREADABLE],
  ['N/A', UNREADABLE],
  [Number.NaN, UNREADABLE],
  [1e9, UNREADABLE],
  [{ amount: 5 }, UNREADABLE],
  [true, UNREADABLE],
])('a price of ours of %j is %j', (reported, cents) => {
  expect(readBy(OwnPrice, reported)).toEqual(cents);
});

test.each<[told: unknown, cents: unknown]>([
  [25.123, 2512],
  [25.125, 2513],
  ['25.125', 2513],
  // 1.005 has no binary form; the digits decide.
  [1.005, 101],
  ['0.994999999999', 99],
  ['0.995', 100],
  [19.990000000000002, 1999],
  [0, 0],
  [1e-7, 0],
  [-0.01, UNREADABLE],
])('%j that a service computed is %j, half up', (reported, cents) => {
  expect(readBy(RoundedDollars, reported)).toEqual(cents);
});

test.each<[told: unknown, cents: unknown]>([
  [12.5, 1250],
  [19.990000000000002, 1999],
  [0, 0],
  [12.505, UNREADABLE],
  [null, UNREADABLE],
])('an exact amount of %j is %j', (reported, cents) => {
  expect(readBy(Dollars, reported)).toEqual(cents);
});
