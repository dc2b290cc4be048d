import { describe, expect, it } from 'vitest';
import type { Cents } from '#domain/units.ts';
import { APPAREL, fees, usd } from '#tests/builders/facts.ts';
import { marginOf } from './margin.ts';

const WALMART = fees([{ percent: 15 }]);

describe('margin is profit over revenue', () => {
  it('leaves 35% of $20.00 after a 15% fee and $10.00 cost', () => {
    expect(marginOf(usd(20), usd(0), usd(10), WALMART)).toBe(3_500);
  });

  it('counts the shipping charge as revenue', () => {
    expect(marginOf(usd(15), usd(5), usd(10), WALMART)).toBe(3_500);
  });

  it('is rounded down, a loss too, so that it never looks better than it is', () => {
    expect(marginOf(usd(14.29), usd(0), usd(10), WALMART)).toBe(1_502);
    expect(marginOf(usd(14.28), usd(0), usd(10), WALMART)).toBe(1_497);
    expect(marginOf(usd(9), usd(0), usd(10), WALMART)).toBe(-2_612);
    expect(marginOf(usd(15.01), usd(0), usd(12.5), APPAREL)).toBe(672);
  });

  it('is unknown without a revenue, and when cost or fee cannot be read', () => {
    expect(marginOf(usd(0), usd(0), usd(10), WALMART)).toBeNull();
    expect(marginOf(usd(-5), usd(0), usd(10), WALMART)).toBeNull();
    expect(marginOf(Number.NaN as Cents, usd(0), usd(10), WALMART)).toBeNull();
    expect(marginOf(usd(20), usd(0), Number.NaN as Cents, WALMART)).toBeNull();
    expect(marginOf(usd(20), usd(0), usd(10), { ...WALMART, pieces: [] })).toBeNull();
  });

  it('can be zero, and can be that of one cent', () => {
    expect(marginOf(usd(0.01), usd(0), usd(0.01), WALMART)).toBe(-1_500);
    expect(marginOf(usd(10), usd(0), usd(8.5), WALMART)).toBe(0);
  });
});
