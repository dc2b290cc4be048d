import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { marginOf } from '#domain/costs/margin.ts';
import { allowedPrices, type PriceTerms } from '#domain/limits/allowed-prices.ts';
import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { aFeeSchedule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { compileFees, composeFees } from './compose-fees.ts';
import type { FeeAnswer } from './fee-answer.ts';
import type { FeeBasis, ReportedSource } from './fee-basis.ts';
import { candidatesFor, feeCandidates } from './fee-candidates.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { type FeeTable, feeTimesWhole } from './fee-table.ts';
import { nextQuestion } from './next-question.ts';
import { reportedRates } from './reported-rates.ts';

const NONE = 0 as Bps;
const CURRENT = usd(24.99);

/** Asks a marketplace with secret fees until nothing is left to ask. */
function askAll(truth: FeeTable, schedules: readonly FeeSchedule[], terms: Omit<PriceTerms, 'fees'>) {
  const candidates = feeCandidates(schedules, NONE);
  const answers: FeeAnswer[] = [];
  let price: Cents | null = CURRENT;
  let basis: FeeBasis;
  do {
    // Three a day, so that the limit of a day ends no search.
    const toldAt = (NOW + Math.floor(answers.length / 3) * hours(24)) as Instant;
    const commission = Math.round(feeTimesWhole(truth, price) / WHOLE) as Cents;
    const requested = { fulfillmentType: 'FBM', askedPrice: price, askedShipping: usd(0) } as const;
    answers.push({
      ...requested,
      source: 'estimate',
      toldAt,
      commission,
      perUnit: usd(0),
      isAccepted: false,
    });
    const fitting = candidatesFor(candidates, answers).map(({ schedule }) => schedule);
    const source: ReportedSource = {
      kind: 'told',
      marketplace: 'amazon',
      by: 'estimate',
      toldAt,
      askedPrice: price,
      schedules: fitting,
      rates: fitting.length > 0 ? [] : reportedRates(answers),
    };
    basis = {
      source,
      salesTax: NONE,
      fulfillment: [],
      shippingCharge: usd(0),
      adShare: NONE,
      returnShare: NONE,
    };
    const now = (NOW + Math.floor(answers.length / 3) * hours(24)) as Instant;
    price = nextQuestion({
      basis,
      source,
      answers,
      candidates,
      terms,
      currentPrice: CURRENT,
      recommendedPrice: null,
      now,
    });
  } while (price !== null);
  return { answers, floor: allowedPrices({ ...terms, fees: composeFees(basis) }).marginFloor, basis };
}

const terms = (cost: number, margin = 15): Omit<PriceTerms, 'fees'> => ({
  totalCost: usd(cost),
  shippingCharge: usd(0),
  minimumMargin: pct(margin),
  minPrice: null,
  maxPrice: null,
  anchorPrice: CURRENT,
});

const A15 = aFeeSchedule([{ percent: 15, minimum: 0.3 }]);
const BEAUTY = aFeeSchedule([
  { upTo: 10, percent: 8, minimum: 0.3 },
  { percent: 15, minimum: 0.3 },
]);
const GROCERY = aFeeSchedule([{ upTo: 15, percent: 8 }, { percent: 15 }]);

it('asks where the schedules that agree so far differ most, and stops when one is left', () => {
  const requested = (truth: FeeSchedule) =>
    askAll(compileFees(truth), [A15, BEAUTY, GROCERY], terms(7)).answers.map(({ askedPrice }) => askedPrice);
  expect(requested(GROCERY)).toEqual([CURRENT, usd(15)]);
  expect(requested(BEAUTY)).toEqual([CURRENT, usd(15), usd(10)]);
});

it('asks four times a day, and twelve times at most', () => {
  const answer: FeeAnswer = {
    source: 'estimate',
    fulfillmentType: 'FBM',
    askedPrice: CURRENT,
    askedShipping: usd(0),
    toldAt: NOW,
    commission: usd(5),
    perUnit: usd(0),
    isAccepted: false,
  };
  const { basis } = askAll(compileFees(aFeeSchedule([{ percent: 20 }])), [], terms(7));
  const source = basis.source as ReportedSource;
  const ask = (answers: FeeAnswer[], now: Instant) =>
    nextQuestion({
      basis,
      source,
      answers,
      candidates: [],
      terms: terms(7),
      currentPrice: CURRENT,
      recommendedPrice: null,
      now,
    });
  const same = (count: number) => Array.from({ length: count }, () => answer);
  const others = Array.from({ length: 12 }, (_, index) => ({ ...answer, askedPrice: usd(20 + index) }));
  const tomorrow = (NOW + hours(24)) as Instant;
  expect(ask(same(3), NOW)).not.toBeNull();
  expect(ask(same(4), NOW)).toBeNull();
  expect(ask(same(12), tomorrow)).not.toBeNull();
  expect(ask(others.slice(1), tomorrow)).not.toBeNull();
  expect(ask(others, tomorrow)).toBeNull();
});

it('asks for the recommended price last, if its fee is only assumed', () => {
  const { basis, answers } = askAll(compileFees(GROCERY), [], terms(7));
  const source = basis.source as ReportedSource;
  const now = (NOW + hours(24 * 9)) as Instant;
  const ask = (recommendedPrice: Cents) =>
    nextQuestion({
      basis,
      source,
      answers,
      candidates: [],
      terms: terms(7),
      currentPrice: CURRENT,
      recommendedPrice,
      now,
    });
  expect(source.rates.filter(({ isAssumed }) => isAssumed)).toHaveLength(1);
  expect(ask(usd(18))).toBe(usd(18));
  expect(ask(CURRENT)).toBeNull();
});

it('asks for the price ceiling once where no schedule fits, so that a price can rise', () => {
  const flat = compileFees(aFeeSchedule([{ percent: 17.3 }]));
  const { answers, basis } = askAll(flat, [], { ...terms(7), maxPrice: usd(60) });
  expect(
    answers.filter(({ askedPrice }) => askedPrice > CURRENT).map(({ askedPrice }) => askedPrice),
  ).toEqual([usd(60)]);
  const fees = composeFees(basis);
  expect(allowedPrices({ ...terms(7), maxPrice: usd(60), fees }).ranges.at(-1)).toBe(usd(60));
});

it('asks for the floor also where the fulfillment fee was not reported yet', () => {
  const answer: FeeAnswer = {
    source: 'estimate',
    fulfillmentType: 'FBA/WFS',
    askedPrice: usd(47.99),
    askedShipping: usd(0),
    toldAt: NOW,
    commission: usd(9.84),
    perUnit: usd(0),
    isAccepted: false,
  };
  const source: ReportedSource = {
    kind: 'told',
    marketplace: 'amazon',
    by: 'estimate',
    toldAt: NOW,
    askedPrice: usd(47.99),
    schedules: [],
    rates: reportedRates([answer]),
  };
  const fulfillment = [
    { upTo: usd(50), fee: usd(6.02) },
    { upTo: null, fee: null },
  ];
  const shares = { adShare: NONE, returnShare: NONE };
  const basis: FeeBasis = { source, salesTax: NONE, fulfillment, shippingCharge: usd(0), ...shares };
  const given = { ...terms(26.69), anchorPrice: usd(47.99) };
  const question = { source, basis, answers: [answer], candidates: [], terms: given, now: NOW };
  // 20.51% and 6.02, as far as it is known.
  expect(nextQuestion({ ...question, currentPrice: usd(47.99), recommendedPrice: null })).toBe(usd(50.73));
});

/** A secret table of one to three bands at any edges, of both kinds, and a listing to price. */
const secrets = fc
  .record({
    bands: fc.array(fc.integer({ min: 500, max: 2_500 }), { minLength: 1, maxLength: 3 }),
    ends: fc.uniqueArray(fc.integer({ min: 300, max: 6_000 }), { minLength: 2, maxLength: 2 }),
    bandKind: fc.constantFrom('whole' as const, 'marginal' as const),
    cost: fc.integer({ min: 200, max: 2_500 }),
    margin: fc.integer({ min: 500, max: 3_000 }),
  })
  .map(({ bands, ends, bandKind, cost, margin }) => {
    const rising = ends.toSorted((a, b) => a - b);
    const rows = bands.map((percent, index) => ({
      percent: percent / 100,
      ...(index === bands.length - 1 ? {} : { upTo: (rising[index] ?? 0) / 100 }),
    }));
    return { schedule: aFeeSchedule(rows, bandKind), terms: terms(cost / 100, margin / 100) };
  });

/** 20,000 tables in a long run. */
const TABLES = Number(process.env.PROPERTY_RUNS ?? 500);

test('few questions find the floor of any table, and it never breaks the promise by more than the reported cent', {
  timeout: 300_000 + TABLES * 60,
}, () => {
  const found = fc
    .sample(secrets, { seed: 20_261_123, numRuns: TABLES })
    .map(({ schedule, terms: given }) => {
      const truth = compileFees(schedule);
      const { answers, floor } = askAll(truth, [], given);
      const best = allowedPrices({ ...given, fees: truth }).marginFloor;
      // Not the one for the price ceiling, which comes when the floor is found.
      const asked = answers.slice(0, -1).length;
      if (floor === null) return { asked, isTight: best === null };
      const margin = marginOf(floor, usd(0), given.totalCost, truth) ?? NONE;
      expect(margin).toBeGreaterThanOrEqual(given.minimumMargin - Math.ceil(WHOLE / (2 * floor)));
      // A reported cent and a whole cent of the price, and 0.1 points.
      return { asked, isTight: best !== null && floor - best <= 2 + best / 1_000 };
    });
  const share = (holds: (each: (typeof found)[number]) => boolean) =>
    found.filter(holds).length / found.length;
  expect(share(({ isTight }) => isTight)).toBeGreaterThan(0.98);
  expect(share(({ asked }) => asked <= 4)).toBeGreaterThan(0.85);
  expect(share(({ asked }) => asked <= 12)).toBe(1);
});
