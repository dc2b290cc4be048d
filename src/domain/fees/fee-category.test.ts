import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bps, cents } from '#domain/units.ts';
import { aFeeSchedule, NOW } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { feeSchedules } from '#tests/builders/scenarios.ts';
import {
  type CategoryFacts,
  categoryMap,
  feeCategoryOf,
  feesOfCategory,
  isLowerSomewhere,
} from './fee-category.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { type FeeTable, feeTimesWhole } from './fee-table.ts';
import { feesInForce, feeTables } from './fee-tables.ts';

const named = (category: string | null, schedule: FeeSchedule): FeeSchedule => ({
  ...schedule,
  marketplace: 'ebay',
  category,
});
const MAP = categoryMap([
  { marketplace: 'ebay', kind: 'product_type', key: 'TV', category: 'Screens' },
  { marketplace: 'ebay', kind: 'external_category', key: '267', category: 'Books' },
  { marketplace: 'ebay', kind: 'external_category', key: '2536', category: 'Cards' },
  { marketplace: 'ebay', kind: 'external_category', key: '9', category: 'Not charged' },
]);
const BOOK = feeTables([
  named(null, aFeeSchedule([{ percent: 15 }])),
  named('Screens', aFeeSchedule([{ percent: 8 }])),
  named('Books', aFeeSchedule([{ percent: 17 }])),
  named('Cards', aFeeSchedule([{ upTo: 20, percent: 8 }, { percent: 20 }])),
]);
const facts = (over: Partial<CategoryFacts>): CategoryFacts => ({
  marketplace: 'ebay',
  feeCategory: null,
  productType: null,
  externalCategory: null,
  acceptedCategory: null,
  ...over,
});
const found = (over: Partial<CategoryFacts>) => feeCategoryOf(BOOK, MAP, facts(over), NOW);

describe('the fee category of a listing', () => {
  it.each([
    ['nothing known', {}, null, 'none', true],
    ['a product type in any spelling', { productType: ' tv ' }, 'Screens', 'mapped', false],
    ['one that is not in the map', { productType: 'SOFA' }, null, 'none', true],
    ['a category', { externalCategory: '267' }, 'Books', 'mapped', false],
    ['the nearest ancestor', { externalCategory: '267/2536/77' }, 'Cards', 'mapped', false],
    ['a category without a fee schedule', { externalCategory: '9' }, null, 'none', true],
    ['a user before the map', { feeCategory: 'Lamps', productType: 'TV' }, 'Lamps', 'person', true],
    ['one accepted', { productType: 'TV', acceptedCategory: 'Screens' }, 'Screens', 'mapped', true],
    ['another one accepted', { productType: 'TV', acceptedCategory: 'Books' }, 'Screens', 'mapped', false],
  ])('of %s', (_, given, category, source, isAccepted) => {
    expect(found(given)).toEqual({ category, source, isAccepted });
  });

  it('is another one of the same key on another marketplace', () => {
    expect(found({ marketplace: 'walmart', productType: 'TV' }).category).toBeNull();
  });
});

describe('the fees of a mapped category', () => {
  const feeAt = (over: Partial<CategoryFacts>, revenue: number, book = BOOK) => {
    const table = feesOfCategory(book, 'ebay', feeCategoryOf(book, MAP, facts(over), NOW), NOW);
    return table === null ? null : feeTimesWhole(table, cents(revenue)) / 10_000;
  };

  it('rise at once and fall only once the category is accepted', () => {
    expect([feeAt({ externalCategory: '2536' }, 2_000), feeAt({ externalCategory: '2536' }, 2_001)]).toEqual([
      300, 400.2,
    ]);
    const accepted = { externalCategory: '2536', acceptedCategory: 'Cards' };
    expect([feeAt(accepted, 2_000), feeAt(accepted, 2_001)]).toEqual([160, 400.2]);
    expect(feeAt({ productType: 'TV' }, 1_000)).toBe(150);
  });

  it('are one table for all listings, which says what counts', () => {
    const tableOf = (over: Partial<CategoryFacts>) => feesOfCategory(BOOK, 'ebay', found(over), NOW);
    const table = tableOf({ productType: 'TV' });
    expect(tableOf({ productType: 'tv' })).toBe(table);
    expect(table?.basis.source).toMatchObject({
      category: 'mapped',
      schedule: { category: 'Screens' },
      atLeast: { category: null },
    });
    const accepted = tableOf({ productType: 'TV', acceptedCategory: 'Screens' });
    expect(accepted?.basis.source).not.toHaveProperty('atLeast');
    expect(accepted?.version).not.toBe(table?.version);
    expect(accepted !== null && table !== null && isLowerSomewhere(accepted, table)).toBe(true);
    expect(table !== null && isLowerSomewhere(table, table)).toBe(false);
  });

  it('are unknown without a default, until the category is accepted', () => {
    const book = feeTables([named('Screens', aFeeSchedule([{ percent: 8 }]))]);
    expect(feeAt({ productType: 'TV' }, 1_000, book)).toBeNull();
    expect(feeAt({ productType: 'TV', acceptedCategory: 'Screens' }, 1_000, book)).toBe(80);
  });
});

law(
  'before a mapped category is accepted, its fee at every revenue is the higher of its schedule and the default',
  fc.tuple(feeSchedules(), feeSchedules(), fc.integer({ min: 1, max: 100_000 })),
  ([usual, other, revenue]) => {
    const book = feeTables([named(null, usual), named('Screens', other)], { ebay: 800 as Bps });
    const category = feeCategoryOf(book, MAP, facts({ productType: 'TV' }), NOW);
    const table = feesOfCategory(book, 'ebay', category, NOW);
    const fees = ['Screens', null].map((each) => feesInForce(book, 'ebay', each, NOW));
    const feeOf = (each: FeeTable | null) => (each === null ? null : feeTimesWhole(each, cents(revenue)));
    expect(feeOf(table)).toBe(Math.max(...fees.map((each) => feeOf(each) ?? Number.NaN)));
  },
);
