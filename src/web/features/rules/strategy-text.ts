import { allowedPrices } from '#domain/allowed-prices.ts';
import { parseBps, parseCents } from '#domain/decimal.ts';
import { compileFees } from '#domain/fee-table.ts';
import type { Strategy } from '#domain/rule.ts';
import { moneyText, percentText } from '#domain/text.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { formOf, type RuleDraft } from './rule-draft.ts';

const RIVAL = 16_00 as Cents;
const COST = 10_00 as Cents;
const FEE = 15_00 as Bps;
/** What Beat takes off while no offset is set. */
const ONE_CENT = 1 as Cents;

const WORDS = {
  'Match Competitor': 'Asks what the lowest competitor asks, delivered, plus your offset.',
  'Beat Competitor': 'Goes under the lowest competitor by your offset; by one cent if you set none.',
  'Fixed Margin': 'Asks the lowest price that keeps your minimum margin. Competitors do not matter.',
  'Dynamic Pricing':
    'Asks what the lowest competitor asks, delivered, plus your offset, and keeps its price without one. It is meant to learn from sales which price earns most, and does not do so yet.',
} as const satisfies Record<Strategy, string>;

/** What a strategy does, in a sentence. */
export function strategyText(strategy: Strategy): string {
  return WORDS[strategy];
}

/** What a strategy makes of round numbers with the margin and the offset that are typed just now. */
export function strategyExample(draft: RuleDraft, strategy: Strategy): string {
  const { minimumMargin, competitorOffset } = formOf({ ...draft, strategy });
  if (strategy === 'Fixed Margin') return fixedExample(parseBps(minimumMargin));
  const offset = typeof competitorOffset === 'string' ? parseCents(competitorOffset) : null;
  const price = strategy === 'Beat Competitor' ? RIVAL - Math.abs(offset ?? ONE_CENT) : RIVAL + (offset ?? 0);
  if (price <= 0) return `Competitor ${moneyText(RIVAL)} would become nothing: the lowest legal price holds.`;
  return `Competitor ${moneyText(RIVAL)} becomes ${moneyText(price as Cents)}.`;
}

function fixedExample(minimumMargin: Bps | null): string {
  if (minimumMargin === null) return 'Type a margin to see an example.';
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
      bands: [{ upTo: null, percent: FEE, fixed: 0 as Cents, minimum: 0 as Cents }],
    }),
  });
  const given = `Cost ${moneyText(COST)}, ${percentText(FEE)} fee, ${percentText(minimumMargin)} margin`;
  return marginFloor === null
    ? `${given}: no price can keep that.`
    : `${given} become ${moneyText(marginFloor)}.`;
}
