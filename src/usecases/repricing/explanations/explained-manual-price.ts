import type { PriceExplanation } from '#contract/explanation.ts';
import type { PriceRow } from '#db/queries/repricing/price-rows.ts';
import { channelGap } from '#domain/decision/cross-channel.ts';
import { channelGapText } from '#domain/decision/explanation-text.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import { moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { moment, money, percentOrNull } from '#usecases/repricing/pricing/api-values.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import {
  allowedPart,
  type ExplainedListing,
  factsPart,
  feesPart,
  listingPart,
  profitPart,
} from './explained-parts.ts';

/** Explains a manual price: the user, and the limits it was checked against at that time. */
export function explainManualPrice(
  listing: ExplainedListing,
  row: PriceRow,
  { facts, choice }: DecisionCase,
): PriceExplanation {
  const { source, oldPrice, newPrice, timestamp, actor, reason } = row;
  const minimumMargin = manualPriceMargin(choice, facts);
  const { set } = checkManualPrice(facts, minimumMargin, newPrice);
  const { rule } = choice;
  const gap = channelGap(facts, newPrice);
  return {
    listing: listingPart(listing),
    of: 'history',
    at: moment(timestamp),
    actor,
    outcome: 'change',
    price: money(newPrice),
    reasonCode: source,
    reviewReason: null,
    bindingLimit: 'none',
    bindingLimitText: null,
    fix: null,
    moveRange: null,
    competition: null,
    offers: [],
    restEndsAt: null,
    sentence: `${reason} ${checkedText(set?.marginFloor ?? null, minimumMargin)}`,
    rule:
      rule === null
        ? null
        : {
            id: rule.id,
            name: rule.name,
            strategy: rule.lines === null ? rule.strategy : null,
            minimumMargin: percentOrNull(minimumMargin),
            why: 'Its minimum margin also applies to manual prices.',
          },
    lines: null,
    facts: factsPart(facts),
    fees: feesPart(facts.fees),
    allowed: allowedPart(set),
    channelGap: gap === null ? null : channelGapText(gap),
    steps:
      oldPrice === null
        ? []
        : [
            {
              step: 'result',
              from: money(oldPrice),
              to: money(newPrice),
              because: source,
              text: `${actor ?? 'A user'} set ${moneyText(newPrice)}, and it was allowed.`,
            },
          ],
    margin: {
      before: percentOrNull(marginAt(oldPrice, facts)),
      after: percentOrNull(marginAt(newPrice, facts)),
    },
    profit: profitPart(oldPrice, newPrice, facts),
  };
}

function checkedText(floor: Cents | null, minimumMargin: Bps): string {
  if (floor === null) return 'The price was checked against the limits at that time.';
  const limit = minimumMargin === 0 ? 'loses no money' : `keeps your ${percentText(minimumMargin)} margin`;
  return `The lowest price that ${limit} was ${moneyText(floor)}.`;
}
