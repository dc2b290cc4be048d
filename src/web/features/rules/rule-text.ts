import type { ListedRule, RuleImpact, RulePreview } from '#contract/rules.ts';
import { CAPABILITIES, WITHOUT_COMPETITOR_OFFERS } from '#domain/connections/marketplace-capabilities.ts';
import { parseBps } from '#domain/decimal.ts';
import {
  FULFILLMENT_TYPES,
  MARKETPLACE_NAMES,
  MARKETPLACES,
  type Marketplace,
} from '#domain/marketplaces.ts';
import { type CompetingRule, LISTING_KINDS } from '#domain/rules/competing-rules.ts';
import type { Strategy } from '#domain/rules/rule.ts';
import type { Tiebreak } from '#domain/rules/rule-precedence.ts';
import type { ListingKind } from '#domain/rules/segment.ts';
import { percentText } from '#domain/text.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { signedMoney } from '#web/lib/signed-money.ts';

/** "15%", "12.5%" from the API's "15.00". */
export function storedPercentText(percent: string): string {
  const share = parseBps(percent);
  return share === null ? percent : percentText(share);
}

/** The effect of an offset on the competitor's price. */
interface OffsetText {
  /** "+$0.10": always signed, as an offset goes either way. */
  readonly signed: string;
  /** "above the competitor"; empty for a zero offset. */
  readonly meaning: string;
}

/**
 * An offset as the strategy uses it: Beat always goes below the competitor, whatever the sign of the typed offset.
 * @param offset dollars, in the API's form
 */
export function offsetText(strategy: Strategy, offset: string): OffsetText {
  const amount = offset.replace('-', '');
  if (Number(amount) === 0) return { signed: `+${formatMoney(amount)}`, meaning: '' };
  return strategy === 'Beat Competitor' || offset.startsWith('-')
    ? { signed: formatMoney(`-${amount}`), meaning: 'below the competitor' }
    : { signed: `+${formatMoney(amount)}`, meaning: 'above the competitor' };
}

/** "Walmart FBM, eBay": kinds of listings; a complete marketplace is one entry. */
export function listingKindsText(places: readonly ListingKind[]): string {
  if (places.length === LISTING_KINDS.length) return 'every listing';
  const words = MARKETPLACES.flatMap((marketplace) => {
    const types = places.filter((place) => place.marketplace === marketplace);
    if (types.length === 0) return [];
    if (types.length === FULFILLMENT_TYPES.length) return [MARKETPLACE_NAMES[marketplace]];
    return types.map(({ fulfillmentType }) => `${MARKETPLACE_NAMES[marketplace]} ${fulfillmentType}`);
  });
  const type = sameType(places);
  if (type !== null && words.length === MARKETPLACES.length) return `every ${type} listing`;
  return words.join(', ');
}

function sameType(places: readonly ListingKind[]): string | null {
  const [first] = places;
  const isSame = places.every(({ fulfillmentType }) => fulfillmentType === first?.fulfillmentType);
  return first !== undefined && isSame ? first.fulfillmentType : null;
}

/** Why a rule goes before another. */
export const WINS_BECAUSE = {
  priority: 'its priority comes first',
  marketplace: 'it is set for one marketplace',
  fulfillment: 'it is set for one fulfillment type',
  segment: 'it names more fields',
  age: 'it is older',
} as const satisfies Record<Tiebreak, string>;

/** Which of two rules wins, where, and why. */
export function competingRuleText({ rule, wins, because, places }: CompetingRule): string {
  const where = listingKindsText(places);
  return wins
    ? `It takes precedence over "${rule.name}" for ${where}: ${WINS_BECAUSE[because]}.`
    : `"${rule.name}" takes precedence for ${where}: ${WINS_BECAUSE[because]}.`;
}

/**
 * The effect on listings that lose their rule: their new rule, and their price.
 * @param isOne true for one rule, false for several
 */
