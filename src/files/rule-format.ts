import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import {
  BELOW_FLOOR,
  type BelowFloor,
  NO_COMPETITOR,
  type NoCompetitor,
  RULE_FULFILLMENTS,
  type RuleFulfillment,
  STRATEGIES,
  type Strategy,
} from '#domain/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { Keywords, keywordsOf, MARKETPLACE_KEYWORDS } from './keywords.ts';
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
  | 'refuseCrossChannel';

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
  },
};

/** What a rule row says; null in a required member when it is blank or unreadable, which is reported then. */
export interface RuleRow {
  readonly name: string | null;
  /** Null: all. */
  readonly marketplace: Marketplace | null;
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
    marketplace: cells.word('marketplace', MARKETPLACE_KEYWORDS),
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
    marketplaceMargins: readMargins(cells),
    competitorOffset: cells.offset('competitorOffset'),
    isActive: cells.required('isActive', cells.flag('isActive'), 'Write true or false.'),
    noCompetitor: cells.word('noCompetitor', NO_COMPETITOR_KEYWORDS) ?? NO_COMPETITOR[0],
    belowFloor: cells.word('belowFloor', BELOW_FLOOR_KEYWORDS) ?? BELOW_FLOOR[0],
    requiresReview: cells.flag('askFirst') ?? false,
    refuseCrossChannel: cells.flag('refuseCrossChannel') ?? false,
  };
}

function readMargins(cells: Cells<RuleColumn>): Partial<Record<Marketplace, Bps>> {
  const margins: Partial<Record<Marketplace, Bps>> = {};
  for (const marketplace of MARKETPLACES) {
    const margin = cells.margin(MARGIN_COLUMNS[marketplace]);
    if (margin !== null) margins[marketplace] = margin;
  }
  return margins;
}
