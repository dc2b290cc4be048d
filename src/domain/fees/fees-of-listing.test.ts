import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedPrices, isAllowed } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { aFeeSchedule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { feeSchedules } from '#tests/builders/scenarios.ts';
import { compileFees, composeFees } from './compose-fees.ts';
import { answersOf, type FeeAnswer } from './fee-answer.ts';
import type { FeeSource } from './fee-basis.ts';
import { answersSetAside, feeCandidates } from './fee-candidates.ts';
import type { FeeFact } from './fee-fact.ts';
import { areTooManyJumps, feeJump } from './fee-jump.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { type FeeTable, feeTimesWhole } from './fee-table.ts';
import { type FeeEvidence, feesOfListing, type ListingFees } from './fees-of-listing.ts';

const NONE = 0 as Bps;
const named = (category: string, schedule: FeeSchedule): FeeSchedule => ({
  ...schedule,
  marketplace: 'amazon',
  category,
});
const rate = (percent: number, category = `All ${percent}%`) =>
  named(category, aFeeSchedule([{ percent, minimum: 0.3 }]));
const A15 = rate(15);
const BEAUTY = named(
  'Beauty',
  aFeeSchedule([
    { upTo: 10, percent: 8, minimum: 0.3 },
    { percent: 15, minimum: 0.3 },
  ]),
);
const GROCERY = named('Grocery', aFeeSchedule([{ upTo: 15, percent: 8 }, { percent: 15 }]));
const DAY = hours(24);

const at = (days: number) => (NOW + days * DAY) as Instant;
const answer = (price: number, commission: number, days = 0): FeeAnswer => ({
  source: 'estimate',
  fulfillmentType: 'FBM',
  askedPrice: usd(price),
  askedShipping: usd(0),
  toldAt: at(days),
  commission: usd(commission),
  perUnit: usd(0),
  isAccepted: false,
});

const evidence = (answers: readonly FeeAnswer[], over: Partial<FeeEvidence> = {}): FeeEvidence => ({
  marketplace: 'amazon',
  fulfillmentType: 'FBM',
  ownRate: null,
  answers,
  sameCategory: [],
  candidates: feeCandidates([A15, BEAUTY, GROCERY, rate(17), rate(8)], NONE),
  schedule: A15,
  category: 'none',
  revenue: usd(24.99),

  salesTax: NONE,
  doubtedSince: null,
  now: at(3),
  ...over,
});

function tableOf(source: FeeSource | null): FeeTable {
  if (source === null) throw new Error('The fee is unknown.');
  const parts = { fulfillment: [], shippingCharge: usd(0), adShare: NONE, returnShare: NONE };
  return composeFees({ source, salesTax: NONE, ...parts });
}

function allowed(source: FeeSource | null, cost: number, margin = 15) {
  return allowedPrices({
    totalCost: usd(cost),
    shippingCharge: usd(0),
    fees: tableOf(source),
    minimumMargin: pct(margin),
    minPrice: null,
    maxPrice: usd(500),
    anchorPrice: null,
  });
}

const categories = ({ inForce }: ListingFees) =>
  inForce?.kind === 'told' ? inForce.schedules.map(({ category }) => category) : [inForce?.kind];

describe('what was reported', () => {
  it('example 7: cost $18.00, margin 15%, at 15% and at 8%', () => {
    expect(allowed({ kind: 'schedule', schedule: A15, category: 'none' }, 18).marginFloor).toBe(usd(25.72));
    const reported = feesOfListing(evidence([answer(24.99, 2)]));
    expect(categories(reported)).toEqual(['All 8%']);
    expect(allowed(reported.inForce, 18).marginFloor).toBe(usd(23.38));
  });

  it('example 9: each answer leaves the schedules that agree with all of them', () => {
    const three = { candidates: feeCandidates([A15, BEAUTY, GROCERY], NONE) };
    const reported = [answer(24.99, 3.75), answer(9.99, 0.8), answer(12, 1.8)];
    const fitting = (count: number) => categories(feesOfListing(evidence(reported.slice(0, count), three)));
    expect(fitting(1)).toEqual(['All 15%', 'Beauty', 'Grocery']);
    expect(fitting(2)).toEqual(['Beauty', 'Grocery']);
    expect(fitting(3)).toEqual(['Beauty']);
  });

  it('example 10: of several the highest fee counts, until the one is known', () => {
    const reported = [answer(24.99, 3.75), answer(9.99, 0.8), answer(12, 0.96)];
    expect(allowed(feesOfListing(evidence(reported.slice(0, 1))).inForce, 7).marginFloor).toBe(usd(10));
    expect(allowed(feesOfListing(evidence(reported)).inForce, 7).marginFloor).toBe(usd(9.1));
  });

  it('example 11: the regular amount counts, whatever a promotion takes off it', () => {
    const fact: FeeFact = {
      kind: 'commission',
      name: null,
      source: 'estimate',
      fulfillmentType: 'FBM',
      askedPrice: usd(24.99),
      askedShipping: usd(0),
      amount: usd(3.75),
      promotion: usd(3.75),
      toldAt: NOW,
      isAccepted: false,
    };
    const closing: FeeFact = { ...fact, kind: 'closing', amount: usd(1.8), promotion: usd(0) };
    const answers = answersOf([closing, fact], NONE);
    expect(answers).toEqual([{ ...answer(24.99, 3.75), perUnit: usd(1.8) }]);
    const books = named('Books', aFeeSchedule([{ percent: 15, perUnit: 1.8 }]));
    const candidates = feeCandidates([A15, books], NONE);
    expect(categories(feesOfListing(evidence(answers, { candidates })))).toEqual(['Books']);
  });

  it('of another fulfillment type does not count, and a day of it that nothing fits is set aside', () => {
    const warehouse: FeeAnswer = { ...answer(24.99, 2), fulfillmentType: 'FBA/WFS' };
    expect(categories(feesOfListing(evidence([warehouse])))).toEqual(['schedule']);
    const raised = [answer(24.99, 3.75), answer(9.99, 1.5), answer(24.99, 4.25, 1)];
    expect(categories(feesOfListing(evidence(raised)))).toEqual(['All 17%']);
  });

  it('a rate of its own that rose leaves nothing of the days before in use', () => {
    const before = [answer(25, 2.84), answer(13.59, 1.54, 0.001)];
    const rates = (reported: readonly FeeAnswer[]) => {
      const { inForce } = feesOfListing(
        evidence(reported, { schedule: null, revenue: usd(25), now: at(20) }),
      );
      return inForce?.kind === 'told' ? inForce.rates : null;
    };
    expect(rates(before)).toHaveLength(3);
    const risen = [...before, answer(25, 3.34, 7), answer(25, 3.34, 14)];
    expect(rates(risen)).toMatchObject([{ from: usd(25), to: usd(25), percent: 1_338 }]);
    const requested = [...risen.slice(0, 3), answer(13.97, 1.86, 7.001), answer(25, 3.34, 14)];
    expect(rates(requested)?.[0]).toMatchObject({ from: usd(13.97), to: usd(13.97) });
    expect(rates(requested)?.at(-1)).toMatchObject({ from: usd(25), to: usd(25) });
  });

  it('stays in use when it is older than 60 days, the newest day of it', () => {
    const old = [answer(24.99, 3.75), answer(24.99, 4.25, 1)];
    expect(categories(feesOfListing(evidence(old, { now: at(90) })))).toEqual(['All 17%']);
  });
});

describe('rises count at once, falls the second time', () => {
  const floorOf = (reported: ListingFees) => allowed(reported.inForce, 10).marginFloor;
  const before = [answer(24.99, 3.75), answer(14.29, 2.14), answer(9.99, 1.5)];
  const listing = { revenue: usd(14.29) };

  it('example 30: reported 17% instead of 15%: the floor rises with that answer', () => {
    const reported = feesOfListing(evidence([...before, answer(14.29, 2.43, 1)], listing));
    expect(floorOf(feesOfListing(evidence(before, listing)))).toBe(usd(14.29));
    expect(floorOf(reported)).toBe(usd(14.71));
    expect(reported.held).toBeNull();
  });

  it('example 30: reported 8% instead: held, and in use when it is reported again a day later', () => {
    const once = feesOfListing(evidence([...before, answer(14.29, 1.14, 1)], listing));
    expect(floorOf(once)).toBe(usd(14.29));
    expect(once.held?.schedules.map(({ category }) => category)).toEqual(['Grocery', 'All 8%']);
    const soon = [...before, answer(14.29, 1.14, 1), answer(24.99, 2, 1.9)];
    expect(floorOf(feesOfListing(evidence(soon, listing)))).toBe(usd(14.29));
    // Up to 14.29 the 15% reported at 9.99 counts until it is asked again.
    const twice = [...before, answer(14.29, 1.14, 1), answer(24.99, 2, 2)];
    expect(floorOf(feesOfListing(evidence(twice, listing)))).toBe(usd(14.29));
    twice.push(answer(9.99, 0.8, 2.1));
    expect(floorOf(feesOfListing(evidence(twice, listing)))).toBe(usd(12.99));
    expect(feesOfListing(evidence(twice, listing)).held).toBeNull();
  });

  it('example 30: reported 17% by what is a schedule with lower bands: no floor falls before those are reported', () => {
    const clothing = named(
      'Clothing',
      aFeeSchedule([
        { upTo: 15, percent: 5, minimum: 0.3 },
        { upTo: 20, percent: 10, minimum: 0.3 },
        { percent: 17, minimum: 0.3 },
      ]),
    );
    const candidates = feeCandidates([A15, BEAUTY, GROCERY, clothing], NONE);
    const dear = { candidates, revenue: usd(25), now: at(9) };
    const day1 = [answer(25, 3.75), answer(15, 2.25), answer(10, 1.5)];
    const reported = [...day1, answer(25, 4.25, 8)];
    const fees = feesOfListing(evidence(reported, dear));
    // 17% of 25.00 is at most 17.02%, by half a cent.
    expect(floorOf(fees)).toBe(usd(14.72));
    expect(fees.held?.schedules).toEqual([clothing]);
    expect(answersSetAside(candidates, reported)).toEqual(day1.slice(1));
    const everywhere = feesOfListing(evidence([...reported, answer(15, 2.55, 8.1)], dear));
    expect([floorOf(everywhere), everywhere.held]).toEqual([usd(15), null]);
    const low = [...reported, answer(15, 0.75, 8.1), answer(10, 0.5, 8.2)];
    expect(floorOf(feesOfListing(evidence(low, dear)))).toBe(usd(14.72));
    const again = [...low, answer(10, 0.5, 9.2)];
    expect(floorOf(feesOfListing(evidence(again, { ...dear, now: at(10) })))).toBe(usd(12.5));
  });

  it('holds a lower fee beyond what was reported of a listing with rates of its own', () => {
    const reported = [answer(25, 2.84), answer(25, 2.84, 1), answer(13.59, 1.54, 1.001)];
    const cheap = { revenue: usd(12), now: at(9) };
    const fees = (...more: FeeAnswer[]) => feesOfListing(evidence([...reported, ...more], cheap));
    const mistake = fees(answer(12, 0.14, 7));
    expect([mistake.held?.askedPrice, floorOf(mistake)]).toEqual([usd(12), usd(13.59)]);
    expect(feeTimesWhole(tableOf(mistake.inForce), usd(12))).toBeNaN();
    const other = fees(answer(12, 0.14, 7), answer(25, 2.84, 8.1));
    expect([other.held?.askedPrice, floorOf(other)]).toEqual([usd(12), usd(13.59)]);
    expect(fees(answer(12, 0.14, 7), answer(12, 0.14, 8.1)).held).toBeNull();
    expect(fees(answer(12, 1.36, 7)).held).toBeNull();
    // A rise before that counts at once, in the whole range: 15% of 20.00 is at most 15.03%.
    const rise = fees(answer(12, 0.14, 7), answer(20, 3, 7.1));
    expect([rise.held?.askedPrice, floorOf(rise)]).toEqual([usd(12), usd(14.3)]);
    // Nor does it count by confirming the first answers.
    const first = feesOfListing(
      evidence([answer(25, 2.84), answer(13.59, 1.54, 0.1), answer(12, 0.14, 7)], cheap),
    );
    expect([first.held?.askedPrice, floorOf(first)]).toEqual([usd(12), usd(13.59)]);
  });

  it('a schedule that agrees with the newest price alone lowers no fee reported at another one', () => {
    const clothing = named('Clothing', aFeeSchedule([{ upTo: 15, percent: 5 }, { percent: 10 }]));
    const candidates = feeCandidates([A15, clothing], NONE);
    const reported = [answer(5.57, 0.84), answer(15.64, 1.56, 1), answer(15.64, 1.56, 2)];
    const feesAt = (answers: readonly FeeAnswer[], prices: readonly number[]) => {
      const { inForce } = feesOfListing(evidence(answers, { candidates, revenue: usd(15.64) }));
      return prices.map((price) => Math.floor(feeTimesWhole(tableOf(inForce), usd(price)) / WHOLE) / 100);
    };
    expect(feesAt(reported, [5.57, 10, 15.63, 15.64])).toEqual([0.84, 1.51, 2.37, 1.56]);
    // Nor while an answer waits that no schedule agrees with.
    expect(feesAt([...reported, answer(20, 1, 2.5)], [5.57, 15.64, 20])).toEqual([0.84, 1.56, 2]);
    expect(feesAt([...reported, answer(5.57, 0.28, 2.1)], [5.57, 10])).toEqual([0.27, 0.5]);
  });

  it('a user may accept it, and an answer that contradicts it drops it', () => {
    const fall = [...before, answer(14.29, 1.14, 1)];
    const agreed = [...before, { ...answer(14.29, 1.14, 1), isAccepted: true }];
    const accepted = feesOfListing(evidence(agreed, listing));
    expect([floorOf(accepted), accepted.held]).toEqual([usd(12.99), null]);
    const dropped = feesOfListing(evidence([...fall, answer(14.29, 2.14, 2)], listing));
    expect([floorOf(dropped), dropped.held]).toEqual([usd(14.29), null]);
  });

  it('first answers that no schedule fits are held where they lower the fee, and count where they raise it', () => {
    const lower = feesOfListing(evidence([answer(14.29, 1.43)], listing));
    expect([categories(lower), lower.held?.schedules]).toEqual([['schedule'], []]);
    const higher = feesOfListing(evidence([answer(14.29, 2.86)], listing));
    expect(higher.inForce).toMatchObject({ kind: 'told', schedules: [], rates: [{ percent: 2_005 }] });
  });
});

describe('what is doubted', () => {
  const candidates = feeCandidates([A15, BEAUTY, GROCERY, rate(17), rate(8)], NONE);
  const doubting = (answers: readonly FeeAnswer[], now = 8) =>
    feesOfListing(evidence(answers, { candidates, doubtedSince: at(7), now: at(now) }));
  const before = [answer(24.99, 3.75), answer(9.99, 1.5)];
  const percentAt = ({ inForce }: ListingFees, price: number) =>
    feeTimesWhole(tableOf(inForce), usd(price)) / usd(price);

  it('raises the fee, and says so', () => {
    const raised = doubting([...before, answer(24.99, 4.25, 7)]);
    expect(raised.inForce).toMatchObject({ kind: 'told', isDoubted: true });
    expect([percentAt(raised, 24.99), percentAt(raised, 100)]).toEqual([1_700, 1_700]);
    const accepted = doubting([...before, { ...answer(24.99, 4.25, 7), isAccepted: true }]);
    expect(accepted.inForce).not.toHaveProperty('isDoubted');
    const settled = doubting([...before, { ...answer(24.99, 4.25, 7), source: 'settled' }]);
    expect(settled.inForce).toMatchObject({ isDoubted: true });
  });

  it('never lowers it, however often it is reported and though a schedule fits', () => {
    const lower = [...before, answer(24.99, 2, 7), answer(24.99, 2, 8.1), answer(9.99, 0.8, 8.2)];
    const fallen = doubting(lower, 9);
    expect(fallen.inForce).not.toHaveProperty('isDoubted');
    expect([percentAt(fallen, 24.99), percentAt(fallen, 9.99)]).toEqual([1_500, 1_500]);
    expect(fallen.held).not.toBeNull();
    const first = doubting([answer(24.99, 2, 7)]);
    expect([first.inForce?.kind, first.held?.schedules]).toEqual(['schedule', [rate(8)]]);
  });

  it('leaves a fee that is reported as before as it is', () => {
    const same = [...before, answer(24.99, 3.75, 7)];
    expect(doubting(same)).toEqual(feesOfListing(evidence(before, { candidates, now: at(8) })));
  });
});

describe('a jump', () => {
  const reported = (price: number, commission: number, over: Partial<FeeEvidence> = {}) =>
    feeJump(evidence([answer(24.99, 3.75), answer(price, commission, 3)], over));

  it('is more than 2 points away from what was reported before, upwards or downwards', () => {
    expect(reported(24.99, 4.25)).toBeNull();
    expect(reported(24.99, 4.5)).toMatchObject({ before: pct(15), told: pct(18) });
    expect(reported(24.99, 2)).toMatchObject({ before: pct(15), told: pct(8) });
  });

  it('is none where a schedule that was left has it, where nothing was reported before, and with an own rate', () => {
    expect(reported(12, 0.96)).toBeNull();
    expect(feeJump(evidence([answer(24.99, 2, 3)]))).toBeNull();
    expect(reported(24.99, 4.5, { ownRate: { rate: pct(12), by: null } })).toBeNull();
    expect(reported(24.99, 4.5, { now: at(4) })).toBeNull();
  });

  it('of a listing with rates of its own is measured there, and beyond what was asked against all of them', () => {
    const rates = [answer(10, 1.9), answer(20, 4.4)];
    const jump = (price: number, commission: number) =>
      feeJump(evidence([...rates, answer(price, commission, 3)], { schedule: null }));
    expect(jump(20, 4.9)).toMatchObject({ before: pct(22), told: pct(24.5) });
    expect(jump(15, 3.1)).toBeNull();
    expect(jump(30, 5.9)).toBeNull();
    expect(jump(30, 7.5)).toMatchObject({ told: pct(25) });
  });

  it('of what was taken of sales is measured against that, never against a schedule beyond the prices sold', () => {
    const sold = (price: number, commission: number, days: number): FeeAnswer => ({
      ...answer(price, commission, days),
      source: 'settled',
      settled: { commission: usd(commission), base: null, category: null },
    });
    const jump = (price: number, commission: number) =>
      feeJump(evidence([sold(50, 5, 0), sold(price, commission, 3)]));
    expect([jump(20, 2), jump(20, 2.4), jump(50, 5.9)]).toEqual([null, null, null]);
    expect([jump(20, 2.5), jump(50, 2.5)]).toMatchObject([
      { before: pct(10), told: pct(12.5) },
      { before: pct(10), told: pct(5) },
    ]);
    expect(feeJump(evidence([sold(20, 3, 0), sold(9, 0.72, 3)]))).toBeNull();
    // An older sale that is booked later is no change.
    const booked = [sold(50, 2.5, 1), sold(50, 5, 3)];
    expect(feeJump(evidence(booked), ({ toldAt: when }) => when === at(1))).toBeNull();
    expect(feeJump(evidence(booked), ({ toldAt: when }) => when === at(3))).toMatchObject({ since: at(3) });
  });

  it.each([
    [{ jumped: 5, told: 24, listings: 24 }, true],
    [{ jumped: 5, told: 5, listings: 25 }, false],
    [{ jumped: 4, told: 4, listings: 4 }, false],
    [{ jumped: 201, told: 900, listings: 250_000 }, true],
    [{ jumped: 200, told: 900, listings: 250_000 }, false],
    [{ jumped: 1_000, told: 5_000, listings: 5_000 }, false],
  ])('too many: %o', (counts, isTooMany) => {
    expect(areTooManyJumps(counts)).toBe(isTooMany);
  });
});

describe('precedence', () => {
  it("L6: a user's own rate before all, what was told before a schedule, and unknown without any", () => {
    const reported = [answer(24.99, 3.75), answer(14.99, 2.55)];
    const own = feesOfListing(evidence(reported, { ownRate: { rate: pct(12), by: null } }));
    expect(own).toEqual({ inForce: { kind: 'person', rate: pct(12), by: null, schedule: A15 }, held: null });
    expect(
      feesOfListing(evidence(reported, { ownRate: { rate: pct(12), by: null }, schedule: null })).inForce,
    ).toBeNull();
    expect(feesOfListing(evidence(reported, { schedule: null }))).toMatchObject({
      inForce: { kind: 'told' },
    });
    expect(feesOfListing(evidence([], { schedule: null })).inForce).toBeNull();
    expect(categories(feesOfListing(evidence([])))).toEqual(['schedule']);
  });

  it('an own rate replaces the percentage and keeps minimum and fixed parts', () => {
    const schedule = aFeeSchedule([{ percent: 15, fixed: 0.4, minimum: 0.3 }]);
    const table = tableOf({ kind: 'person', rate: pct(12), by: null, schedule });
    expect(feeTimesWhole(table, usd(10))).toBe(160 * WHOLE);
    expect(feeTimesWhole(table, usd(1))).toBe(70 * WHOLE);
    const taxed = tableOf({
      kind: 'person',
      rate: pct(12),
      by: null,
      schedule: aFeeSchedule([{ percentTaxed: 13.6 }]),
    });
    expect(feeTimesWhole(taxed, usd(10))).toBe(120 * WHOLE);
  });
});

/** Some schedules, one of which is the truth, and answers that were given by it. */
const requested = fc
  .record({
    schedules: fc.array(feeSchedules(), { minLength: 1, maxLength: 5 }),
    prices: fc.uniqueArray(fc.integer({ min: 100, max: 3_000 }), { minLength: 1, maxLength: 5 }),
    revenue: fc.integer({ min: 1, max: 4_000 }),
  })
  .map(({ schedules, prices, revenue }) => {
    const plain = schedules.map((schedule) => ({
      ...schedule,
      edgeBase: 'revenue' as const,
      bands: schedule.bands.map((band) => ({ ...band, percentTaxed: NONE, fixed: usd(0), perUnit: usd(0) })),
    }));
    const [truth] = plain;
    const fees = compileFees(truth as FeeSchedule, NONE);
    const told = prices.map((price, index) => {
      const commission = Math.round(feeTimesWhole(fees, price as Cents) / WHOLE) as Cents;
      return { ...answer(1, 1), askedPrice: price as Cents, commission, toldAt: (NOW + index) as Instant };
    });
    return { schedules: plain, fees, told, revenue: revenue as Cents };
  });

law(
  'L2 and L3: the truth is never above the fee in use, and every answer is reproduced',
  requested,
  (given) => {
    const { schedules, fees, told, revenue } = given;
    const candidates = feeCandidates(schedules, NONE);
    const { inForce } = feesOfListing(evidence(told, { candidates, schedule: null, revenue }));
    expect(feeTimesWhole(tableOf(inForce), revenue)).toBeGreaterThanOrEqual(feeTimesWhole(fees, revenue));
    for (const { askedPrice, commission } of told) {
      for (const schedule of inForce?.kind === 'told' ? inForce.schedules : []) {
        const fee = feeTimesWhole(compileFees(schedule, NONE), askedPrice);
        expect(Math.abs(Math.round(fee / WHOLE) - commission)).toBeLessThanOrEqual(1);
      }
    }
  },
);

law(
  'L2 and L3: rates of its own reproduce every answer, and say nothing outside of what was asked',
  requested,
  (given) => {
    const { told } = given;
    const table = tableOf(
      feesOfListing(
        evidence(
          told.map((each) => ({ ...each, isAccepted: true })),
          { candidates: [], schedule: null },
        ),
      ).inForce,
    );
    const requested = told.map(({ askedPrice }) => askedPrice).sort((a, b) => a - b);
    for (const { askedPrice, commission } of told) {
      const over = feeTimesWhole(table, askedPrice) - commission * WHOLE;
      expect(over).toBeGreaterThanOrEqual(0);
      expect(over).toBeLessThanOrEqual(WHOLE + askedPrice);
    }
    expect(feeTimesWhole(table, ((requested[0] ?? 0) - 1) as Cents)).toBeNaN();
    expect(feeTimesWhole(table, ((requested.at(-1) ?? 0) + 1) as Cents)).toBeNaN();
  },
);

law(
  'L3: every price allowed under the highest fee of several is allowed under each of them',
  requested,
  (given) => {
    const { schedules, told } = given;
    const candidates = feeCandidates(schedules, NONE);
    const { inForce } = feesOfListing(evidence(told, { candidates, schedule: null }));
    if (inForce?.kind !== 'told') throw new Error('Answers were not used.');
    const set = allowed(inForce, 6);
    for (const schedule of inForce.schedules) {
      const own = allowed({ kind: 'schedule', schedule, category: 'none' }, 6);
      for (const price of set.ranges) expect(isAllowed(own, price)).toBe(true);
    }
  },
);

law(
  'L5: a rise counts at once at any price, and a fall at one price only when it was reported a day apart',
  fc.record({
    hasCandidates: fc.boolean(),
    readings: fc.constantFrom([usd(24.99)], [usd(24.99), usd(9.99), usd(14)]).chain((prices) =>
      fc.array(
        fc.record({
          percent: fc.constantFrom(8, 8.4, 12.3, 15, 15.3, 17, 31),
          price: fc.constantFrom(...prices),
          hours: fc.integer({ min: 1, max: 30 }),
        }),
        { minLength: 1, maxLength: 7 },
      ),
    ),
  }),
  ({ hasCandidates, readings }) => {
    const revenue = usd(24.99);
    let time = NOW as number;
    const reported: FeeAnswer[] = [];
    let before = 0;
    const isOnePrice = readings.every(({ price }) => price === revenue);
    for (const { percent, price, hours: passed } of readings) {
      time += hours(passed);
      const commission = Math.round((price * percent) / 100) as Cents;
      reported.push({ ...answer(1, 1), askedPrice: price, commission, toldAt: time as Instant });
      const given = evidence(reported, {
        revenue,
        now: time as Instant,
        ...(hasCandidates ? {} : { candidates: [] }),
      });
      const table = tableOf(feesOfListing(given).inForce);
      const there = feeTimesWhole(table, price);
      // An unknown fee allows no price.
      if (!Number.isNaN(there)) expect(there).toBeGreaterThanOrEqual((commission - 1) * WHOLE);
      const now = feeTimesWhole(table, revenue);
      const dayAgo = reported.filter(({ toldAt }) => time - toldAt >= DAY);
      const slight = 51 * revenue + WHOLE;
      if (isOnePrice && before - now > slight && reported.length > 1) {
        const rates = dayAgo.map((each) => (each.commission * WHOLE) / each.askedPrice);
        expect(Math.min(...rates) * revenue).toBeLessThanOrEqual(now + slight);
      }
      before = now;
    }
  },
);
