import { parseBps, parseCents } from '#domain/decimal.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import { allowedPrices } from '#domain/limits/allowed-prices.ts';
import type { Strategy } from '#domain/rules/rule.ts';
import { moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

const COMPETITOR_PRICE = 16_00 as Cents;
const COST = 10_00 as Cents;
const FEE = 15_00 as Bps;
/** Beat's default offset. */
const ONE_CENT = 1 as Cents;

const STRATEGY_TEXT = {
  'Match Competitor': 'Matches the lowest landed price (item plus shipping), plus your offset.',
  'Beat Competitor': 'Beats the lowest landed price by your offset, or by $0.01 if you set none.',
  'Fixed Margin': 'Uses the lowest allowed price that keeps your minimum margin. Ignores competitors.',
  'Dynamic Pricing':
    'Matches the lowest landed price, plus your offset, and keeps the price without a competitor. Learning from sales is not available yet.',
} as const satisfies Record<Strategy, string>;

const STRATEGY_SUMMARY = {
  'Match Competitor': 'Lowest price plus your offset',
  'Beat Competitor': 'Lowest price less your offset',
  'Fixed Margin': 'Lowest that keeps your margin',
  'Dynamic Pricing': 'Matches; does not learn yet',
} as const satisfies Record<Strategy, string>;

/** A strategy in one line. */
export function strategySummary(strategy: Strategy): string {
  return STRATEGY_SUMMARY[strategy];
}

/** A strategy in a sentence. */
export function strategyText(strategy: Strategy): string {
  return STRATEGY_TEXT[strategy];
}

/** Example prices of a strategy with the typed margin and offset. */
export function strategyExample(draft: RuleDraft, strategy: Strategy): string {
  const { minimumMargin, competitorOffset } = formOf({ ...draft, strategy });
  if (strategy === 'Fixed Margin') return fixedExample(parseBps(minimumMargin));
  const offset = typeof competitorOffset === 'string' ? parseCents(competitorOffset) : null;
  const price =
    strategy === 'Beat Competitor'
      ? COMPETITOR_PRICE - Math.abs(offset ?? ONE_CENT)
      : COMPETITOR_PRICE + (offset ?? 0);
  if (price <= 0)
    return `Competitor ${moneyText(COMPETITOR_PRICE)}: below your margin floor, so the lowest allowed price is used.`;
  return `Competitor ${moneyText(COMPETITOR_PRICE)}: your price is ${moneyText(price as Cents)}.`;
}

function fixedExample(minimumMargin: Bps | null): string {
  if (minimumMargin === null) return 'Enter a margin to see an example.';
  const { marginFloor } = allowedPrices({
    totalCost: COST,
    shippingCharge: 0 as Cents,
    minimumMargin,
    minPrice: null,
    maxPrice: null,
    anchorPrice: null,
    fees: compileFees({
      marketplace: 'walmart',
      category: null,
      effectiveFrom: null,
      bandKind: 'whole',
      edgeBase: 'revenue',
      bands: [{ ...PLAIN_BAND, upTo: null, percent: FEE, fixed: 0 as Cents, minimum: 0 as Cents }],
    }),
  });
  const given = `Cost ${moneyText(COST)}, ${percentText(FEE)} fee, ${percentText(minimumMargin)} margin`;
  return marginFloor === null
    ? `${given}: no price can reach this margin.`
    : `${given}: your price is ${moneyText(marginFloor)}.`;
}
