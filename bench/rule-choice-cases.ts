import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { type Rule, WITHOUT_LINES } from '#domain/rules/rule.ts';
import { type RuleIndex, type RuleQuestion, ruleIndex } from '#domain/rules/rule-choice.ts';
import { NOTHING_KNOWN, WHOLE_CATALOG } from '#domain/rules/segment.ts';
import { bps, cents } from '#domain/units.ts';

const RULES = 200;
const BRANDS = 50;

/** 200 rules by brands, own prices, tags, suppliers and marketplaces. */
export function manyRules(): RuleIndex {
  return ruleIndex(Array.from({ length: RULES }, (_, n) => ruleOf(n)));
}

/** Listings of which some have a brand that no rule names. */
export function ruleQuestions(count: number): RuleQuestion[] {
  return Array.from({ length: count }, (_, n) => ({
    marketplace: MARKETPLACES[n % MARKETPLACES.length] ?? 'walmart',
    fulfillmentType: FULFILLMENT_TYPES[n % 2] ?? 'FBM',
    ownRule: null,
    scope: {
      ...NOTHING_KNOWN,
      brand: `Brand ${n % (BRANDS + 10)}`,
      tags: n % 3 === 0 ? ['summer'] : ['new', 'blue'],
      supplier: n % 4 === 0 ? 'Corner' : 'Bob',
      ownPrice: cents((n * 13) % 9_000),
    },
  }));
}

function ruleOf(n: number): Rule {
  return {
    ...WITHOUT_LINES,
    id: String(n),
    name: '',
    marketplace: n % 3 === 0 ? (MARKETPLACES[n % MARKETPLACES.length] ?? null) : null,
    fulfillmentType: 'All',
    strategy: 'Fixed Margin',
    minimumMargin: bps(1_000),
    marketplaceMargins: {},
    competitorOffset: null,
    isActive: true,
    requiresReview: false,
    noCompetitor: 'keep',
    belowFloor: 'floor',
    otherChannels: false,
    refuseCrossChannel: false,
    filter: null,
    order: n,
    priority: null,
    schedule: null,
    segment: {
      ...WHOLE_CATALOG,
      brands: n % 4 === 3 ? [] : [`Brand ${n % BRANDS}`, `Brand ${(n * 7) % BRANDS}`],
      ownPrice: n % 2 === 0 ? null : { min: cents(n * 10), max: cents(n * 100) },
      tags: n % 5 === 0 ? ['sale', 'summer'] : [],
      suppliers: n % 7 === 0 ? ['Corner'] : [],
    },
  };
}
