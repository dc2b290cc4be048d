import { DEFAULT_LIMITS } from '#domain/limits/policy.ts';
import { refusedLine } from '#domain/lines/check-lines.ts';
import type { Line } from '#domain/lines/line.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { linesProblemFix, linesProblemText } from '#domain/lines/problem-text.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import {
  BELOW_FLOOR,
  type BelowFloor,
  type LineTerms,
  NO_COMPETITOR,
  type NoCompetitor,
  RULE_FULFILLMENTS,
  type RuleFulfillment,
  STRATEGIES,
  type Strategy,
  WITHOUT_LINES,
} from '#domain/rules/rule.ts';
import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { Keywords, keywordsOf } from './keywords.ts';
import { readScope, SCOPE_COLUMNS, type ScopeRow } from './rule-scope-columns.ts';
import type { TableFormat } from './table.ts';

/** The column of each marketplace's own minimum margin. */
export const MARGIN_COLUMNS = {
  walmart: 'marginWalmart',
  amazon: 'marginAmazon',
  michaels: 'marginMichaels',
  ebay: 'marginEbay',
  etsy: 'marginEtsy',
  shopify: 'marginShopify',
} as const satisfies Record<Marketplace, string>;
/** The column of each marketplace's own target margin. */
export const TARGET_COLUMNS = {
  walmart: 'targetWalmart',
  amazon: 'targetAmazon',
  michaels: 'targetMichaels',
  ebay: 'targetEbay',
  etsy: 'targetEtsy',
  shopify: 'targetShopify',
} as const satisfies Record<Marketplace, string>;
/** The columns that only a rule with lines uses. */
const LINE_COLUMNS = [
  'lines',
  'targetMargin',
  ...Object.values(TARGET_COLUMNS),
  'winShare',
  'onlySameShipping',
  'ignoreUnderFloor',
] as const;
type MarginColumn = (typeof MARGIN_COLUMNS)[Marketplace];
export type RuleColumn =
  | 'name'
  | 'marketplace'
  | 'fulfillmentType'
  | 'strategy'
  | 'minimumMargin'
  | 'competitorOffset'
  | 'isActive'
  | MarginColumn
  | 'noCompetitor'
  | 'belowFloor'
  | 'askFirst'
  | 'refuseCrossChannel'
  | (typeof LINE_COLUMNS)[number]
  | (typeof SCOPE_COLUMNS)[number];

/** The rules file. The oldest rule is the first. */
export const RULE_FORMAT: TableFormat<RuleColumn> = {
  columns: {
    name: 'required',
    marketplace: 'required',
    fulfillmentType: 'required',
    strategy: 'required',
    minimumMargin: 'required',
    competitorOffset: 'required',
    isActive: 'required',
    marginWalmart: 'optional',
    marginAmazon: 'optional',
    marginMichaels: 'optional',
    marginEbay: 'optional',
    marginEtsy: 'optional',
    marginShopify: 'optional',
    noCompetitor: 'optional',
    belowFloor: 'optional',
    askFirst: 'optional',
    refuseCrossChannel: 'optional',
    lines: 'optional',
    targetMargin: 'optional',
    targetWalmart: 'optional',
    targetAmazon: 'optional',
    targetMichaels: 'optional',
    targetEbay: 'optional',
    targetEtsy: 'optional',
    targetShopify: 'optional',
    winShare: 'optional',
    onlySameShipping: 'optional',
    ignoreUnderFloor: 'optional',
    ...(Object.fromEntries(SCOPE_COLUMNS.map((name) => [name, 'optional'])) as Record<
      (typeof SCOPE_COLUMNS)[number],
      'optional'
    >),
  },
};

/** What a rule row says; null in a required member when it is blank or unreadable, which is reported then. */
export interface RuleRow extends LineTerms, ScopeRow {
  readonly name: string | null;
  readonly fulfillmentType: RuleFulfillment | null;
  readonly strategy: Strategy | null;
  readonly minimumMargin: Bps | null;
  readonly marketplaceMargins: Partial<Record<Marketplace, Bps>>;
  readonly competitorOffset: Cents | null;
  readonly isActive: boolean | null;
  readonly noCompetitor: NoCompetitor;
  readonly belowFloor: BelowFloor;
  readonly requiresReview: boolean;
  readonly refuseCrossChannel: boolean;
}

