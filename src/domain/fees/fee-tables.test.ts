import { describe, expect, it } from 'vitest';
import { decide } from '#domain/decision/decide.ts';
import { type Bps, type Cents, type Instant, instant } from '#domain/units.ts';
import { aFeeSchedule, aListing, aPolicy, chosen, NOW, pct, usd } from '#tests/builders/facts.ts';
import { type FeeBand, type FeeSchedule, PLAIN_BAND } from './fee-schedule.ts';
import { checkFeeSchedule, feesInForce, feeTables } from './fee-tables.ts';

function aSchedule(percent: number, overrides: Partial<FeeSchedule> = {}): FeeSchedule {
  return { ...aFeeSchedule([{ percent }]), ...overrides };
}

/** The percentage in force, or null. */
function percentAt(schedules: readonly FeeSchedule[], now: Instant, category: string | null = null) {
  const table = feesInForce(feeTables(schedules), 'walmart', category, now);
  return table?.pieces[0]?.percent ?? null;
}

const DAY_1 = instant(1_000);
const DAY_2 = instant(2_000);

describe('the fees in force', () => {
  it('are those of the marketplace', () => {
    expect(percentAt([aSchedule(15), aSchedule(9, { marketplace: 'etsy' })], NOW)).toBe(pct(15));
    expect(percentAt([aSchedule(9, { marketplace: 'etsy' })], NOW)).toBeNull();
    expect(feesInForce(feeTables([]), 'walmart', null, NOW)).toBeNull();
    expect(feesInForce(feeTables([aSchedule(9, { effectiveFrom: NOW })]), 'walmart', null, DAY_1)).toBeNull();
  });

  it('begin on their date and last until a newer one', () => {
    const dated = [aSchedule(11, { effectiveFrom: DAY_2 }), aSchedule(10, { effectiveFrom: DAY_1 })];
    expect(percentAt(dated, instant(999))).toBeNull();
    expect(percentAt(dated, DAY_1)).toBe(pct(10));
    expect(percentAt(dated, instant(1_999))).toBe(pct(10));
    expect(percentAt(dated, DAY_2)).toBe(pct(11));
    expect(percentAt([aSchedule(15), ...dated], instant(0))).toBe(pct(15));
    expect(percentAt([...dated, aSchedule(15)], DAY_2)).toBe(pct(11));
    const old = aSchedule(8, { effectiveFrom: instant(-5) });
    expect(percentAt([old, aSchedule(15)], DAY_1)).toBe(pct(8));
    expect(percentAt([old, aSchedule(15)], instant(-6))).toBe(pct(15));
  });

  it('are the later in the list of two of one date', () => {
    expect(percentAt([aSchedule(10), aSchedule(12)], NOW)).toBe(pct(12));
    const sameDay = [aSchedule(10, { effectiveFrom: DAY_1 }), aSchedule(12, { effectiveFrom: DAY_1 })];
    expect(percentAt(sameDay, NOW)).toBe(pct(12));
  });

  it('of a category are its own, and unknown without any: never the default', () => {
    const schedules = [aSchedule(15), aSchedule(17, { category: 'Apparel' })];
    expect(percentAt(schedules, NOW, ' apparel ')).toBe(pct(17));
    expect(percentAt(schedules, NOW, 'toys')).toBeNull();
    expect(percentAt(schedules, NOW, null)).toBe(pct(15));
    expect(percentAt(schedules, NOW, '  ')).toBe(pct(15));
  });
});

describe('a fee schedule with an invalid number', () => {
  const torn = aSchedule(0, { bands: [{ ...band(), percent: Number.NaN as Bps }], effectiveFrom: DAY_2 });

  it('blocks its listings instead of falling back to the one before', () => {
    const book = feeTables([aSchedule(10, { effectiveFrom: DAY_1 }), torn]);
    const fees = feesInForce(book, 'walmart', null, NOW);
    const decision = decide(aListing({ fees }), chosen({ strategy: 'Fixed Margin' }), aPolicy());
    expect(decision).toMatchObject({ kind: 'blocked', reason: 'no_fee_schedule' });
    const before = feesInForce(book, 'walmart', null, DAY_1);
    expect(before?.pieces).toHaveLength(1);
  });

  it('blocks when a fee part is missing: unknown is not zero', () => {
    for (const part of ['percent', 'percentTaxed', 'fixed', 'perUnit', 'minimum'] as const) {
      const bands = [{ ...band(), [part]: null as unknown as Cents }];
      const book = feeTables([aSchedule(0, { bands })]);
      const fees = feesInForce(book, 'walmart', null, NOW);
      expect(decide(aListing({ fees }), chosen({ strategy: 'Fixed Margin' }), aPolicy())).toMatchObject({
        kind: 'blocked',
        reason: 'no_fee_schedule',
      });
    }
  });
});

function band(overrides: Partial<FeeBand> = {}): FeeBand {
  return { ...PLAIN_BAND, upTo: null, percent: pct(15), fixed: usd(0), minimum: usd(0), ...overrides };
}

describe('what is wrong with a fee schedule', () => {
  const PERCENT = 'Band 1: the percentage must be from 0 to 100.';
  const AMOUNT = 'Band 1: fixed parts and minimum must be amounts of 0.00 or more.';
  const TAXED = 'Band 1: the percentage of the total with tax must be from 0 to 100.';
  const UPPER = 'Band 2: the upper end must be above that of the band before it.';
  it.each<[string, FeeBand[], string | null]>([
    ['nothing', [band({ upTo: usd(10) }), band()], null],
    ['nothing at 0 percent', [band({ percent: pct(0) })], null],
    ['nothing at 100 percent', [band({ percent: pct(100) })], null],
    ['no band', [], 'A fee schedule needs at least one band.'],
    ['a negative percentage', [band({ percent: pct(-0.01) })], PERCENT],
    ['a percentage above 100', [band({ percent: pct(100.01) })], PERCENT],
    ['half a basis point', [band({ percent: 0.5 as Bps })], PERCENT],
    ['a negative fixed part', [band({ fixed: usd(-0.01) })], AMOUNT],
    ['a negative part per unit', [band({ perUnit: usd(-0.01) })], AMOUNT],
    ['a percentage above 100 of the total with tax', [band({ percentTaxed: pct(100.01) })], TAXED],
    ['a negative minimum', [band({ minimum: usd(-0.01) })], AMOUNT],
    [
      'an open band in the middle',
      [band(), band()],
      'Band 1: only the last band may have no upper end. Enter one, or move it to the end.',
    ],
    ['bands that do not rise', [band({ upTo: usd(10) }), band({ upTo: usd(10) }), band()], UPPER],
    ['bands that fall', [band({ upTo: usd(10) }), band({ upTo: usd(9) }), band()], UPPER],
    [
      'an upper end of nothing',
      [band({ upTo: usd(0) }), band()],
      'Band 1: the upper end must be above that of the band before it.',
    ],
    [
      'an upper end that cannot be read',
      [band({ upTo: 10.5 as Cents }), band()],
      'Band 1: the upper end must be above that of the band before it.',
    ],
    [
      'a closed last band',
      [band({ upTo: usd(10) }), band({ upTo: usd(20) })],
      'Band 2: leave the upper end of the last band empty, so that every price has a fee.',
    ],
  ])('%s', (_, bands, problem) => {
    expect(checkFeeSchedule(aSchedule(0, { bands }))).toBe(problem);
  });
});
