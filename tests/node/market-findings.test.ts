import { beforeEach, describe, expect, test } from 'vitest';
import { cents, hours, type Instant, instant, minutes } from '#domain/units.ts';
import { NO_TERMS, type Terms } from '#sandbox/world/terms.ts';
import type { PriceCause, PriceChange } from '#sandbox/world/truth/price-history.ts';
import {
  chased,
  countTrueEdits,
  falseEdits,
  type Hold,
  isCaused,
  type LedgerRow,
  lostTerms,
  type MarketTruth,
  missedEdits,
  overwrittenEdits,
  strays,
} from '#tests/support/market-findings.ts';

/*
 * A check that cannot fail proves nothing: each is given a story in which all is well, and the same with one fault.
 */

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const at = (hour: number): Instant => instant(START + hours(hour));
const ITEM = { marketplace: 'walmart', sku: 'W-1' } as const;

let changes: PriceChange[];
let rows: LedgerRow[];
const truth: MarketTruth = {
  now: at(48),
  prices: (marketplace, sku) => (marketplace === ITEM.marketplace && sku === ITEM.sku ? changes : []),
};

function buyersSee(hour: number, price: number, cause: PriceCause, over: Partial<PriceChange> = {}): void {
  const terms = NO_TERMS;
  changes.push({ at: at(hour), price: cents(price), salePrice: null, terms, cause, shownAt: {}, ...over });
}

/** Rows that follow each other. */
function ledgerHas(...reported: readonly (readonly [hour: number, price: number, source: string])[]): void {
  rows = reported.map(([hour, price, source], index) => {
    const until = reported[index + 1]?.[0];
    return {
      ...ITEM,
      price: cents(price),
      source,
      reason: source,
      at: at(hour),
      until: until === undefined ? null : at(until),
    };
  });
}

/** At 2 o'clock the seller sets $17.50, which is adopted at 4 o'clock; a rule corrects it at 30 o'clock. */
beforeEach(() => {
  changes = [];
  buyersSee(0, 2_000, 'start');
  buyersSee(2, 1_750, 'seller');
  buyersSee(30, 2_000, 'sent');
  ledgerHas([0, 2_000, 'import'], [4, 1_750, 'observed'], [30, 2_000, 'rule']);
});

test('a story in which all is well has no findings', () => {
  expect(countTrueEdits(truth, [ITEM])).toBe(1);
  expect(falseEdits(truth, rows)).toEqual([]);
  expect(missedEdits(truth, [ITEM], rows)).toEqual([]);
  expect(overwrittenEdits(truth, [ITEM], rows)).toEqual([]);
  expect(chased(truth, [ITEM], rows)).toEqual([]);
});

describe('a false edit is found', () => {
  test.each<[string, () => void]>([
    ['of a price that no one set', () => ledgerHas([0, 2_000, 'import'], [4, 1_749, 'observed'])],
    ['of a price of our own', () => ledgerHas([0, 1_750, 'import'], [31, 2_000, 'observed'])],
    ['before it was set', () => ledgerHas([0, 2_000, 'import'], [1, 1_750, 'observed'])],
    ['after it was replaced', () => ledgerHas([0, 2_000, 'import'], [31, 1_750, 'observed'])],
    [
      'of another listing',
      () => {
        rows = rows.map((row) => ({ ...row, sku: 'W-2' }));
      },
    ],
  ])('%s', (_, makeFault) => {
    makeFault();
    expect(falseEdits(truth, rows)).toHaveLength(1);
  });
});

describe('a missed edit is found', () => {
  test.each<[string, () => void]>([
    ['that the ledger never had', () => ledgerHas([0, 2_000, 'import'])],
    ['that it had at another price', () => ledgerHas([0, 2_000, 'import'], [4, 1_749, 'observed'])],
    [
      'whose price it only had before',
      () => ledgerHas([-9, 1_750, 'import'], [-8, 2_000, 'rule'], [31, 2_100, 'rule']),
    ],
    ['whose price it only had after', () => ledgerHas([0, 2_000, 'import'], [31, 1_750, 'rule'])],
  ])('%s', (_, makeFault) => {
    makeFault();
    expect(missedEdits(truth, [ITEM], rows)).toHaveLength(1);
  });

  test('of a native repricer too, and none that lasts shorter than it may take to find', () => {
    changes = [];
    buyersSee(0, 2_000, 'start');
    buyersSee(2, 1_750, 'repricer');
    buyersSee(7, 1_700, 'repricer', { at: instant(at(7) - minutes(1)) });
    ledgerHas([0, 2_000, 'import']);
    expect(missedEdits(truth, [ITEM], rows)).toHaveLength(1);
    expect(countTrueEdits(truth, [ITEM])).toBe(1);
  });
});

