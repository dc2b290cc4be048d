import { expect, test } from 'vitest';
import { aRuleView } from '#tests/builders/rule-views.ts';
import { addressScope, arePoints, copiedDraft, scopedDraft } from './address-scope.ts';

test('the address names listings by what a rule can have; the rest is ignored', () => {
  expect(addressScope({ start: 'beat' })).toBeNull();
  expect(addressScope({ marketplace: 'nowhere', supplier: '|', tag: 3 })).toBeNull();
  const scope = addressScope({ supplier: 'Acme|Bolt|', fulfillment: 'FBM', marketplace: 'amazon', q: 'x' });
  expect(scope).toEqual({ supplier: 'Acme|Bolt', fulfillment: 'FBM', marketplace: 'amazon' });
  expect(scopedDraft(scope ?? {})).toMatchObject({
    marketplace: 'amazon',
    fulfillmentType: 'FBM',
    scope: { suppliers: ['Acme', 'Bolt'], brands: [] },
  });
});

test('a copy has the same prices for these listings alone, with all its minimum margins raised', () => {
  const rule = aRuleView({
    name: 'Beat all',
    minimumMargin: '15.10',
    marketplaceMargins: { amazon: '12.20' },
    segment: { ...aRuleView().segment, marketplaces: ['amazon', 'ebay'], brands: ['Lark'] },
    priority: 5,
  });
  const copy = copiedDraft(rule, { supplier: 'Acme' }, '3');
  expect(copy).toMatchObject({
    name: 'Beat all: Acme',
    strategy: 'Beat Competitor',
    minimumMargin: '18.1',
    marketplaceMargins: { amazon: '15.2' },
    scope: { suppliers: ['Acme'], brands: ['Lark'], marketplaces: ['amazon', 'ebay'], priority: '5' },
  });
  expect(copiedDraft(rule, { supplier: 'Acme', marketplace: 'ebay' }, '').scope.marketplaces).toEqual([]);
  expect(copiedDraft(rule, { supplier: 'Acme' }, ' 2,5 ').minimumMargin).toBe('17.6');
});

test('points are a number with up to two decimals, or none', () => {
  for (const text of ['', ' ', '3', '2.5', '12,25']) expect(arePoints(text), text).toBe(true);
  for (const text of ['-3', 'three', '3.125', '300']) expect(arePoints(text), text).toBe(false);
});