const RULE_FULFILLMENT_KEYWORDS = new Keywords<RuleFulfillment>([
  ...RULE_FULFILLMENTS.map((type) => [type, type] as const),
  ['FBA', 'FBA/WFS'],
  ['WFS', 'FBA/WFS'],
]);
const STRATEGY_KEYWORDS = keywordsOf(STRATEGIES);
const NO_COMPETITOR_KEYWORDS = keywordsOf(NO_COMPETITOR);
const BELOW_FLOOR_KEYWORDS = keywordsOf(BELOW_FLOOR);

/** Reads the current row of `cells`. */
export function readRule(cells: Cells<RuleColumn>): RuleRow {
  return {
    name: cells.required('name', cells.text('name'), 'Give the rule a name.'),
    fulfillmentType: cells.required(
      'fulfillmentType',
      cells.word('fulfillmentType', RULE_FULFILLMENT_KEYWORDS),
      RULE_FULFILLMENT_KEYWORDS.fix,
    ),
    strategy: cells.required('strategy', cells.word('strategy', STRATEGY_KEYWORDS), STRATEGY_KEYWORDS.fix),
    minimumMargin: cells.required(
      'minimumMargin',
      cells.margin('minimumMargin'),
      'Write it in percent, such as 15.',
    ),
    marketplaceMargins: readMargins(cells, MARGIN_COLUMNS),
    competitorOffset: cells.offset('competitorOffset'),
    isActive: cells.required('isActive', cells.flag('isActive'), 'Write true or false.'),
    noCompetitor: cells.word('noCompetitor', NO_COMPETITOR_KEYWORDS) ?? NO_COMPETITOR[0],
    belowFloor: cells.word('belowFloor', BELOW_FLOOR_KEYWORDS) ?? BELOW_FLOOR[0],
    requiresReview: cells.flag('askFirst') ?? false,
    refuseCrossChannel: cells.flag('refuseCrossChannel') ?? false,
    ...readScope(cells),
    ...readLineTerms(cells),
  };
}

/** The lines of a rule and what they use, as far as the row has them. */
function readLineTerms(cells: Cells<RuleColumn>): LineTerms {
  const targetMargin = cells.margin('targetMargin');
  const marketplaceTargets = readMargins(cells, TARGET_COLUMNS);
  const lines = readLines(cells, { targetMargin, marketplaceTargets });
  const ignoreUnderFloor = cells.percent('ignoreUnderFloor');
  if (ignoreUnderFloor !== null && ignoreUnderFloor > WHOLE) {
    cells.reject('ignoreUnderFloor', 'is above 100%', 'Write it in percent, such as 10.');
  }
  return {
    lines,
    targetMargin,
    marketplaceTargets,
    winShare: cells.percent('winShare') ?? WITHOUT_LINES.winShare,
    // Lines can price faster and slower offers apart; a strategy cannot.
    onlySameShipping: cells.flag('onlySameShipping') ?? lines === null,
    ignoreUnderFloor,
  };
}

function readLines(
  cells: Cells<RuleColumn>,
  targets: Pick<LineTerms, 'targetMargin' | 'marketplaceTargets'>,
): readonly Line[] | null {
  const text = cells.text('lines');
  if (text === null) return null;
  const { lines, problem } = parseLines(text);
  if (problem !== null) {
    cells.reject('lines', linesProblemText(problem), linesProblemFix(problem));
    return null;
  }
  const refused = refusedLine(lines, targets, DEFAULT_LIMITS.priceWarThreshold);
  if (refused !== null) cells.reject('lines', `line ${refused.line} ${refused.problem}`, refused.fix);
  return lines;
}

function readMargins(
  cells: Cells<RuleColumn>,
  columns: Readonly<Record<Marketplace, RuleColumn>>,
): Partial<Record<Marketplace, Bps>> {
  const margins: Partial<Record<Marketplace, Bps>> = {};
  for (const marketplace of MARKETPLACES) {
    const margin = cells.margin(columns[marketplace]);
    if (margin !== null) margins[marketplace] = margin;
  }
  return margins;
}
