import { ageText, moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents, Instant, Millis } from '#domain/units.ts';
import { countOf, currentMargin, lowestLanded, soldIn } from './compile-condition.ts';
import { type Condition, WEEKDAY_NAMES } from './line.ts';
import { situationWords } from './parse-condition.ts';
import type { Question } from './question.ts';

/**
 * What a condition found, for the explanation of a line that was passed over: "losing", "8%", "$16.00". Null where it is
 * not known, or where the condition itself says it all.
 */
export function conditionValue(condition: Condition, question: Question): string | null {
  const { facts, policy, market } = question;
  const signals = facts.signals ?? null;
  switch (condition.kind) {
    case 'situation':
      return situationValue(condition, question);
    case 'box_share':
      return shareText(signals?.boxShare ?? null);
    case 'follow':
      return shareText(signals?.followShare ?? null);
    case 'margin':
      return shareText(currentMargin(question) as Bps | null);
    case 'lowest_under_floor':
    case 'lowest_above':
      return priceText(lowestLanded(question));
    case 'competitors':
      return countText(countOf(question, condition.only));
    case 'lowered':
      return `${facts.priceWarStreak?.times ?? 0} times`;
    case 'stock':
      return countText(signals?.stock ?? null);
    case 'supply':
      return daysText(signals?.daysOfSupply ?? null);
    case 'stock_age':
      return daysText(signals?.stockAgeDays ?? null);
    case 'no_sale':
      return agoText(signals?.lastSaleAt ?? null, policy.now);
    case 'sold':
      return countText(soldIn(signals, condition.days));
    case 'at_floor':
    case 'at_ceiling':
      return priceText(facts.currentPrice);
    case 'box_held_by':
      return market === null || market.box === null ? null : holderText(market.box.sellerName);
    case 'seller_present':
      return null;
    case 'hours':
      return policy.local === null ? null : timeText(policy.local.minuteOfDay);
    case 'weekdays':
      return policy.local === null ? null : (WEEKDAY_NAMES[policy.local.weekday - 1] ?? null);
    case 'dates':
      return policy.local?.day ?? null;
    case 'ships':
      return facts.fulfillmentType === 'FBM' ? 'we ship' : 'warehouse ships';
  }
}

/** "losing", and since when where the condition asks for that. */
function situationValue(
  { atLeast, any }: Extract<Condition, { kind: 'situation' }>,
  { market, facts, policy }: Question,
): string | null {
  if (market === null) return null;
  const words = situationWords(market.situation);
  if (atLeast === null || !any.includes(market.situation)) return words;
  const since = facts.signals?.situation ?? null;
  if (since === null || since.kind !== market.situation) return `${words} since now`;
  return `${words} for ${ageText((policy.now - since.since) as Millis)}`;
}

function shareText(share: Bps | null): string | null {
  return share === null ? null : percentText(share);
}

function priceText(price: number | null): string | null {
  return price === null ? null : moneyText(price as Cents);
}

function countText(count: number | null): string | null {
  return count === null ? null : String(count);
}

function daysText(days: number | null): string | null {
  return days === null ? null : `${days} days`;
}

function agoText(at: Instant | null, now: Instant): string | null {
  return at === null ? null : `${ageText(Math.max(0, now - at) as Millis)} ago`;
}

function holderText(name: string | null): string {
  return name ?? 'a seller without a name';
}

/** "14:05" */
function timeText(minuteOfDay: number): string {
  const minute = minuteOfDay % 60;
  return `${(minuteOfDay - minute) / 60}:${String(minute).padStart(2, '0')}`;
}
