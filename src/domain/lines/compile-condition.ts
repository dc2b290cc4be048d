import { sellerKey } from '#domain/competition/offer.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { marginOf } from '#domain/costs/margin.ts';
import type { ListingSignals } from '#domain/decision/facts.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { LocalTime } from '#domain/limits/policy.ts';
import { isAround } from '#domain/time/local-time.ts';
import { type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import type { Condition, OfferGroup, Span } from './line.ts';
import { countedOffers } from './market.ts';
import type { Question } from './question.ts';

const DAY = hours(24);

/** Whether a condition holds; null where what it asks about is unknown, and then it does not. */
export type CompiledCondition = (question: Question) => boolean | null;

/** Conditions whose answer depends on competitors. */
export function looksAtCompetitors({ kind }: Condition): boolean {
  return COMPETITIVE.has(kind);
}

const COMPETITIVE: ReadonlySet<Condition['kind']> = new Set([
  'situation',
  'box_share',
  'follow',
  'lowest_under_floor',
  'lowest_above',
  'competitors',
  'lowered',
  'box_held_by',
  'seller_present',
] satisfies Condition['kind'][]);

export function compileCondition(condition: Condition): CompiledCondition {
  switch (condition.kind) {
    case 'situation':
      return situationCondition(condition);
    case 'box_share':
      return ({ facts }) => within(facts.signals?.boxShare ?? null, condition);
    case 'follow':
      return ({ facts }) => within(facts.signals?.followShare ?? null, condition);
    case 'lowest_under_floor':
      return (question) => compared(lowestLanded(question), (landed) => landed < landedFloor(question));
    case 'lowest_above':
      return (question) =>
        compared(lowestLanded(question), (landed) => {
          const ours = (question.facts.currentPrice as Cents) + (question.facts.shippingCharge as Cents);
          return (landed - ours) * WHOLE >= condition.min * ours;
        });
    case 'competitors':
      return (question) => countsWithin(question, condition);
    case 'lowered':
      return ({ facts: { priceWarStreak } }) =>
        priceWarStreak !== null && priceWarStreak.times >= condition.min;
    case 'stock':
      return ({ facts }) => within(facts.signals?.stock ?? null, condition);
    case 'supply':
      return ({ facts }) => within(facts.signals?.daysOfSupply ?? null, condition);
    case 'stock_age':
      return ({ facts }) => atLeast(facts.signals?.stockAgeDays ?? null, condition.min);
    case 'no_sale':
      return ({ facts, policy }) => isWithoutSale(facts.signals, condition.min, policy.now);
    case 'sold':
      return ({ facts, policy }) => {
        const holds = within(soldIn(facts.signals, condition.days), condition);
        // A listing that was not there all those days could not sell more.
        const isNew = condition.max !== null && !isListedFor(facts.signals, condition.days, policy.now);
        return holds === true && isNew ? null : holds;
      };
    case 'margin':
      return (question) => within(currentMargin(question), condition);
    case 'at_floor':
      return ({ facts, lowestPrice }) => facts.currentPrice === lowestPrice;
    case 'at_ceiling':
      return ({ facts, allowed: { ranges } }) => facts.currentPrice === ranges[ranges.length - 1];
    case 'box_held_by': {
      const key = sellerKey(condition.name);
      return ({ market }) => {
        const box = market === null || market.situation === 'not_read' ? null : market.box;
        return box === null || box.seller === null ? null : box.seller === key;
      };
    }
    case 'seller_present':
      return sellerCondition(condition.name);
    case 'hours':
      return ({ policy }) => atTime(policy.local, ({ minuteOfDay }) => isInHours(minuteOfDay, condition));
    case 'weekdays':
      return ({ policy }) =>
        atTime(policy.local, ({ weekday }) => isAround(weekday, condition.from, condition.to));
    case 'dates':
      return ({ policy }) => atTime(policy.local, ({ day }) => condition.from <= day && day <= condition.to);
    case 'ships':
      return ({ facts }) => (facts.fulfillmentType === 'FBM') === (condition.by === 'us');
  }
}

function situationCondition({
  any,
  atLeast: length,
}: Extract<Condition, { kind: 'situation' }>): CompiledCondition {
  const [only] = any;
  // What most lines ask.
  if (any.length === 1 && length === null)
    return ({ market }) => market !== null && market.situation === only;
  return ({ market, facts, policy }) => {
    if (market === null || !any.includes(market.situation)) return false;
    if (length === null) return true;
    const since = facts.signals?.situation ?? null;
    // What the last decision saw; a situation that has just begun has lasted no time.
    if (since === null) return null;
    return since.kind === market.situation && policy.now - since.since >= length;
  };
}

function sellerCondition(name: string): CompiledCondition {
  const key = sellerKey(name);
  return ({ facts, rule, policy, lowestPrice, market }) => {
    if (market === null || market.situation === 'not_read') return null;
    return countedOffers(facts, rule, policy, lowestPrice).some(
      ({ seller }) => seller !== null && seller === key,
    );
  };
}

/** Null without a competitor, or where competitors are not read. */
export function lowestLanded({ market }: Question): number | null {
  if (market === null || market.situation === 'not_read' || market.lowestLanded === Number.POSITIVE_INFINITY)
    return null;
  return market.lowestLanded;
}

/** The landed price of our lowest allowed price. */
function landedFloor({ lowestPrice, facts }: Question): number {
  return lowestPrice + (facts.shippingCharge as Cents);
}

/** How many offers of a group count, as far as is known; null where competitors are not read. */
export function countOf(question: Question, only: OfferGroup | null): number | null {
  return groupOf(question, only)?.known ?? null;
}

/** Offers of which it is not known who ships them may belong to a group, or not. */
function groupOf(
  { facts, rule, policy, lowestPrice, market }: Question,
  only: OfferGroup | null,
): { readonly known: number; readonly possible: number } | null {
  if (market === null || market.situation === 'not_read') return null;
  const counted = countedOffers(facts, rule, policy, lowestPrice);
  if (only === null) return { known: counted.length, possible: counted.length };
  if (only === 'marketplace') {
    const known = counted.filter(({ isMarketplace }) => isMarketplace).length;
    return { known, possible: known };
  }
  const others = counted.filter(({ isMarketplace }) => !isMarketplace);
  const shipper = only === 'warehouse' ? 'FBA/WFS' : 'FBM';
  const known = others.filter(({ fulfillmentType }) => fulfillmentType === shipper).length;
  return { known, possible: known + others.filter(({ fulfillmentType }) => fulfillmentType === null).length };
}

/** Null where the offers that were not shown, or whose shipper is not known, could make the difference. */
function countsWithin(
  question: Question,
  { only, min, max }: Extract<Condition, { kind: 'competitors' }>,
): boolean | null {
  const group = groupOf(question, only);
  if (group === null) return null;
  const { coverage } = question.facts;
  const areSomeHidden = coverage === 'box' || coverage === 'top';
  const possible = areSomeHidden ? Number.POSITIVE_INFINITY : group.possible;
  if ((max !== null && group.known > max) || (min !== null && possible < min)) return false;
  return (max === null || possible <= max) && (min === null || group.known >= min) ? true : null;
}

/** Null where it is not known, as for a listing that is younger than that. */
function isWithoutSale(signals: ListingSignals | null, days: number, now: Instant): boolean | null {
  const last = signals?.lastSaleAt ?? null;
  if (last !== null) return now - last >= days * DAY;
  return days <= 30 && soldIn(signals, 30) === 0 && isListedFor(signals, days, now) ? true : null;
}

function isListedFor(signals: ListingSignals | null, days: number, now: Instant): boolean {
  const since = signals?.listedAt ?? null;
  return since !== null && now - since >= days * DAY;
}

/** Units sold in the last days; null if unknown. */
export function soldIn(signals: ListingSignals | null, days: 1 | 7 | 30): number | null {
  const sold = signals?.sold ?? null;
  if (sold === null) return null;
  return days === 1 ? sold.d1 : days === 7 ? sold.d7 : sold.d30;
}

/** The margin at the current price, in basis points. */
export function currentMargin({ facts }: Question): number | null {
  const { currentPrice, shippingCharge, fees } = facts;
  return marginOf(
    currentPrice as Cents,
    shippingCharge as Cents,
    costWithoutFees(facts) as Cents,
    fees as FeeTable,
  );
}

function within(value: number | null, { min, max }: Span): boolean | null {
  return value === null ? null : (min === null || value >= min) && (max === null || value <= max);
}

function atLeast(value: number | null, min: number): boolean | null {
  return value === null ? null : value >= min;
}

function compared(value: number | null, holds: (value: number) => boolean): boolean | null {
  return value === null ? null : holds(value);
}

function atTime(local: LocalTime | null, holds: (local: LocalTime) => boolean): boolean | null {
  return local === null ? null : holds(local);
}

/** From `from`, before `to`; over midnight where `to` is not later. */
function isInHours(minute: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
