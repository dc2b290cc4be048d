import { describe, expect, test } from 'vitest';
import { LISTING_KINDS } from '#domain/rules/competing-rules.ts';
import { aRuleView } from '#tests/builders/rule-views.ts';
import { minimumMarginText, optionText } from './option-labels.ts';
import { precedenceOf } from './rule-conflicts.ts';
import { BLANK_DRAFT } from './rule-draft.ts';
import {
  averageChangeText,
  competingRuleText,
  floorShareText,
  impactText,
  listingKindsText,
  missingCompetitorsText,
  offsetText,
  uncertainCompetitorsText,
} from './rule-text.ts';
import { strategyExample } from './strategy-text.ts';

describe('a strategy on example prices', () => {
  const example = (strategy: Parameters<typeof strategyExample>[1], over: Partial<typeof BLANK_DRAFT> = {}) =>
    strategyExample({ ...BLANK_DRAFT, ...over }, strategy);

  test('shows the effect of the offset', () => {
    expect(example('Match Competitor')).toBe('Competitor $16.00: your price is $16.00.');
    expect(example('Match Competitor', { competitorOffset: '-0.20' })).toBe(
      'Competitor $16.00: your price is $15.80.',
    );
    expect(example('Beat Competitor')).toBe('Competitor $16.00: your price is $15.99.');
    expect(example('Beat Competitor', { competitorOffset: '0.20' })).toBe(
      'Competitor $16.00: your price is $15.80.',
    );
    expect(example('Beat Competitor', { competitorOffset: '-0.20' })).toBe(
      'Competitor $16.00: your price is $15.80.',
    );
    expect(example('Beat Competitor', { competitorOffset: '20' })).toContain(
      'the lowest allowed price is used',
    );
  });

  test('shows the fixed margin as calculated by the domain', () => {
    expect(example('Fixed Margin', { minimumMargin: '15' })).toBe(
      'Cost $10.00, 15% fee, 15% margin: your price is $14.29.',
    );
    expect(example('Fixed Margin', { minimumMargin: '90' })).toContain('no price can reach this margin');
    expect(example('Fixed Margin', { minimumMargin: 'lots' })).toBe('Enter a margin to see an example.');
  });
});

describe('precedence', () => {
  const all = aRuleView({ id: '1', name: 'All' });
  const ebay = aRuleView({ id: '2', name: 'eBay', marketplace: 'ebay' });
  const young = aRuleView({ id: '3', name: 'Young' });
  const rules = [all, ebay, young, aRuleView({ id: '4', name: 'Paused', isActive: false })];

  test('is shown for a stored rule, with the reason', () => {
    const { competing, isCrowdedOut } = precedenceOf(all, rules);
    expect(competing.map((other) => competingRuleText(other))).toEqual([
      '"eBay" takes precedence for eBay: it is set for one marketplace.',
      'It takes precedence over "Young" for every listing: it is older.',
    ]);
    expect(isCrowdedOut).toBe(false);
    expect(precedenceOf(young, rules).isCrowdedOut).toBe(true);
  });

  test('kinds of listings have readable names', () => {
    expect(listingKindsText(LISTING_KINDS)).toBe('every listing');
    expect(listingKindsText(LISTING_KINDS.filter(({ fulfillmentType }) => fulfillmentType === 'FBM'))).toBe(
      'every FBM listing',
    );
    expect(listingKindsText(LISTING_KINDS.slice(0, 3))).toBe('Walmart, Amazon FBA/WFS');
  });
});

test('a card shows the non-default options of its rule', () => {
  expect(optionText(aRuleView())).toEqual([]);
  const filter = { ...aRuleView().filter, minRating: '90.00', ignoreSellers: ['bob'] };
  const rule = aRuleView({
    requiresReview: true,
    belowFloor: 'skip',
    marketplaceMargins: { ebay: '12.50' },
    filter,
  });
  expect(optionText(rule)).toEqual([
    'Minimum margin eBay 12.5%',
    'Requires review',
    'Competitor below your floor: use the next competitor',
    'Offers rated 90% or better',
    'Ignores 1 seller',
  ]);
  expect(minimumMarginText(rule)).toBe('15%');
  expect(minimumMarginText({ ...rule, marketplace: 'ebay' })).toBe('12.5%');
});

