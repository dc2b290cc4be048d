import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalFromCents } from '#domain/decimal.ts';
import { cents, instant } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { ReconReport, type ReconRow } from './recon-report.ts';

const NOW = instant(Date.parse('2026-11-20T12:00:00Z'));

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
const text = (amount: number) => decimalFromCents(cents(amount));

/** The commission rows of an order line. @param isOfLine both columns are those of the line, repeated on each row */
function rowsOf(originals: readonly number[], saved: readonly number[], isOfLine: boolean): ReconRow[] {
  return originals.map((original, at) => {
    const off = saved[at] ?? 0;
    return {
      'Transaction Key': `2026_11_18_${at}`,
      'Transaction Posted Timestamp': '11/18/2026',
      'Transaction Type': 'Sale',
      'Purchase Order #': '1803550130406',
      'Purchase Order line #': '1',
      'Partner Item Id': 'SKU-1',
      Amount: text(off - original),
      'Amount Type': at === 0 ? 'Commission on Product' : 'Commission on Shipping',
      'Original Commission': text(-(isOfLine ? sum(originals) : original)),
      'Commission Saving': text(isOfLine ? sum(saved) : off),
    };
  });
}

test('a saving counts once, whether each row reports its own or both that of their order line', () => {
  const line = fc.record({
    originals: fc.array(fc.integer({ min: 100, max: 50_000 }), { minLength: 1, maxLength: 2 }),
    savedShare: fc.integer({ min: 1, max: 99 }),
    isOfLine: fc.boolean(),
  });
  fc.assert(
    fc.property(line, ({ originals, savedShare, isOfLine }) => {
      const saved = originals.map((original) => Math.round((original * savedShare) / 100));
      const { events } = new ReconReport('11202026', NOW).page(rowsOf(originals, saved, isOfLine), 0);
      expect(events.map(({ kind }) => kind)).toEqual(originals.map(() => 'commission'));
      const off = sum(events.map(({ fee }) => fee?.saved ?? 0)) - sum(saved);
      // Shares of a whole line are rounded up on each row.
      expect(off).toBeGreaterThanOrEqual(0);
      expect(off).toBeLessThanOrEqual(isOfLine ? originals.length : 0);
    }),
    { numRuns: asMany(200, 5_000) },
  );
});
