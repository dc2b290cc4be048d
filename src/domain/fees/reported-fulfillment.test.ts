import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marginOf } from '#domain/costs/margin.ts';
import { allowedPrices, isAllowed } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, hours, type Instant, instant, WHOLE } from '#domain/units.ts';
import { aFeeSchedule, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { composeFees } from './compose-fees.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import { fulfillmentJump } from './fee-jump.ts';
import { type FulfillmentAnswer, fulfillmentAnswers } from './fulfillment-answer.ts';
import { heldFulfillment, nextFulfillmentQuestion, reportedSteps } from './reported-fulfillment.ts';
import { feeAtPrice, publishedRows, stepAtPrice } from './warehouse-fee.ts';

/** With published fees and the surcharge, and in the season without any. */
const SUMMER = instant(Date.UTC(2026, 6, 1));
const SEASON = instant(Date.UTC(2026, 10, 1));
const DAY = hours(24);

const reported = (price: number, fee: number, toldAt: Instant = SEASON): FulfillmentAnswer => ({
  source: 'estimate',
  fulfillmentType: 'FBA/WFS',
  askedPrice: usd(price),
  askedShipping: usd(0),
  fee: usd(fee),
  toldAt,
  isAccepted: false,
});
const evidence = (...answers: FulfillmentAnswer[]) => ({
  marketplace: 'amazon' as const,
  feeCategory: null,
  isHazardous: false,
  answers,
  now: answers.at(-1)?.toldAt ?? SEASON,
});
const later = (hoursLater: number, from: Instant = SEASON) => instant(from + hours(hoursLater));
const feesOf = (steps: readonly FulfillmentStep[]) =>
  [9.99, 10, 50, 50.01].map((price) => {
    const fee = feeAtPrice(steps, usd(price));
    return fee === null ? null : fee / 100;
  });
const isAssumedAt = (steps: readonly FulfillmentStep[], price: number) =>
  stepAtPrice(steps, usd(price))?.isAssumed ?? false;

describe('fees that are doubted', () => {
  const doubted = (...answers: FulfillmentAnswer[]) => ({ ...evidence(...answers), doubtedSince: later(1) });
  const stepAt = (price: number, ...answers: FulfillmentAnswer[]) =>
    stepAtPrice(reportedSteps(doubted(...answers), null), usd(price));

  it('count where they rise, and are marked, also in the bands that follow from them', () => {
    expect(stepAt(24.99, reported(24.99, 4), reported(24.99, 6, later(2)))).toMatchObject({
      fee: usd(6),
      isDoubted: true,
    });
    expect(stepAt(9.99, reported(24.99, 4), reported(24.99, 6, later(2)))).toMatchObject({
      fee: usd(6),
      isDoubted: true,
    });
    expect(stepAt(24.99, reported(24.99, 4), reported(24.99, 4, later(2)))).not.toHaveProperty('isDoubted');
    const accepted = { ...reported(24.99, 6, later(2)), isAccepted: true };
    expect(stepAt(24.99, reported(24.99, 4), accepted)).not.toHaveProperty('isDoubted');
  });

  it('never fall, however often that is reported, and nothing more is asked', () => {
    const lower = [
      reported(24.99, 3, later(2)),
      reported(24.99, 3, later(60)),
      reported(24.99, 3.95, later(70)),
    ];
    const all = [reported(24.99, 4), ...lower];
    expect(stepAt(24.99, ...all)).toEqual({ upTo: usd(50), fee: usd(4) });
    expect(heldFulfillment(doubted(...all))).toEqual(lower);
    const near = { currentPrice: usd(24.99), range: null };
    expect(nextFulfillmentQuestion({ ...doubted(...all), ...near })).toBeNull();
  });
});

it('is not asked again on the day of an answer that was rejected', () => {
  const old = [reported(24.99, 4, later(-31 * 24))];
  const near = { currentPrice: usd(24.99), range: null, now: later(5) };
  const question = { ...evidence(...old), ...near };
  expect(nextFulfillmentQuestion(question)).toMatchObject({ after: null });
  const asked = [...old, reported(24.99, 2, later(5))];
  expect(nextFulfillmentQuestion({ ...question, asked })).toMatchObject({ after: later(29) });
});

describe('a jump', () => {
  const jump = (price: number, fee: number, before = reported(24.99, 4)) =>
    fulfillmentJump(evidence(before, reported(price, fee, later(48))));

  it('is more than 2 points of the price away from the fee that counted', () => {
    expect(jump(24.99, 4.49)).toBeNull();
    expect(jump(24.99, 4.51)).toMatchObject({ before: 1_601, told: 1_805, since: later(48) });
    expect(jump(24.99, 3)).toMatchObject({ before: 1_601, told: 1_200 });
    expect(fulfillmentJump(evidence(reported(24.99, 9)))).toBeNull();
  });

  it('is none where nothing was reported for its prices since the published fees changed', () => {
    expect(jump(60, 9)).toBeNull();
    expect(jump(24.99, 6, reported(24.99, 4.35, SUMMER))).toBeNull();
  });
});

describe('the fee of a price band', () => {
  it('is what was reported of a price in it, and in the others that of the published row with it', () => {
    expect(feesOf(reportedSteps(evidence(reported(24.99, 4.35, SUMMER)), null))).toEqual([
      3.5, 4.35, 4.35, 4.62,
    ]);
    expect(
      reportedSteps(evidence(reported(24.99, 4.35, SUMMER)), null).filter(({ isAssumed }) => isAssumed),
    ).toEqual([]);
  });

  it('is the highest reported one below, and unknown above, where no published row has it', () => {
    expect(feesOf(reportedSteps(evidence(reported(24.99, 4.35)), null))).toEqual([4.35, 4.35, 4.35, null]);
    const two = evidence(reported(24.99, 4.35), reported(60, 4.71));
    expect(feesOf(reportedSteps(two, null))).toEqual([4.71, 4.35, 4.35, 4.71]);
  });

  it('is above what was reported the estimate of the package, and assumed', () => {
    const estimate = [{ upTo: null, fee: usd(5) }];
    const steps = reportedSteps(evidence(reported(24.99, 4.35)), estimate);
    expect(feesOf(steps)).toEqual([5, 4.35, 4.35, 5]);
    expect([9.99, 24.99, 60].map((price) => isAssumedAt(steps, price))).toEqual([false, false, true]);
  });

  it('takes no published row of apparel, which has fees of its own', () => {
    const apparel = { ...evidence(reported(24.99, 4.35, SUMMER)), feeCategory: 'Clothing' };
    expect(feesOf(reportedSteps(apparel, null))).toEqual([4.35, 4.35, 4.35, null]);
  });

  it('takes no published row of hazardous goods either', () => {
    const hazardous = { ...evidence(reported(24.99, 4.35, SUMMER)), isHazardous: true };
    expect(feesOf(reportedSteps(hazardous, null))).toEqual([4.35, 4.35, 4.35, null]);
  });

  it('is assumed once more after the fee of another band rose', () => {
    const before = [reported(60, 5), reported(24.99, 4.35)];
    const steps = reportedSteps(evidence(...before, reported(22, 5.2, later(48))), null);
    expect(feesOf(steps)).toEqual([5.2, 5.2, 5.2, 5.2]);
    expect([9.99, 24.99, 60].map((price) => isAssumedAt(steps, price))).toEqual([false, false, true]);
    const rises = [reported(22, 5.2, later(48)), reported(50.01, 6, later(49))];
    const again = reportedSteps(evidence(...before, ...rises, reported(22, 5.2, later(50))), null);
    expect([...feesOf(again), isAssumedAt(again, 60)]).toEqual([6, 5.2, 5.2, 6, false]);
  });

  it('is not that of hours before the fee of another band rose', () => {
    const answers = [reported(15, 4.2), reported(9.5, 3.38, later(188)), reported(15, 4.8, later(202))];
    expect(feesOf(reportedSteps(evidence(...answers), null))).toEqual([4.8, 4.8, 4.8, null]);
    const requested = { currentPrice: usd(15), range: { lowest: usd(5), highest: usd(30) }, now: later(203) };
    expect(nextFulfillmentQuestion({ ...evidence(...answers), ...requested })?.price).toBe(usd(9.99));
  });
});

describe('a fee that was reported before a known date on which fees change', () => {
  const APRIL_16 = instant(Date.UTC(2026, 3, 16));
  const [row = []] = publishedRows({
    marketplace: 'amazon',
    feeCategory: null,
    isHazardous: false,
    now: APRIL_16,
  });
  const at = (now: Instant, ...answers: FulfillmentAnswer[]) => ({ ...evidence(...answers), now });
  const requested = { currentPrice: usd(24.99), range: { lowest: usd(6), highest: usd(60) } };

  it('is assumed in a season that no table has, and asked again at once', () => {
    const answers = [reported(24.99, 4.35, instant(Date.UTC(2026, 9, 14)))];
    const october16 = at(instant(Date.UTC(2026, 9, 16)), ...answers);
    const steps = reportedSteps(october16, null);
    expect(feesOf(steps)).toEqual([4.35, 4.35, 4.35, null]);
    expect([9.99, 24.99].map((price) => isAssumedAt(steps, price))).toEqual([true, true]);
    expect(nextFulfillmentQuestion({ ...october16, ...requested })).toEqual({
      price: usd(24.99),
      after: null,
    });
    const again = at(october16.now, ...answers, reported(24.99, 4.65, october16.now));
    expect(isAssumedAt(reportedSteps(again, null), 24.99)).toBe(false);
    expect(nextFulfillmentQuestion({ ...again, ...requested })?.price).toBe(usd(9.99));
  });

  it('is that of the published row of now where one has it, and asked again at once', () => {
    const april18 = at(later(48, APRIL_16), reported(24.99, (row[1] ?? 0) / 100, APRIL_16));
    const now = publishedRows({ ...april18 })[0] ?? [];
    expect(now[1]).toBeGreaterThan(row[1] ?? 0);
    const steps = reportedSteps(april18, null);
    expect([9.99, 24.99, 60].map((price) => feeAtPrice(steps, usd(price)))).toEqual(now);
    expect(isAssumedAt(steps, 24.99)).toBe(false);
    expect(nextFulfillmentQuestion({ ...april18, ...requested })).toEqual({ price: usd(24.99), after: null });
  });
});

describe('a changed fulfillment fee', () => {
  const at = (steps: readonly FulfillmentStep[]) => feeAtPrice(steps, usd(24.99));
  const countsAfter = (...answers: FulfillmentAnswer[]) =>
    at(reportedSteps(evidence(reported(24.99, 4), ...answers), null));

  it('counts at once where it rose or fell by up to 5%', () => {
    expect(countsAfter(reported(20, 4.6, later(1)))).toBe(usd(4.6));
    expect(countsAfter(reported(20, 3.8, later(1)))).toBe(usd(3.8));
  });

  it('counts where it fell by more when it was reported again 24 hours later', () => {
    expect(countsAfter(reported(20, 3.79, later(1)))).toBe(usd(4));
    expect(countsAfter(reported(20, 3.79, later(1)), reported(20, 3.79, later(24)))).toBe(usd(4));
    expect(countsAfter(reported(20, 3.79, later(1)), reported(20, 3.79, later(25)))).toBe(usd(3.79));
  });

  it('counts at once where an administrator accepted it', () => {
    const lower = reported(20, 3, later(1));
    expect(countsAfter({ ...lower, isAccepted: true })).toBe(usd(3));
    expect(heldFulfillment(evidence(reported(24.99, 4), lower))).toEqual([lower]);
    expect(heldFulfillment(evidence(reported(24.99, 4), { ...lower, isAccepted: true }))).toEqual([]);
  });

  it('waits in turn where the second answer is lower still', () => {
    const falls = [reported(20, 3, later(1)), reported(20, 2, later(25))];
    expect(countsAfter(...falls)).toBe(usd(3));
    expect(countsAfter(...falls, reported(20, 2, later(49)))).toBe(usd(2));
    // Reported lower within the day: the higher one of both was reported a day ago.
    expect(
      countsAfter(reported(20, 3, later(1)), reported(20, 2, later(2)), reported(20, 2, later(25))),
    ).toBe(usd(3));
  });

  it('no longer waits once the higher one was reported again', () => {
    expect(
      countsAfter(reported(20, 3, later(1)), reported(20, 4, later(2)), reported(20, 3, later(26))),
    ).toBe(usd(4));
  });
});

describe('the next question about a fulfillment fee', () => {
  const question = (range: readonly [number, number] | null, ...answers: FulfillmentAnswer[]) => {
    const newest = answers.at(-1) as FulfillmentAnswer;
    const next = nextFulfillmentQuestion({
      ...evidence(...answers),
      currentPrice: usd(24.99),
      range: range === null ? null : { lowest: usd(range[0]), highest: usd(range[1]) },
      now: newest.toldAt,
    });
    return next === null ? null : [next.price / 100, next.after];
  };

  it('is about the bands that the prices of interest reach', () => {
    expect(question([6, 60], reported(24.99, 4.35))).toEqual([9.99, null]);
    expect(question([6, 60], reported(24.99, 4.35), reported(9.99, 3.5, later(1)))).toEqual([50.01, null]);
    expect(question([10, 50], reported(24.99, 4.35))).toBeNull();
    expect(question(null, reported(60, 4.35))).toEqual([24.99, null]);
    expect(question([6, 60], reported(24.99, 4.35, SUMMER))).toBeNull();
  });

  it('is asked again after another band changed, after 30 days, and where a lower fee waits', () => {
    const both = [reported(9.99, 3.5), reported(24.99, 4.35)];
    expect(question([6, 50], ...both, reported(24.99, 4.6, later(48)))).toEqual([9.99, null]);
    expect(question([6, 50], ...both, reported(24.99, 4.35, later(31 * 24)))).toEqual([9.99, null]);
    expect(question([6, 50], ...both, reported(24.99, 3, later(1)))).toEqual([24.99, later(25)]);
  });

  it('waits for the next day after four answers', () => {
    const four = [0, 1, 2, 3].map((hour) => reported(24.99, 4.35, later(hour)));
    expect(question([6, 50], ...four)).toEqual([9.99, later(27)]);
  });
});

it('takes the parts of an answer together, of FBA alone', () => {
  const part = {
    kind: 'fulfillment' as const,
    name: null,
    source: 'estimate' as const,
    askedPrice: usd(20),
    askedShipping: usd(0),
    promotion: usd(0),
    toldAt: SEASON,
    isAccepted: false,
    fulfillmentType: 'FBA/WFS' as const,
    amount: usd(3),
  };
  const others = [
    { ...part, kind: 'commission' as const },
    { ...part, fulfillmentType: 'FBM' as const },
  ];
  const newer = { ...part, toldAt: later(1) };
  expect(fulfillmentAnswers([newer, part, { ...part, amount: usd(0.5) }, ...others])).toEqual([
    reported(20, 3.5),
    reported(20, 3, later(1)),
  ]);
});

/** A secret table: fees of the three bands that rise with the price, or a published row. */
const secret = fc.oneof(
  fc
    .array(fc.integer({ min: 100, max: 900 }), { minLength: 3, maxLength: 3 })
    .map((fees) => ({ at: SEASON, fees: fees.sort((a, b) => a - b) as Cents[] })),
  fc.nat({ max: 80 }).map((row) => ({
    at: SUMMER,
    fees: [
      ...(publishedRows({ marketplace: 'amazon', feeCategory: null, isHazardous: false, now: SUMMER })[row] ??
        []),
    ],
  })),
);
const tableOf = (steps: readonly FulfillmentStep[]) =>
  composeFees({
    source: { kind: 'schedule', schedule: aFeeSchedule([{ percent: 15, minimum: 0.3 }]), category: 'none' },
    salesTax: 0 as Bps,
    fulfillment: steps,
    shippingCharge: usd(0),
    adShare: 0 as Bps,
    returnShare: 0 as Bps,
  });
const stepsOf = ([low, middle, high]: readonly Cents[]): FulfillmentStep[] => [
  { upTo: usd(9.99), fee: low as Cents },
  { upTo: usd(50), fee: middle as Cents },
  { upTo: null, fee: high as Cents },
];
const price = fc.integer({ min: 300, max: 9_000 }) as fc.Arbitrary<Cents>;
const estimates = fc.option(
  fc
    .array(fc.integer({ min: 100, max: 900 }), { minLength: 3, maxLength: 3 })
    .map((fees) => stepsOf(fees as Cents[])),
  { nil: null },
);

law(
  'no price is changed to below its margin, whatever was asked of a secret table',
  fc.record({
    secret,
    asked: fc.array(price, { minLength: 1, maxLength: 4 }),
    estimate: estimates,
    cost: price,
  }),
  ({ secret: { at, fees }, asked, estimate, cost }) => {
    const truth = stepsOf(fees);
    const answers = asked.map((askedPrice) => ({
      ...reported(0, 0, at as Instant),
      askedPrice,
      fee: feeAtPrice(truth, askedPrice) as Cents,
    }));
    const steps = reportedSteps(
      { marketplace: 'amazon', feeCategory: null, isHazardous: false, answers, now: at },
      estimate,
    );
    for (const { askedPrice, fee } of answers) expect(feeAtPrice(steps, askedPrice)).toBe(fee);
    const terms = { totalCost: cost, shippingCharge: usd(0), minimumMargin: 1_500 as Bps };
    const limits = { minPrice: null, maxPrice: null, anchorPrice: null };
    const set = allowedPrices({ ...terms, ...limits, fees: tableOf(steps) });
    const prices = [...set.ranges, 999, 1_000, 5_000, 5_001, ...asked] as Cents[];
    const sent = prices.filter((each) => isAllowed(set, each) && !stepAtPrice(steps, each)?.isAssumed);
    for (const each of sent) {
      expect(marginOf(each, usd(0), cost, tableOf(truth)) ?? 0).toBeGreaterThanOrEqual(1_500);
    }
  },
);

law(
  'a rise counts at once, and a fall of more than 5% only when it was reported a day apart',
  fc.array(fc.record({ fee: fc.integer({ min: 100, max: 900 }), hour: fc.integer({ min: 1, max: 30 }) }), {
    minLength: 1,
    maxLength: 8,
  }),
  (readings) => {
    let at: number = SEASON;
    const answers: FulfillmentAnswer[] = [];
    let before = 0;
    for (const { fee, hour } of readings) {
      at += hours(hour);
      answers.push({ ...reported(20, 0, at as Instant), fee: fee as Cents });
      const counts = feeAtPrice(reportedSteps(evidence(...answers), null), usd(20)) as Cents;
      expect(counts).toBeGreaterThanOrEqual(fee);
      const dayAgo = answers.filter(({ toldAt }) => at - toldAt >= DAY);
      const isSlight = counts * WHOLE >= before * 9_500;
      if (!isSlight) expect(dayAgo.some((answer) => answer.fee * 9_500 <= counts * WHOLE)).toBe(true);
      before = counts;
    }
  },
);