export function impactText({ own, newRules }: RuleImpact, isOne: boolean): string[] {
  const lines = newRules.map(({ rule, listings: count }) =>
    rule === null
      ? `${countOf(count, 'listing matches', 'listings match')} no other active rule: the price stays as it is.`
      : `${countOf(count, 'listing moves', 'listings move')} to "${rule.name}" and ${count === 1 ? 'is' : 'are'} repriced.`,
  );
  if (own > 0) {
    const names = assignedText(own, isOne ? 'it' : 'one of them');
    lines.push(`${names}: the price stays until you choose another rule.`);
  }
  return lines;
}

/** "3 listings are assigned to it" */
export function assignedText(listings: number, what: string): string {
  return `${countOf(listings, 'listing is', 'listings are')} assigned to ${what}`;
}

/** "−$0.31", how far prices move on average; null while no average is known. */
export function averageChangeText(averages: RulePreview['averages']): string | null {
  const change = averages && changeOf(averages.oldPrice, averages.newPrice);
  return change === null ? null : signedMoney(change);
}

/** The difference of two decimal strings with two decimals, as another. */
export function changeOf(from: string, to: string): string {
  const hundredths = (text: string): number => Math.round(Number(text) * 100);
  return ((hundredths(to) - hundredths(from)) / 100).toFixed(2);
}

/** Data that a competitor strategy lacks on the rule's marketplaces; null if none. */
export function missingCompetitorsText(marketplace: Marketplace | null, strategy: Strategy): string | null {
  if (strategy === 'Fixed Margin') return null;
  const without = WITHOUT_COMPETITOR_OFFERS.filter((each) => marketplace === null || each === marketplace);
  if (without.length === 0) return null;
  const names = without.map((each) => MARKETPLACE_NAMES[each]).join(', ');
  const verb = without.length === 1 ? 'does' : 'do';
  return `${names} ${verb} not share competitor offers. There this strategy uses only offers you import, or offers from your other channels if you allow it.`;
}

/** Marketplaces of a rule whose competitors may be mismatched, in a sentence; null if none. */
export function uncertainCompetitorsText(marketplace: Marketplace | null, strategy: Strategy): string | null {
  if (strategy === 'Fixed Margin') return null;
  const unsure = MARKETPLACES.filter(
    (each) => CAPABILITIES[each].competitors === 'search' && (marketplace === null || each === marketplace),
  );
  if (unsure.length === 0) return null;
  const names = unsure.map((each) => MARKETPLACE_NAMES[each]).join(', ');
  return `On ${names}, competitors are found by searching the product code, so some may sell a different item. Check them before you go live.`;
}

type DecidedBy = ListedRule['decidedBy'];

/** "Line 1: 210, line 2: 954 (150 held), not read 40" Counts of zero are only shown of lines; empty without any. */
export function decidedByText({
  lines,
  notRead,
  noLine,
  blocked = 0,
  unknown = 0,
}: Pick<DecidedBy, 'lines' | 'notRead' | 'noLine'> & Partial<DecidedBy>): string {
  const parts = lines.map(({ line, listings, held }) => {
    const kept = held > 0 ? ` (${formatCount(held)} held)` : '';
    return `line ${line}: ${formatCount(listings)}${kept}`;
  });
  const others = { 'not read': notRead, 'no line': noLine, blocked, 'not known': unknown };
  for (const [name, count] of Object.entries(others)) {
    if (count > 0) parts.push(`${name} ${formatCount(count)}`);
  }
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/**
 * "12%", the share of listings at their margin floor; null where none of them has a known one, and for Fixed Margin, whose prices
 * are there on purpose.
 */
export function floorShareText({
  lines,
  strategy,
  atMarginFloor,
  knownFloors,
}: Pick<ListedRule, 'lines' | 'strategy' | 'atMarginFloor' | 'knownFloors'>): string | null {
  if (knownFloors === 0 || (lines === null && strategy === 'Fixed Margin')) return null;
  const share = Math.round((100 * atMarginFloor) / knownFloors);
  // Neither none nor all of them where that is only rounded.
  if (share === 0 && atMarginFloor > 0) return 'under 1%';
  return share === 100 && atMarginFloor < knownFloors ? 'over 99%' : `${share}%`;
}
