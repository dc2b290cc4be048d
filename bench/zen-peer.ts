import { evaluateExpressionSync, ZenDecisionContent, ZenEngine } from '@gorules/zen-engine';
import type { PeerListing } from './comparable.ts';

/** Whether an offer is one of a competitor that the rule takes into account. */
export const COUNTED = [
  'not (#.seller in passedOver)',
  '#.seenAt >= seenFrom',
  '#.seenAt <= seenTo',
  '#.rating >= minRating',
  '#.ratingCount >= minRatingCount',
  '#.handlingDays <= maxHandlingDays',
].join(' and ');

const LANDED = `map(filter(offers, ${COUNTED}), #.price + #.shipping)`;
/** By how much one step may move the price. */
export const STEP = 'max([1, floor(currentPrice * maxStep / 10000)])';

/** The rows of the expression node, from top to bottom; `$` is what the rows above have answered. */
const ROWS = {
  landed: LANDED,
  wanted: 'len($.landed) > 0 ? min($.landed) - shippingCharge + offset : currentPrice',
  target: 'max([floor, min([$.wanted, ceiling])])',
  step: STEP,
  price: 'max([currentPrice - $.step, min([$.target, currentPrice + $.step])])',
};

/**
 * The pricing rules as a ZEN decision: request, one expression node, response. One node, since every further
 * one costs time. Content compiled once, decision created once, as its manual asks for.
 */
export function zenPeer(): { price(listing: PeerListing): Promise<number>; close(): void } {
  const engine = new ZenEngine();
  const content = new ZenDecisionContent(Buffer.from(JSON.stringify(decisionModel())));
  const decision = engine.createDecision(content);
  return {
    async price(listing) {
      const { result } = await decision.evaluate(listing);
      return result.price;
    },
    close: () => engine.dispose(),
  };
}

// The outer map over a list of one names the landed prices, so that they are worked out once.
const WANTED = `map([${LANDED}], len(#) > 0 ? min(#) - shippingCharge + offset : currentPrice)[0]`;
const TARGET = `max([floor, min([${WANTED}, ceiling])])`;
const ONE_EXPRESSION = `max([currentPrice - ${STEP}, min([${TARGET}, currentPrice + ${STEP}])])`;

/** The same rules as one expression through ZEN's synchronous call: no decision model, but no promise either. */
export function zenExpressionPrice(listing: PeerListing): number {
  return evaluateExpressionSync(ONE_EXPRESSION, listing);
}

function decisionModel(): object {
  const expressions = Object.entries(ROWS).map(([key, value]) => ({ id: key, key, value }));
  return {
    nodes: [
      { id: 'request', type: 'inputNode', name: 'Request', content: {} },
      { id: 'price', type: 'expressionNode', name: 'Price', content: { expressions } },
      { id: 'response', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: [
      { id: 'in', type: 'edge', sourceId: 'request', targetId: 'price' },
      { id: 'out', type: 'edge', sourceId: 'price', targetId: 'response' },
    ],
  };
}
