import type { Rule } from '#contract/rules.ts';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import type { BelowFloor, NoCompetitor } from '#domain/rules/rule.ts';
import { countOf } from '#web/lib/format.ts';
import { storedPercentText } from './rule-text.ts';

/** Options without a competitor. */
export const NO_COMPETITOR_LABELS = {
  keep: 'Keep the price',
  floor: 'Use the lowest allowed price',
  ceiling: 'Use the highest allowed price',
} as const satisfies Record<NoCompetitor, string>;

/** Options for a competitor's price below our lowest allowed price. */
export const BELOW_FLOOR_LABELS = {
  floor: 'Use the lowest allowed price',
  keep: 'Keep the price',
  ceiling: 'Use the highest allowed price',
  skip: 'Use the next competitor',
} as const satisfies Record<BelowFloor, string>;

/** Non-default options of a rule in short phrases; empty for none. */
export function optionText(rule: Rule): string[] {
  const { strategy, lines, requiresReview, noCompetitor, belowFloor, otherChannels, refuseCrossChannel } =
    rule;
  const { filter } = rule;
  // Lines have words of their own for both; Dynamic Pricing keeps the price, whatever the rule says.
  const asksAlone = lines === null && noCompetitor !== 'keep' && strategy !== 'Dynamic Pricing';
  const isSkipping = lines === null && belowFloor !== 'floor';
  const words: (string | false)[] = [
    otherMargins(rule),
    requiresReview && 'Requires review',
    asksAlone && `No competitor: ${lower(NO_COMPETITOR_LABELS[noCompetitor])}`,
    isSkipping && `Competitor below your floor: ${lower(BELOW_FLOOR_LABELS[belowFloor])}`,
    otherChannels && 'Includes other channels',
    refuseCrossChannel && 'Never priced higher on Walmart or Amazon than elsewhere',
    filter.minRating !== null && `Offers rated ${storedPercentText(filter.minRating)} or better`,
    filter.minRatingCount !== null &&
      `Sellers with ${countOf(filter.minRatingCount, 'rating', 'ratings')} or more`,
    filter.maxHandlingDays !== null && `Ships within ${countOf(filter.maxHandlingDays, 'day', 'days')}`,
    filter.fulfillmentType !== null && `Only ${filter.fulfillmentType} offers`,
    filter.ignoreSellers.length > 0 && `Ignores ${countOf(filter.ignoreSellers.length, 'seller', 'sellers')}`,
  ];
  return words.filter((word) => word !== false);
}

/** "15%": for a rule of one marketplace its margin there, else the general one. */
export function minimumMarginText({ marketplace, minimumMargin, marketplaceMargins }: Rule): string {
  return storedPercentText(
    (marketplace === null ? undefined : marketplaceMargins[marketplace]) ?? minimumMargin,
  );
}

function otherMargins({ marketplace, marketplaceMargins }: Rule): string | false {
  if (marketplace !== null) return false;
  const margins = MARKETPLACES.flatMap((each) => {
    const margin = marketplaceMargins[each];
    return margin === undefined ? [] : [`${MARKETPLACE_NAMES[each]} ${storedPercentText(margin)}`];
  });
  return margins.length > 0 && `Minimum margin ${margins.join(', ')}`;
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
