import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { marginOf } from '#domain/costs/margin.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import { type Bps, type Cents, MAX_CENTS } from '#domain/units.ts';
import { law } from '#tests/builders/law.ts';
import { isAllowedPrice, keepsMargin, lowestByTrying, type Terms } from '#tests/builders/oracle.ts';
import { intervalsOf, isAllowedQuickly } from '#tests/builders/quick-oracle.ts';
import { priceTerms } from '#tests/builders/scenarios.ts';
import {
  type AllowedPrices,
  allowedPrices,
  highestAllowedTo,
  isAllowed,
  lowestAllowedFrom,
  type PriceTerms,
} from './allowed-prices.ts';

/** Prices up to here are checked one by one. */
const MAX_CHECKED_PRICE = 1_200;
const small = priceTerms(600);
const large = priceTerms(30_000_000);

function setOf(terms: Terms): AllowedPrices {
  const { schedule, ...rest } = terms;
  return allowedPrices({ ...(rest as unknown as Omit<PriceTerms, 'fees'>), fees: compileFees(schedule) });
}

/** The prices at and next to every boundary, and a few in between. */
function probes({ ranges }: AllowedPrices, { schedule, shippingCharge }: Terms): number[] {
  const ends = compileFees(schedule).pieces.map(({ to }) => to - shippingCharge);
  const edges = [1, MAX_CENTS, ...ends, ...ranges];
  return edges
    .flatMap((edge) => [edge - 1, edge, edge + 1])
    .filter((price) => price >= 1 && price <= MAX_CENTS);
}

describe('the allowed prices equal those found by checking every price', () => {
  law('span by span, on any fee schedule', small, (terms) => {
    const set = setOf(terms);
    const floor = lowestByTrying(terms, MAX_CHECKED_PRICE);
    if (floor !== null) expect(set.marginFloor).toBe(floor);
    else expect(set.marginFloor ?? MAX_CENTS).toBeGreaterThan(MAX_CHECKED_PRICE);
    for (let price = 1; price <= MAX_CHECKED_PRICE; price += 1) {
      const allowed = floor !== null && isAllowedPrice(price, terms, floor);
      if (isAllowed(set, price) !== allowed) expect.fail(`${price} is ${allowed ? '' : 'not '}allowed`);
    }
  });

  law(
    'and the quick second calculation of the long proof says the same',
    small,
    (terms) => {
      const floor = lowestByTrying(terms, MAX_CHECKED_PRICE);
      const intervals = intervalsOf(terms.schedule);
      for (let price = 1; price <= MAX_CHECKED_PRICE; price += 1) {
        const allowed = floor !== null && isAllowedPrice(price, terms, floor);
        if (isAllowedQuickly(price, terms, intervals) !== allowed)
          expect.fail(`${price} is ${allowed ? '' : 'not '}allowed`);
      }
    },
    0.3,
  );

  law('at every edge of large prices too', large, (terms) => {
    const set = setOf(terms);
    for (const price of probes(set, terms)) {
      const allowed = set.marginFloor !== null && isAllowedPrice(price, terms, set.marginFloor);
      if (isAllowed(set, price) !== allowed) expect.fail(`${price} is ${allowed ? '' : 'not '}allowed`);
    }
  });

  law('with the floor tight: allowed, and no price below it', fc.oneof(small, large), (terms) => {
    const unbound = { ...terms, minPrice: null, maxPrice: null };
    const { marginFloor } = setOf(unbound);
    const below = probes(setOf(unbound), unbound).filter(
      (price) => marginFloor === null || price < marginFloor,
    );
    for (const price of below) expect(keepsMargin(price, unbound)).toBe(false);
    if (marginFloor !== null) expect(keepsMargin(marginFloor, unbound)).toBe(true);
  });

  law('in spans that rise and never touch', fc.oneof(small, large), (terms) => {
    const { ranges, marginFloor, priceCeiling } = setOf(terms);
    expect(ranges.length % 2).toBe(0);
    ranges.forEach((edge, index) => {
      expect(Number.isInteger(edge)).toBe(true);
      const before = ranges[index - 1];
      if (before !== undefined) expect(edge).toBeGreaterThanOrEqual(index % 2 === 0 ? before + 2 : before);
    });
    expect(marginFloor === null).toBe(priceCeiling === null);
    if (marginFloor === null) expect(ranges).toEqual([]);
  });
});

