import { ZenDecisionContent, ZenEngine } from '@gorules/zen-engine';
import { type Almanac, Engine, type RuleProperties } from 'json-rules-engine';
import { addLimitFacts, counts, LIMITS } from './json-rules-engine-peer.ts';
import type { PeerLineListing } from './line-comparable.ts';
import { COUNTED, STEP } from './zen-peer.ts';

/** A wanted price that no offer gives. */
const NONE = -1;

/** The five lines of Win and hold for json-rules-engine: a rule each, by priority, and a fact that says that one has decided. */
export function jsonLinesPeer(): (listing: PeerLineListing) => Promise<number> {
  const engine = new Engine([...LINES, ...LIMITS], { replaceFactsInEventParams: true });
  engine.addFact('under', async (_, almanac: Almanac) => wantUnder(await almanac.factValue('listing')));
  addLimitFacts(engine);
  return async (listing) => {
    const { floor, ceiling, situation, targetPrice, boxShare, currentPrice, ownPrice } = listing;
    const over = Math.floor((ownPrice * 11_000) / 10_000);
    const facts = { floor, ceiling, situation, targetPrice, boxShare, currentPrice, over };
    const { almanac } = await engine.run({ listing, ...facts, isDecided: false });
    return almanac.factValue<number>('price');
  };
}

/** The lowest price under the offers that count. */
function wantUnder(listing: PeerLineListing): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const offer of listing.offers) {
    if (!counts(offer, listing)) continue;
    lowest = Math.min(lowest, Math.floor(((offer.price + offer.shipping) * offer.factor) / 10_000));
  }
  return lowest === Number.POSITIVE_INFINITY ? NONE : lowest - listing.shippingCharge;
}

type Condition = { fact: string; operator: string; value: unknown };

const LINES: readonly RuleProperties[] = [
  line(60, 'targetPrice', { fact: 'situation', operator: 'equal', value: 'alone' }),
  line(59, 'currentPrice', { fact: 'situation', operator: 'equal', value: 'winning' }),
  line(58, 'under', { fact: 'under', operator: 'greaterThanInclusive', value: { fact: 'floor' } }),
  line(57, 'floor', { fact: 'boxShare', operator: 'greaterThanInclusive', value: 2_000 }),
  line(56, 'over'),
];

function line(priority: number, fact: string, ...conditions: readonly Condition[]): RuleProperties {
  return {
    name: `line ${61 - priority}`,
    conditions: { all: [{ fact: 'isDecided', operator: 'equal', value: false }, ...conditions] },
    event: { type: fact, params: { price: { fact } } },
    priority,
    onSuccess: (event, almanac) => {
      almanac.addFact('isDecided', true);
      almanac.addFact('wanted', (event.params as { price: number }).price);
    },
  };
}

const UNDER = `map(filter(offers, ${COUNTED}), floor((#.price + #.shipping) * #.factor / 10000))`;

/** The rows of the expression node, from top to bottom; `$` is what the rows above have answered. */
const ROWS = {
  wants: UNDER,
  under: `len($.wants) > 0 ? min($.wants) - shippingCharge : ${NONE}`,
  lost: '$.under >= floor ? $.under : (boxShare >= 2000 ? floor : floor(ownPrice * 11000 / 10000))',
  wanted: "situation == 'alone' ? targetPrice : (situation == 'winning' ? currentPrice : $.lost)",
  target: 'max([floor, min([$.wanted, ceiling])])',
  step: STEP,
  price: 'max([currentPrice - $.step, min([$.target, currentPrice + $.step])])',
};

/** The same lines as a ZEN decision with one expression node, compiled once. */
export function zenLinesPeer(): { price(listing: PeerLineListing): Promise<number>; close(): void } {
  const engine = new ZenEngine();
  const expressions = Object.entries(ROWS).map(([key, value]) => ({ id: key, key, value }));
  const model = {
    nodes: [
      { id: 'request', type: 'inputNode', name: 'Request', content: {} },
      { id: 'lines', type: 'expressionNode', name: 'Lines', content: { expressions } },
      { id: 'response', type: 'outputNode', name: 'Response', content: {} },
    ],
    edges: [
      { id: 'in', type: 'edge', sourceId: 'request', targetId: 'lines' },
      { id: 'out', type: 'edge', sourceId: 'lines', targetId: 'response' },
    ],
  };
  const decision = engine.createDecision(new ZenDecisionContent(Buffer.from(JSON.stringify(model))));
  return {
    async price(listing) {
      const { result } = await decision.evaluate(listing);
      return result.price;
    },
    close: () => engine.dispose(),
  };
}
