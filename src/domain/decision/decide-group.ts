import { competitionOf } from '#domain/competition/competition.ts';
import { type AllowedPrices, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { LineStep } from '#domain/lines/lines-price.ts';
import { marketOf } from '#domain/lines/market.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { missingFact } from './completeness.ts';
import {
  allowedPricesOf,
  evaluate,
  obstacleOf,
  reviewOfMove,
  reviewReasonFor,
  strategyPriceFor,
  whyNothingAllowed,
} from './decide.ts';
import type { ListingFacts, PriceWarStreak } from './facts.ts';
import {
  commonPrices,
  type GroupStop,
  type GroupStopReason,
  memberReview,
  type PriceGroup,
  type StrategySource,
} from './price-group.ts';
import type { DecisionCase } from './stored-case.ts';
import type { StrategyPrice } from './strategy-price.ts';

/**
 * The cases of the members of a price group, each with its place in the group, so that `decide` gives all of them one
 * price: one that every member allows, by the rule of the member whose lowest allowed price is the highest, against the
 * lowest reference of any member. One member without a price to decide, or whose price needs review, stops all of them.
 * @param members all of them, once each, in any order
 * @returns in the same order; a single one is returned as it is
 */
export function groupCases<Case extends DecisionCase>(members: readonly Case[]): Case[] {
  if (members.length < 2) return [...members];
  const sorted = members.toSorted((a, b) => compare(a.facts.sku, b.facts.sku));
  const places = placesOf(sorted);
  return members.map((member) => {
    const facts = places.get(member.facts.sku) ?? member.facts;
    return { ...member, facts };
  });
}

/** The facts of each member with its place, by SKU. */
function placesOf(members: readonly DecisionCase[]): Map<string, ListingFacts> {
  const alone = members.map(standAlone);
  const sets = alone.flatMap(({ allowed }) => (allowed === null ? [] : [allowed]));
  const [first, ...others] = sets;
  const obstacles = alone.flatMap(({ obstacle }) => obstacle ?? []);
  const differing = pricesDiffer(members) ? members.map(differs) : [];
  const stops = [...obstacles, ...differing];
  if (stops.length > 0 || first === undefined) return stoppedPlaces(members, stops, null);
  const allowed = commonPrices([first, ...others]);
  if (allowed.ranges.length === 0) return stoppedPlaces(members, [], allowed);
  return decidedPlaces(members, decidingMember(members, alone), allowed);
}

/** A member alone: what it allows, or why no price can be decided for it. */
interface StandAlone {
  readonly obstacle: GroupStop | null;
  readonly allowed: AllowedPrices | null;
}

function standAlone({ facts, choice }: DecisionCase): StandAlone {
  const because = missingFact(facts) ?? obstacleOf(choice, facts);
  if (because !== null) return { obstacle: { sku: facts.sku, because }, allowed: null };
  const minimumMargin = choice.minimumMargin as Bps;
  const allowed = allowedPricesOf(facts, minimumMargin);
  if (allowed.ranges.length > 0) return { obstacle: null, allowed };
  const why: GroupStopReason = whyNothingAllowed(facts, minimumMargin, allowed);
  return { obstacle: { sku: facts.sku, because: why }, allowed: null };
}

function pricesDiffer(members: readonly DecisionCase[]): boolean {
  return members.some(({ facts }) => facts.currentPrice !== members[0]?.facts.currentPrice);
}

function differs({ facts: { sku } }: DecisionCase): GroupStop {
  return { sku, because: 'prices_differ' };
}

/** The one whose lowest allowed price is the highest; of several the first. */
function decidingMember(members: readonly DecisionCase[], alone: readonly StandAlone[]): DecisionCase {
  const lowest = alone.map(({ allowed }) => (allowed === null ? null : lowestAllowedFrom(allowed, 1)) ?? 0);
  return members[lowest.indexOf(Math.max(...lowest) as Cents)] as DecisionCase;
}

/** Without a decision: members stop the group, or no price is allowed for all. */
function stoppedPlaces(
  members: readonly DecisionCase[],
  stops: readonly GroupStop[],
  allowed: AllowedPrices | null,
): Map<string, ListingFacts> {
  return new Map(
    members.map(({ facts }) => {
      const group = { ...placeIn(members, facts), allowed, stop: stopFor(facts, stops) };
      return [facts.sku, { ...facts, group }];
    }),
  );
}

function decidedPlaces(
  members: readonly DecisionCase[],
  decider: DecisionCase,
  allowed: AllowedPrices,
): Map<string, ListingFacts> {
  const rule = decider.choice.rule as Rule;
  const { sku } = decider.facts;
  const reviews = members.flatMap(({ facts, choice, policy }) => {
    // The sender takes no price of a member whose own rule requires review.
    const requiresReview = rule.requiresReview || choice.rule?.requiresReview === true;
    return reviewStop(facts, reviewReasonFor(facts, { ...rule, requiresReview }, policy));
  });
  const shared = { allowed, decider: sku, rule: { id: rule.id, name: rule.name } };
  const decidedWith = (stops: readonly GroupStop[]): ListingFacts => {
    const group = {
      ...placeIn(members, decider.facts),
      ...shared,
      ...lowestStrategy(members, decider, rule, allowed),
      stop: stopFor(decider.facts, stops),
    };
    return { ...withStatesOf(members, decider), group };
  };
  let stops = reviews;
  let facts = decidedWith(stops);
  let { decision, move } = evaluate(facts, decider.choice, decider.policy);
  if (decision.kind === 'change' && move !== null) {
    const reached = move;
    // A fee that is not reported at this price, or a gap between channels, is seen only with the price.
    stops = members.flatMap((one) => reviewStop(one.facts, reviewOfMove(reached, allowed, one.facts, rule)));
    if (stops.length > 0) {
      facts = decidedWith(stops);
      ({ decision, move } = evaluate(facts, decider.choice, decider.policy));
    }
  }
  return new Map(
    members.map((member): [string, ListingFacts] => {
      if (member === decider) return [sku, facts];
      const group = {
        ...placeIn(members, member.facts),
        ...shared,
        decision,
        stop: stopFor(member.facts, stops),
      };
      return [member.facts.sku, { ...member.facts, priceWarStreak: facts.priceWarStreak, group }];
    }),
  );
}

function placeIn(members: readonly DecisionCase[], { sku }: ListingFacts): PriceGroup {
  const others = members.flatMap(({ facts }) => (facts.sku === sku ? [] : [facts.sku]));
  return { others, decider: null, rule: null, allowed: null, stop: null, strategy: null, decision: null };
}

/** A member names another one that stops it; its own reason is its decision. */
function stopFor({ sku }: ListingFacts, stops: readonly GroupStop[]): GroupStop | null {
  return stops.find((stop) => stop.sku !== sku) ?? null;
}

function reviewStop({ sku }: ListingFacts, reason: string | null): GroupStop[] {
  const because = memberReview(reason);
  return because === null ? [] : [{ sku, because }];
}

/**
 * One member that is not read makes the group not read; else the lowest reference of any member counts, unless a line of the
 * rule decides that does not look at the deciding member's competitors, such as "winning: hold".
 */
function lowestStrategy(
  members: readonly DecisionCase[],
  decider: DecisionCase,
  rule: Rule,
  allowed: AllowedPrices,
): Pick<PriceGroup, 'source'> & { readonly strategy: StrategyPrice } {
  const of = ({ facts, policy }: DecisionCase): StrategyPrice =>
    strategyPriceFor(facts, rule, decider.choice.minimumMargin as Bps, allowed, policy);
  let from = decider;
  let lowest = of(decider);
  const isByLine =
    lowest.competitor === null && lowest.reason !== 'no_line' && meetsCompetitors(decider, rule, allowed);
  for (const member of members) {
    if (lowest.reason === 'not_read') break;
    if (member === decider) continue;
    const strategy = of(member);
    if (strategy.reason !== 'not_read' && (isByLine || !isLower(strategy, lowest))) continue;
    lowest = strategy;
    from = member;
  }
  return { strategy: lowest, source: sourceOf(from, decider, rule, allowed) };
}

/** What the explanation needs of the member whose competitors counted. */
function sourceOf(
  { facts, policy }: DecisionCase,
  { choice: { minimumMargin } }: DecisionCase,
  rule: Rule,
  allowed: AllowedPrices,
): StrategySource | null {
  if (rule.lines === null) return null;
  const { sku, shippingCharge, fulfillmentType, signals } = facts;
  const steps: LineStep[] = [];
  strategyPriceFor(facts, rule, minimumMargin as Bps, allowed, policy, steps);
  const competition = competitionOf(facts, rule, policy);
  return { sku, shippingCharge, fulfillmentType, boxShare: signals?.boxShare ?? null, competition, steps };
}

/** Whether a rule with lines sees competitors of the member, or a buy box that no one holds. */
function meetsCompetitors({ facts, policy }: DecisionCase, rule: Rule, { ranges }: AllowedPrices): boolean {
  if (rule.lines === null) return false;
  const { situation } = marketOf(facts, rule, policy, ranges[0] as Cents);
  return situation === 'winning' || situation === 'losing' || situation === 'suppressed';
}

function isLower({ competitor }: StrategyPrice, than: StrategyPrice): boolean {
  if (competitor === null) return false;
  if (than.competitor === null) return true;
  return competitor.price + competitor.shipping < than.competitor.price + than.competitor.shipping;
}

/** What binds the movement of any member binds the group, once. */
function withStatesOf(members: readonly DecisionCase[], { facts, policy }: DecisionCase): ListingFacts {
  const all = members.map((member) => member.facts);
  const [first] = all;
  const pauses = all.flatMap(({ sendPause }) => sendPause ?? []);
  const changes = all.flatMap(({ lastChangedAt }) => lastChangedAt ?? []);
  return {
    ...facts,
    // Queued for some members only, it is queued again for all.
    pendingPrice: all.every(({ pendingPrice }) => pendingPrice === first?.pendingPrice)
      ? facts.pendingPrice
      : null,
    refusedPrices: [...new Set(all.flatMap(({ refusedPrices }) => refusedPrices))],
    sendPause: pauses.toSorted((a, b) => b.until - a.until)[0] ?? null,
    lastChangedAt: changes.toSorted((a, b) => b - a)[0] ?? null,
    awaitingUpload: all.some(({ awaitingUpload }) => awaitingUpload),
    priceWarStreak: worstStreak(members, policy),
  };
}

/** The one that pauses longest; where none does, the longest. */
function worstStreak(members: readonly DecisionCase[], { priceWarThreshold }: Policy): PriceWarStreak | null {
  const streaks = members.flatMap(({ facts }) => facts.priceWarStreak ?? []);
  const wars = streaks.filter(({ times }) => times >= priceWarThreshold);
  const [worst = null] =
    wars.length > 0
      ? wars.toSorted((a, b) => b.lastAt - a.lastAt)
      : streaks.toSorted((a, b) => b.times - a.times);
  return worst;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
