import type { PriceExplanation } from '#contract/explanation.ts';

/** When it was decided. */
const EXPLAINED_AT = '2026-01-15T12:00:00.000Z';

/** A price of the history that beat a rival, with every part of its explanation. */
export const EXPLANATION: PriceExplanation = {
  listing: {
    ...{ id: '3', marketplace: 'walmart', sku: 'A-1', title: 'Enamel mug', fulfillmentType: 'FBM' },
    currentPrice: '17.99',
  },
  ...{ of: 'history', at: EXPLAINED_AT, outcome: 'change', price: '17.99', reasonCode: 'beaten', gate: null },
  ...{ bound: 'none', boundText: null, sentence: "Beat Rival's $18.00 by $0.01.", fix: null, actor: null },
  restEndsAt: null,
  rule: {
    id: '5',
    name: 'Beat everybody',
    strategy: 'Beat Competitor',
    minimumMargin: '15.00',
    why: 'The only one.',
  },
  facts: {
    ...{
      currentPrice: '20.00',
      anchorPrice: '20.00',
      minPrice: null,
      maxPrice: null,
      shippingCharge: '0.00',
    },
    ...{ priceDayAgo: '20.00', totalCost: '10.00', weightOz: 8, elsewhere: [], gaps: [] },
    cost: [
      { part: 'product', amount: '10.00' },
      { part: 'shipping', amount: '0.00' },
    ],
  },
  fees: { version: 'walmart/default', text: '15%.' },
  legal: { lowest: '14.29', highest: '30.00', spans: [{ from: '14.29', to: '30.00' }] },
  reach: { low: '17.00', high: '23.00' },
  channelGap: null,
  offers: [
    {
      ...{ seller: 'Us', channel: 'walmart', price: '19.00', shipping: '0.00', landed: '19.00' },
      ...{ fulfillmentType: 'FBM', isFeatured: false, seenAt: EXPLAINED_AT },
      ...{ verdict: 'ours', verdictText: 'Left out: this is your own offer.' },
    },
    {
      ...{ seller: 'Rival', channel: 'walmart', price: '15.00', shipping: '3.00', landed: '18.00' },
      ...{ fulfillmentType: 'FBM', isFeatured: true, seenAt: EXPLAINED_AT },
      ...{ verdict: 'counted', verdictText: 'Counted.' },
    },
  ],
  steps: [{ step: 'wanted', from: '20.00', to: '17.99', because: 'beaten', text: 'One cent under Rival.' }],
  margin: { before: '35.00', after: '29.41' },
};