describe('an edit that a price of ours wrote over is found', () => {
  /** The seller's $17.50 lasts for an hour, until a call ends it. */
  const overwrite = () => {
    changes = [];
    buyersSee(0, 2_000, 'start');
    buyersSee(2, 1_750, 'seller');
    buyersSee(3, 1_900, 'sent');
    ledgerHas([0, 2_000, 'import'], [3, 1_900, 'rule']);
  };

  test('however short it lasted, and only if the ledger never had it', () => {
    overwrite();
    expect(missedEdits(truth, [ITEM], rows)).toEqual([]);
    expect(overwrittenEdits(truth, [ITEM], rows)).toHaveLength(1);
    ledgerHas([0, 2_000, 'import'], [2.5, 1_750, 'observed'], [3, 1_900, 'rule']);
    expect(overwrittenEdits(truth, [ITEM], rows)).toEqual([]);
  });

  test('also of a price that was ours more than a day before, and not within one', () => {
    const backAt = (hour: number) => {
      changes = [];
      buyersSee(0, 2_000, 'start');
      buyersSee(1, 1_900, 'sent');
      buyersSee(hour, 2_000, 'seller');
      buyersSee(hour + 1, 1_800, 'sent');
      ledgerHas([0, 2_000, 'import'], [1, 1_900, 'rule'], [hour + 1, 1_800, 'rule']);
      return overwrittenEdits(truth, [ITEM], rows);
    };
    expect(backAt(25)).toEqual([]);
    expect(backAt(26)).toHaveLength(1);
  });

  test('and not one that the seller ended', () => {
    overwrite();
    changes = changes.filter(({ cause }) => cause !== 'sent');
    buyersSee(3, 1_800, 'seller');
    ledgerHas([0, 2_000, 'import'], [4, 1_800, 'observed']);
    expect(overwrittenEdits(truth, [ITEM], rows)).toEqual([]);
  });
});

test('a listing that a rule moves without a cause is found', () => {
  ledgerHas([0, 2_000, 'import'], [4, 1_750, 'observed'], [30, 2_000, 'rule'], [31, 1_999, 'rule']);
  expect(chased(truth, [ITEM], rows)).toHaveLength(1);
  // What users and repairs did is no chase.
  ledgerHas([0, 2_000, 'import'], [30, 2_000, 'rule'], [31, 1_999, 'person'], [32, 2_000, 'repair']);
  expect(chased(truth, [ITEM], rows)).toEqual([]);
});

describe('a hold has a cause', () => {
  const ours: Hold = { ...ITEM, by: 'Pricewright', reason: 'Price changed on Walmart' };
  const theirs: Hold = { ...ITEM, by: 'Walmart', reason: 'A repricer' };
  const running: Terms = { ...NO_TERMS, repricer: { min: null, max: null } };

  test('ours within a day of an edit, and not later', () => {
    expect(isCaused(truth, ours)).toBe(true);
    expect(isCaused({ ...truth, now: at(30 + 26) }, ours)).toBe(false);
    changes = changes.filter(({ cause }) => cause !== 'seller');
    expect(isCaused(truth, ours)).toBe(false);
  });

  test.each<[string, Partial<PriceChange>]>([
    ['a native repricer', { terms: running }],
    ['a sale', { salePrice: cents(1_500) }],
  ])("the marketplace's within a day of %s, and not without one", (_, over) => {
    expect(isCaused(truth, theirs)).toBe(false);
    buyersSee(31, 2_000, 'terms', over);
    buyersSee(40, 2_000, 'terms');
    expect(isCaused(truth, theirs)).toBe(true);
    expect(isCaused({ ...truth, now: at(40 + 27) }, theirs)).toBe(false);
  });
});

test('a listing whose buyers see another price than the ledger, or none, is found', () => {
  const listing = { ...ITEM, price: cents(2_000) };
  expect(strays([listing], () => cents(2_000))).toEqual([]);
  expect(strays([listing], () => cents(1_999))).toHaveLength(1);
  expect(strays([listing], () => undefined)).toHaveLength(1);
});

describe('lost terms are found', () => {
  const sale = { price: cents(1_700), from: at(3), to: at(13) };
  const bounds = { min: cents(1_400), max: cents(2_600) };
  const plan = [{ ...ITEM, terms: { bounds } }];
  const done = [{ ...ITEM, at: at(2), terms: { sale } }];
  const kept: Terms = { ...NO_TERMS, sale, bounds };
  const received = [{ ...ITEM, price: cents(1_400) }];

  test('and none where all is kept', () => {
    expect(lostTerms(plan, done, () => kept, received)).toEqual([]);
  });

  test.each<[string, Terms | undefined, number]>([
    ['a sale that is removed', { ...kept, sale: null }, 1_400],
    ['another sale', { ...kept, sale: { ...sale } }, 1_400],
    ['bounds that are removed', { ...kept, bounds: NO_TERMS.bounds }, 1_400],
    ['a price below them that was sent', kept, 1_399],
    ['a price above them that was sent', kept, 2_601],
    ['a listing that is removed', undefined, 1_400],
  ])('%s', (_, terms, price) => {
    expect(lostTerms(plan, done, () => terms, [{ ...ITEM, price: cents(price) }])).toEqual(['walmart W-1']);
  });
});
