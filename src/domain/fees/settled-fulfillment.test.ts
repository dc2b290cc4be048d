import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cents, hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/properties.ts';
import type { FulfillmentAnswer } from './reported-fulfillment.ts';
import { reportedSteps } from './reported-fulfillment.ts';
import { type SettledUnits, settledFulfillment } from './settled-fulfillment.ts';
import { feeAtPrice } from './warehouse-fee.ts';

const NOW = instant(Date.UTC(2026, 6, 1));
const DAY = hours(24);
const daysAgo = (count: number) => instant(NOW - count * DAY);
const charged = (fee: number, days: number, units = 1, price = 20): SettledUnits => ({
  price: usd(price),
  fee: usd(fee),
  units,
  settledAt: daysAgo(days),
});
const WFS = { marketplace: 'walmart', answers: [], doubtedSince: null, now: NOW } as const;
const feesOf = (answers: readonly FulfillmentAnswer[]) => answers.map(({ fee }) => fee / 100);

describe('what was charged for units of sales', () => {
  it('is the median of the units, not of the sales, and of two in the middle the higher one', () => {
    const sales = [charged(3, 1), charged(5, 2, 3), charged(4, 3)];
    expect(feesOf(settledFulfillment(WFS, sales))).toEqual([5]);
    expect(feesOf(settledFulfillment(WFS, [charged(3, 1), charged(5, 2)]))).toEqual([5]);
    expect(feesOf(settledFulfillment(WFS, [charged(3, 1), charged(5, 2), charged(3, 3)]))).toEqual([3]);
  });

  it('is the newest charge while that is higher', () => {
    const usual = [charged(3, 3), charged(3, 4), charged(3, 5)];
    expect(feesOf(settledFulfillment(WFS, [...usual, charged(9, 1)]))).toEqual([9]);
    expect(feesOf(settledFulfillment(WFS, [...usual, charged(9, 2), charged(3, 1)]))).toEqual([3]);
  });

  it('counts for 60 days, and not what is charged later', () => {
    expect(feesOf(settledFulfillment(WFS, [charged(5, 60), charged(3, 59), charged(7, -1)]))).toEqual([3]);
    expect(settledFulfillment(WFS, [charged(5, 60)])).toEqual([]);
  });

  it('is apart for each price band of FBA, since the published fees last changed', () => {
    const fba = { ...WFS, marketplace: 'amazon', now: instant(Date.UTC(2026, 3, 27)) } as const;
    const at = (fee: number, price: number, date: number) => ({
      ...charged(fee, 0, 1, price),
      settledAt: instant(Date.UTC(2026, 3, date)),
    });
    // The surcharge begins on April 17.
    const sales = [at(3, 9.99, 20), at(4, 20, 21), at(6, 20, 16), at(5, 60, 22)];
    expect(settledFulfillment(fba, sales)).toMatchObject([
      { fee: usd(3), askedPrice: usd(9.99) },
      { fee: usd(4), askedPrice: usd(20) },
      { fee: usd(5), askedPrice: usd(60) },
    ]);
  });

  it('counts from the one on that an administrator accepted', () => {
    const [accepted] = settledFulfillment(WFS, [charged(3, 5)]);
    if (accepted === undefined) throw new Error('Nothing was charged.');
    const evidence = { ...WFS, answers: [{ ...accepted, isAccepted: true }] };
    expect(feesOf(settledFulfillment(evidence, [charged(5, 9, 4), charged(3, 5)]))).toEqual([3]);
    expect(feesOf(settledFulfillment(evidence, []))).toEqual([3]);
  });

  it('only raises the fee while it is doubted', () => {
    const stepsOf = (fee: number) => {
      const doubtedSince = daysAgo(2);
      const answers = settledFulfillment({ ...WFS, doubtedSince }, [charged(4, 5), charged(fee, 1, 9)]);
      const evidence = { marketplace: 'walmart', feeCategory: null, isHazardous: false, answers } as const;
      return reportedSteps({ ...evidence, doubtedSince, now: NOW }, null);
    };
    expect(stepsOf(6)).toMatchObject([{ fee: usd(6), isDoubted: true }]);
    expect(stepsOf(3)).toEqual([{ upTo: null, fee: usd(4) }]);
  });

  const sales = fc.array(
    fc.record({
      price: fc.constant(usd(20)),
      fee: fc.integer({ min: 1, max: 9 }).map((dollars) => usd(dollars)),
      units: fc.integer({ min: 1, max: 5 }),
      settledAt: fc.integer({ min: -5, max: 70 }).map(daysAgo),
    }),
    { maxLength: 12 },
  );

  law('is what a count of every unit gives, in any order', sales, (all) => {
    const counting = all.filter(({ settledAt }) => settledAt > daysAgo(60) && settledAt <= NOW);
    const units = counting
      .flatMap(({ fee, units: count }) => Array<Cents>(count).fill(fee))
      .sort((a, b) => a - b);
    const newest = Math.max(...counting.map(({ settledAt }) => settledAt));
    const last = counting.filter(({ settledAt }) => settledAt === newest).map(({ fee }) => fee);
    const expected =
      units.length === 0 ? [] : [Math.max(units[Math.floor(units.length / 2)] ?? 0, ...last) / 100];
    expect(feesOf(settledFulfillment(WFS, all))).toEqual(expected);
    expect(settledFulfillment(WFS, all.toReversed())).toEqual(settledFulfillment(WFS, all));
  });

  law('is never below half of the units that were charged', sales, (all) => {
    const [answer] = settledFulfillment(WFS, all);
    if (answer === undefined) return;
    const steps = reportedSteps({ ...WFS, feeCategory: null, isHazardous: false, answers: [answer] }, null);
    const counts = feeAtPrice(steps, usd(20)) ?? 0;
    const counting = all.filter(({ settledAt }) => settledAt > daysAgo(60) && settledAt <= NOW);
    const unitsOf = (some: readonly SettledUnits[]) => some.reduce((sum, { units }) => sum + units, 0);
    expect(unitsOf(counting.filter(({ fee }) => fee <= counts)) * 2).toBeGreaterThan(unitsOf(counting));
  });
});
