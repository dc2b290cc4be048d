import { describe, expect, it } from 'vitest';
import { pct, usd } from '#tests/builders/facts.ts';
import { ageText, durationText, moneyText, percentText } from './text.ts';
import { type Bps, type Cents, hours, MAX_CENTS, type Millis } from './units.ts';

describe('text for numbers', () => {
  it.each<[number, string]>([
    [0, '$0.00'],
    [0.05, '$0.05'],
    [0.09, '$0.09'],
    [0.1, '$0.10'],
    [-0.01, '-$0.01'],
    [19.99, '$19.99'],
    [999.99, '$999.99'],
    [1000, '$1,000.00'],
    [1234567.08, '$1,234,567.08'],
    [-4.2, '-$4.20'],
    [-1299, '-$1,299.00'],
  ])('writes %d dollars as %s', (dollars, text) => {
    expect(moneyText(usd(dollars))).toBe(text);
  });

  it('writes the largest amount', () => {
    expect(moneyText(MAX_CENTS)).toBe('$99,999,999.99');
    expect(moneyText(-0 as Cents)).toBe('$0.00');
  });

  it('is readable for invalid values', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, undefined]) {
      expect(moneyText(bad as Cents)).toBe('an unreadable amount');
      expect(percentText(bad as Bps)).toBe('an unreadable amount');
      expect(durationText(bad as Millis)).toBe('an unreadable amount');
    }
    expect(moneyText(0.5 as Cents)).toBe('an unreadable amount');
  });

  it.each<[number, string]>([
    [15, '15%'],
    [12.5, '12.5%'],
    [0.25, '0.25%'],
    [99.99, '99.99%'],
    [0, '0%'],
  ])('writes %d percent as %s', (percent, text) => {
    expect(percentText(pct(percent))).toBe(text);
  });

  it.each<[Millis, string]>([
    [0 as Millis, '0 h'],
    [hours(0.25), '15 min'],
    [hours(1), '1 h'],
    [hours(1.5), '90 min'],
    [hours(24), '24 h'],
    [hours(25), '25 h'],
    [hours(72), '3 days'],
  ])('writes a limit of %d milliseconds as %s', (duration, text) => {
    expect(durationText(duration)).toBe(text);
  });

  it.each<[Millis, string]>([
    [0 as Millis, '0 minutes'],
    [59_999 as Millis, '0 minutes'],
    [60_000 as Millis, '1 minute'],
    [hours(0.99), '59 minutes'],
    [hours(1), '1 hour'],
    [hours(47.9), '47 hours'],
    [hours(48), '2 days'],
    [hours(95), '3 days'],
  ])('writes %d milliseconds as %s', (age, text) => {
    expect(ageText(age)).toBe(text);
  });
});
