import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Days, wholeMonths } from './whole-months.ts';

const isoDay = (number: number) => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);
const spans = fc
  .tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 800 }))
  .map(([a, b]): Days => ({ from: isoDay(Math.min(a, b)), to: isoDay(Math.max(a, b)) }));
const isIn = (day: string, { from, to }: Days) => day >= from && day <= to;

test('months and the days left are every kept day asked for, once', () => {
  fc.assert(
    fc.property(spans, spans, (requested, kept) => {
      const { months, days } = wholeMonths(requested, kept);
      for (let number = 0; number <= 830; number += 1) {
        const day = isoDay(number);
        if (!isIn(day, kept)) continue;
        const parts = [
          ...(months === null ? [] : [{ from: months.from, to: `${months.to.slice(0, 7)}-31` }]),
          ...days,
        ];
        expect(parts.filter((part) => isIn(day, part))).toHaveLength(isIn(day, requested) ? 1 : 0);
      }
    }),
    { seed: 20_261_123, numRuns: 60 },
  );
});

test('nothing kept is nothing to read', () => {
  expect(wholeMonths({ from: '2026-01-05', to: '2026-03-09' }, null)).toEqual({ months: null, days: [] });
});
