import { expect, test } from 'vitest';
import { pct } from '#tests/builders/facts.ts';
import { lowersMargin } from './lower-margin.ts';

const rule = (minimum: number, more: { amazon?: number; ebay?: number } = {}) => ({
  minimumMargin: pct(minimum),
  marketplaceMargins: Object.fromEntries(Object.entries(more).map(([name, margin]) => [name, pct(margin)])),
});

test.each([
  [rule(15), [rule(15)], false],
  [rule(16), [rule(15)], false],
  [rule(14), [rule(15)], true],
  [rule(15, { ebay: 14 }), [rule(15)], true],
  [rule(15, { ebay: 16 }), [rule(15)], false],
  [rule(15), [rule(15, { ebay: 20 })], true],
  [rule(14, { ebay: 9 }), [rule(15), rule(10)], true],
  [rule(14), [rule(15), rule(10)], false],
  [rule(0), [], false],
])('%j after %j asks for less: %s', (after, before, isLess) => {
  expect(lowersMargin(after, before)).toBe(isLess);
});