test('the option without a competitor is shown, but not if the strategy does not use it', () => {
  const rule = aRuleView({ noCompetitor: 'ceiling' });
  expect(optionText(rule)).toEqual(['No competitor: use the highest allowed price']);
  expect(optionText({ ...rule, strategy: 'Dynamic Pricing' })).toEqual([]);
  expect(optionText({ ...rule, belowFloor: 'skip', lines: 'floor' })).toEqual([]);
});

test('the effect of removing a rule is shown in full', () => {
  const newRules = [
    { rule: { id: '2', name: 'eBay' }, listings: 30 },
    { rule: null, listings: 1 },
  ];
  expect(impactText({ listings: 33, own: 2, newRules }, true)).toEqual([
    '30 listings move to "eBay" and are repriced.',
    '1 listing matches no other active rule: the price stays as it is.',
    '2 listings are assigned to it: the price stays until you choose another rule.',
  ]);
  expect(impactText({ listings: 1, own: 1, newRules: [] }, false)).toEqual([
    '1 listing is assigned to one of them: the price stays until you choose another rule.',
  ]);
});

test('missing marketplace data is shown if the strategy needs it', () => {
  expect(missingCompetitorsText(null, 'Match Competitor')).toMatch(/^Michaels, Etsy, Shopify do not share/);
  expect(missingCompetitorsText('etsy', 'Beat Competitor')).toMatch(/^Etsy does not share/);
  expect(missingCompetitorsText('amazon', 'Beat Competitor')).toBeNull();
  expect(missingCompetitorsText(null, 'Fixed Margin')).toBeNull();
});

test('competitors found by search are marked as uncertain, if the strategy needs them', () => {
  expect(uncertainCompetitorsText('ebay', 'Match Competitor')).toMatch(
    /^On eBay, competitors are found by searching/,
  );
  expect(uncertainCompetitorsText(null, 'Dynamic Pricing')).toMatch(/^On eBay,/);
  expect(uncertainCompetitorsText('amazon', 'Match Competitor')).toBeNull();
  expect(uncertainCompetitorsText('ebay', 'Fixed Margin')).toBeNull();
});

test('an offset shows its direction; Beat always goes below', () => {
  const words = (...of: Parameters<typeof offsetText>): string => Object.values(offsetText(...of)).join(' ');
  expect(words('Match Competitor', '0.10')).toBe('+$0.10 above the competitor');
  expect(words('Match Competitor', '-0.05')).toBe('\u2212$0.05 below the competitor');
  for (const typed of ['0.05', '-0.05'])
    expect(words('Beat Competitor', typed)).toBe('\u2212$0.05 below the competitor');
  expect(words('Beat Competitor', '0.00')).toBe('+$0.00 ');
});

test('how far prices move on average, in whole cents', () => {
  const averages = { listings: 2, oldPrice: '20.30', newPrice: '19.99', marginBefore: '1', marginAfter: '1' };
  expect([averageChangeText(averages), averageChangeText(null)]).toEqual(['\u2212$0.31', null]);
});

test('a share at the margin floor is neither none nor all unless it is, and unknown floors are in neither', () => {
  const text = (atMarginFloor: number, knownFloors: number, lines: string | null = 'floor') =>
    floorShareText({ lines, strategy: 'Fixed Margin', atMarginFloor, knownFloors });
  expect([text(0, 500), text(1, 500), text(3, 4), text(499, 500), text(500, 500)]).toEqual([
    '0%',
    'under 1%',
    '75%',
    'over 99%',
    '100%',
  ]);
  expect([text(0, 0), text(3, 4, null)]).toEqual([null, null]);
});