describe('questions to the set', () => {
  const requested = fc.record({ terms: small, price: fc.integer({ min: -20, max: MAX_CHECKED_PRICE }) });

  law('find the same neighbours as trying every price', requested, ({ terms, price }) => {
    const set = setOf({
      ...terms,
      maxPrice: Math.min(terms.maxPrice ?? MAX_CHECKED_PRICE, MAX_CHECKED_PRICE),
    });
    let below: number | null = null;
    let above: number | null = null;
    for (let tried = price; tried >= 1 && below === null; tried -= 1)
      if (isAllowed(set, tried)) below = tried;
    for (let tried = price; tried <= MAX_CHECKED_PRICE && above === null; tried += 1)
      if (isAllowed(set, tried)) above = tried;
    expect(highestAllowedTo(set, price)).toBe(below);
    expect(lowestAllowedFrom(set, price)).toBe(above);
  });
});

describe('the margin', () => {
  const priced = fc.oneof(
    fc.record({ terms: small, price: fc.integer({ min: 1, max: MAX_CHECKED_PRICE }) }),
    fc.record({ terms: large, price: fc.integer({ min: 1, max: 2 * MAX_CENTS - 30_000_000 }) }),
  );

  law('is at least the minimum exactly where a price keeps it', priced, ({ terms, price }) => {
    const { shippingCharge, totalCost, schedule, minimumMargin } = terms;
    const fees = compileFees(schedule);
    const margin = marginOf(price as Cents, shippingCharge as Cents, totalCost as Cents, fees);
    expect(margin !== null && margin >= minimumMargin).toBe(keepsMargin(price, terms));
  });
});

describe('the margin floor never falls', () => {
  const raised = fc.record({ terms: fc.oneof(small, large), more: fc.integer({ min: 1, max: 500 }) });
  const floorOf = (terms: Terms) => setOf(terms).marginFloor ?? Number.POSITIVE_INFINITY;

  law('when the cost rises', raised, ({ terms, more }) => {
    expect(floorOf({ ...terms, totalCost: terms.totalCost + more })).toBeGreaterThanOrEqual(floorOf(terms));
  });

  law('when the minimum margin rises', raised, ({ terms, more }) => {
    const minimumMargin = Math.min(9_999, terms.minimumMargin + more);
    expect(floorOf({ ...terms, minimumMargin })).toBeGreaterThanOrEqual(floorOf(terms));
  });

  law('when a fixed fee is added', raised, ({ terms, more }) => {
    const bands = terms.schedule.bands.map((band) => ({ ...band, fixed: (band.fixed + more) as Cents }));
    expect(floorOf({ ...terms, schedule: { ...terms.schedule, bands } })).toBeGreaterThanOrEqual(
      floorOf(terms),
    );
  });
});

describe('the scenarios', () => {
  law('are about schedules a person could save', fc.oneof(small, large), ({ schedule }) => {
    expect(checkFeeSchedule(schedule)).toBeNull();
  });
});

law(
  'with a greatest discount a price is allowed where it and what is left of it keep the margin, within the limits',
  fc.tuple(small, fc.integer({ min: 1, max: 8_000 })),
  ([terms, share]) => {
    const greatestDiscount = share as Bps;
    const unbound = setOf({
      ...terms,
      minPrice: null,
      maxPrice: MAX_CENTS,
      marketplaceLimits: null,
    } as Terms);
    const set = setOf({ ...terms, greatestDiscount } as Terms);
    const keeps = (price: number): boolean =>
      isAllowed(unbound, price) && isAllowed(unbound, Math.floor((price * (10_000 - share)) / 10_000));
    const floor = set.marginFloor;
    for (let price = 1; price <= MAX_CHECKED_PRICE; price += 1) {
      if (floor === null || price < floor) expect(keeps(price)).toBe(false);
      const isWithin = floor !== null && isAllowedPrice(price, terms, floor);
      if (isAllowed(set, price)) expect(keeps(price) && isWithin).toBe(true);
      else if (floor !== null && price === floor) expect(isWithin).toBe(false);
    }
  },
);
