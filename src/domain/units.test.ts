import { describe, expect, it } from 'vitest';
import { bps, cents, hours, instant, isAmount, isPrice, MAX_CENTS, ounces, WHOLE } from './units.ts';

const UNREADABLE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5];

describe('units are made by their constructors', () => {
  it('accepts whole cents up to numeric(10,2), negative ones too', () => {
    expect(cents(1999)).toBe(1999);
    expect(cents(0)).toBe(0);
    expect(cents(-500)).toBe(-500);
    expect(cents(9_999_999_999)).toBe(MAX_CENTS);
    expect(cents(-9_999_999_999)).toBe(-MAX_CENTS);
    for (const amount of [...UNREADABLE, 10_000_000_000, -10_000_000_000]) {
      expect(() => cents(amount)).toThrow(new RangeError(`not an amount in whole cents: ${amount}`));
    }
  });

  it('accepts whole basis points', () => {
    expect(bps(1_250)).toBe(1_250);
    expect(bps(-10)).toBe(-10);
    expect(WHOLE).toBe(10_000);
    for (const share of UNREADABLE) {
      expect(() => bps(share)).toThrow(new RangeError(`not whole basis points: ${share}`));
    }
  });

  it('accepts weights from zero ounces, with fractions', () => {
    expect(ounces(0)).toBe(0);
    expect(ounces(0.5)).toBe(0.5);
    for (const weight of [-0.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => ounces(weight)).toThrow(new RangeError(`not a weight: ${weight}`));
    }
  });

  it('accepts whole milliseconds', () => {
    expect(instant(1_700_000_000_000)).toBe(1_700_000_000_000);
    for (const moment of UNREADABLE) {
      expect(() => instant(moment)).toThrow(new RangeError(`not a moment: ${moment}`));
    }
    expect(hours(1.5)).toBe(5_400_000);
  });
});

describe('prices and amounts', () => {
  it('a price is from one cent to the largest amount', () => {
    for (const price of [1, 1999, MAX_CENTS]) expect(isPrice(price)).toBe(true);
    for (const other of [...UNREADABLE, 0, -0, -1, MAX_CENTS + 1, null, undefined]) {
      expect(isPrice(other)).toBe(false);
    }
  });

  it('an amount may be zero', () => {
    for (const amount of [0, 1, MAX_CENTS]) expect(isAmount(amount)).toBe(true);
    for (const other of [...UNREADABLE, -1, MAX_CENTS + 1, null, undefined]) {
      expect(isAmount(other)).toBe(false);
    }
  });
});
