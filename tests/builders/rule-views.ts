import type { DraftExplanation, ListedRule, RulePreview } from '#contract/rules.ts';

/** An active rule as the server lists it: beats every competitor by a cent, keeps 15 %, prices 12 listings. */
export function aRuleView(over: Partial<ListedRule> = {}): ListedRule {
  return {
    id: '1',
    name: 'Beat everybody',
    marketplace: null,
    fulfillmentType: 'All',
    strategy: 'Beat Competitor',
    minimumMargin: '15.00',
    marketplaceMargins: {},
    competitorOffset: null,
    isActive: true,
    requiresReview: false,
    noCompetitor: 'keep',
    belowFloor: 'floor',
    otherChannels: false,
    refuseCrossChannel: false,
    filter: {
      minRating: null,
      minRatingCount: null,
      maxHandlingDays: null,
      ignoreSellers: [],
      fulfillmentType: null,
    },
    lines: null,
    targetMargin: null,
    marketplaceTargets: {},
    winShare: '50.00',
    onlySameShipping: true,
    ignoreUnderFloor: null,
    segment: {
      marketplaces: [],
      brands: [],
      categories: [],
      tags: [],
      suppliers: [],
      ownPrice: null,
      cost: null,
      listedDays: null,
      stockAgeDays: null,
      stock: null,
    },
    priority: null,
    schedule: null,
    version: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    appliedTo: 12,
    ownListings: 0,
    decidedBy: { lines: [], noLine: 0, notRead: 0, blocked: 0, unknown: 0 },
    atMarginFloor: 0,
    knownFloors: 12,
    changesInDay: 0,
    ...over,
  };
}

const MOVED = {
  listingId: '7',
  marketplace: 'walmart',
  sku: 'A-1',
  title: 'Blue mug',
  outcome: 'change',
  oldPrice: '20.00',
  newPrice: '17.99',
  marginBefore: '35.00',
  marginAfter: '29.41',
  line: null,
  sentence: "Beat Corner Store's $18.00 by $0.01.",
} as const;

/** A preview of one listing that is lowered. */
export function aPreview(over: Partial<RulePreview> = {}): RulePreview {
  return {
    token: 'token-1',
    outcomes: 'outcomes-1',
    listings: 1,
    own: 0,
    takenFrom: [{ rule: null, listings: 1 }],
    givenUp: 0,
    changes: 1,
    raised: 0,
    lowered: 1,
    kept: 0,
    recommended: 0,
    blocked: 0,
    atMarginFloor: 0,
    notRead: 0,
    noLine: 0,
    bigRises: 0,
    bigDrops: 1,
    moveSizes: { fall10: 1, fall5: 0, fall2: 0, fall: 0, stay: 0, rise: 0, rise2: 0, rise5: 0, rise10: 0 },
    averages: {
      listings: 1,
      oldPrice: '20.00',
      newPrice: '17.99',
      marginBefore: '35.00',
      marginAfter: '29.41',
    },
    lines: [],
    known: { stock: 0, supply: 0, stockAge: 0, sales: 0 },
    moves: [MOVED],
    samples: [MOVED],
    floorListings: [],
    blockedListings: [],
    ...over,
  };
}

/** That listing under a draft without lines. */
export function aDraftExplanation(over: Partial<DraftExplanation> = {}): DraftExplanation {
  return { listing: MOVED, isPriced: true, otherRule: null, situation: null, lines: [], ...over };
}
