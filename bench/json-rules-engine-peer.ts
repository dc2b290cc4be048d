import { type Almanac, Engine, type EventHandler, type RuleProperties } from 'json-rules-engine';
import type { PeerListing, PeerOffer } from './comparable.ts';

type PriceEvent = { price: number };

/**
 * The pricing rules for json-rules-engine, the way its manual builds them: one engine for all runs, dynamic
 * facts for what has to be computed, rules with conditions for the limits, priorities and facts added on
 * success to chain them. Rules cannot loop over a list, so the offers are filtered in a dynamic fact.
 */
export function jsonRulesPeer(): (listing: PeerListing) => Promise<number> {
  const engine = new Engine([...LIMITS], { replaceFactsInEventParams: true });
  engine.addFact('wanted', async (_, almanac: Almanac) => wantedPrice(await almanac.factValue('listing')));
  addLimitFacts(engine);
  return async (listing) => {
    const { floor, ceiling } = listing;
    const { almanac } = await engine.run({ listing, floor, ceiling });
    return almanac.factValue<number>('price');
  };
}

/** What the limits compare. */
export function addLimitFacts(engine: Engine): void {
  engine.addFact('target', (_, almanac: Almanac) => almanac.factValue('wanted'));
  engine.addFact('price', (_, almanac: Almanac) => almanac.factValue('target'));
  engine.addFact('lowestStep', async (_, almanac: Almanac) => {
    const listing = await almanac.factValue<PeerListing>('listing');
    return listing.currentPrice - stepOf(listing);
  });
  engine.addFact('highestStep', async (_, almanac: Almanac) => {
    const listing = await almanac.factValue<PeerListing>('listing');
    return listing.currentPrice + stepOf(listing);
  });
}

function stepOf({ currentPrice, maxStep }: PeerListing): number {
  return Math.max(1, Math.floor((currentPrice * maxStep) / 10_000));
}

function wantedPrice(listing: PeerListing): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const offer of listing.offers) {
    if (counts(offer, listing)) lowest = Math.min(lowest, offer.price + offer.shipping);
  }
  return lowest === Number.POSITIVE_INFINITY
    ? listing.currentPrice
    : lowest - listing.shippingCharge + listing.offset;
}

/** Whether a rule that filters offers takes this one for a competitor. */
export function counts(offer: PeerOffer, listing: PeerListing): boolean {
  return (
    !listing.passedOver.includes(offer.seller) &&
    offer.seenAt >= listing.seenFrom &&
    offer.seenAt <= listing.seenTo &&
    offer.rating >= listing.minRating &&
    offer.ratingCount >= listing.minRatingCount &&
    offer.handlingDays <= listing.maxHandlingDays
  );
}

/** Hands the price of a rule that held to the rules of lower priority, and in the end to the caller. */
function setting(fact: 'target' | 'price'): EventHandler {
  return (event, almanac) => {
    almanac.addFact(fact, (event.params as PriceEvent).price);
  };
}

/** Floor and ceiling, then the step limit, each on what the rules before them came to. */
export const LIMITS: readonly RuleProperties[] = [
  limit('target', 'wanted', 'lessThan', 'floor', 20),
  limit('target', 'wanted', 'greaterThan', 'ceiling', 20),
  limit('price', 'target', 'lessThan', 'lowestStep', 10),
  limit('price', 'target', 'greaterThan', 'highestStep', 10),
];

function limit(
  result: 'target' | 'price',
  fact: string,
  operator: 'lessThan' | 'greaterThan',
  bound: string,
  priority: number,
): RuleProperties {
  return {
    name: `${fact} ${operator} ${bound}`,
    conditions: { all: [{ fact, operator, value: { fact: bound } }] },
    event: { type: bound, params: { price: { fact: bound } } },
    priority,
    onSuccess: setting(result),
  };
}
