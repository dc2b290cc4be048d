import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Bps } from '#domain/units.ts';
import { csvLine } from './csv-writer.ts';
import { MARGIN_COLUMNS, RULE_FORMAT, type RuleColumn, TARGET_COLUMNS } from './rule-format.ts';
import { scopeCells } from './rule-scope-columns.ts';

const COLUMNS = Object.keys(RULE_FORMAT.columns) as RuleColumn[];

/** The header line of a rules file with every column. @param more columns behind them, for people */
export function ruleHeader(more: readonly string[] = []): string {
  return csvLine([...COLUMNS, ...more]);
}

/** One rule as a line of that file, which reads back as the same rule. */
export function ruleLine(rule: FiledRule, more: readonly string[] = []): string {
  const cells = ruleCells(rule);
  return csvLine([...COLUMNS.map((column) => cells[column]), ...more]);
}

/** What a rules file has of a rule. */
export type FiledRule = Omit<Rule, 'id' | 'otherChannels' | 'filter' | 'order'>;

/** The cells of one rule. */
export function ruleCells(rule: FiledRule): Readonly<Record<RuleColumn, string | null>> {
  return {
    name: rule.name,
    ...scopeCells(rule),
    fulfillmentType: rule.fulfillmentType,
    strategy: rule.strategy,
    minimumMargin: decimalFromBps(rule.minimumMargin),
    competitorOffset: rule.competitorOffset === null ? null : decimalFromCents(rule.competitorOffset),
    isActive: String(rule.isActive),
    ...marginCells(rule.marketplaceMargins, MARGIN_COLUMNS),
    noCompetitor: rule.noCompetitor,
    belowFloor: rule.belowFloor,
    askFirst: String(rule.requiresReview),
    refuseCrossChannel: String(rule.refuseCrossChannel),
    lines: rule.lines === null ? null : printLines(rule.lines).replaceAll('\n', '; '),
    targetMargin: shareCell(rule.targetMargin),
    ...marginCells(rule.marketplaceTargets, TARGET_COLUMNS),
    winShare: decimalFromBps(rule.winShare),
    onlySameShipping: String(rule.onlySameShipping),
    ignoreUnderFloor: shareCell(rule.ignoreUnderFloor),
  };
}

function marginCells<Column extends string>(
  margins: Partial<Readonly<Record<Marketplace, Bps>>>,
  columns: Readonly<Record<Marketplace, Column>>,
): Record<Column, string | null> {
  const cells = MARKETPLACES.map((each) => [columns[each], shareCell(margins[each] ?? null)]);
  return Object.fromEntries(cells) as Record<Column, string | null>;
}

function shareCell(share: Bps | null): string | null {
  return share === null ? null : decimalFromBps(share);
}
