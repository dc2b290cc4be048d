import { expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import {
  type FeeFact,
  type FeeFactKind,
  type FeeQuestion,
  MAX_ANSWERS,
  newestAnswers,
  refusalOf,
} from './fee-fact.ts';

const at = (dollars: number, over: Partial<FeeQuestion> = {}): FeeQuestion => ({
  fulfillmentType: 'FBM',
  askedPrice: cents(Math.round(dollars * 100)),
  askedShipping: cents(0),
  ...over,
});
const part = (kind: FeeFactKind, amount: number, promotion = 0) => ({
  kind,
  amount: cents(amount),
  promotion: cents(promotion),
});

test('example 11: a commission of 3.75 that a promotion waives whole is used', () => {
  expect(refusalOf(at(24.99), [part('commission', 375, 375)])).toBeNull();
});

test.each<[string, FeeQuestion, ReturnType<typeof part>[], ReturnType<typeof refusalOf>]>([
  ['1% of the revenue', at(10), [part('commission', 10)], null],
  ['less than 1%', at(10), [part('commission', 9)], 'out_of_range'],
  ['60%', at(10), [part('commission', 600)], null],
  ['more than 60%', at(10), [part('commission', 601)], 'out_of_range'],
  ['100%', at(10), [part('commission', 1_000)], 'out_of_range'],
  ['a minimum fee above 60%', at(0.4), [part('commission', 30)], null],
  ['more than the buyer pays', at(10), [part('commission', 1_001)], 'above_revenue'],
  ['a sum above it', at(10), [part('commission', 150), part('other', 851)], 'above_revenue'],
  [
    'a sum that shipping covers',
    at(10, { askedShipping: cents(5) }),
    [part('commission', 150), part('closing', 851)],
    null,
  ],
  ['no commission', at(10), [part('closing', 180)], 'no_commission'],
  ['a commission of 0.00', at(10), [part('commission', 0)], 'no_commission'],
  [
    'no fulfillment fee though the marketplace ships',
    at(10, { fulfillmentType: 'FBA/WFS' }),
    [part('commission', 150)],
    'no_fulfillment',
  ],
  [
    'a fulfillment fee of 0.00',
    at(10, { fulfillmentType: 'FBA/WFS' }),
    [part('commission', 150), part('fulfillment', 0)],
    'no_fulfillment',
  ],
])('an answer with %s', (_, question, parts, refusal) => {
  expect(refusalOf(question, parts)).toBe(refusal);
});

test('of many answers the newest ones decide, each of them whole', () => {
  const facts = Array.from(
    { length: 3 * MAX_ANSWERS },
    (_, index): FeeFact => ({
      ...at(20),
      ...part(index % 2 === 0 ? 'commission' : 'closing', 300),
      name: null,
      source: 'estimate',
      isAccepted: false,
      toldAt: instant(Math.floor(index / 2)),
    }),
  );
  expect(newestAnswers(facts)).toEqual(facts.slice(MAX_ANSWERS));
  expect(newestAnswers(facts.slice(0, MAX_ANSWERS + 5))).toHaveLength(MAX_ANSWERS + 5);
});
