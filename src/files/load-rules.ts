import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import {
  RULE_FULFILLMENTS,
  type Rule,
  type RuleFulfillment,
  type ScopeTerms,
  WITHOUT_LINES,
  WITHOUT_SCOPE,
} from '#domain/rules/rule.ts';
import type { Bps } from '#domain/units.ts';
import type { Cells } from './cells.ts';
import { type RuleColumn, type RuleRow, readRule } from './rule-format.ts';
import { SCOPE_COLUMNS } from './rule-scope-columns.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

/** The rules of a file. */
export interface LoadedRules {
  /** The oldest first. */
  readonly rules: readonly Rule[];
  /** Rules as listings name them, trimmed and in small letters; `ambiguous` when several share the name. */
  readonly byName: ReadonlyMap<string, Rule | 'ambiguous'>;
  /** The names as written. */
  readonly names: readonly string[];
  /** Line of the rule with an id when its row could not be read. */
  readonly badLines: ReadonlyMap<string, number>;
}

interface Draft {
  readonly rules: Rule[];
  readonly byName: Map<string, Rule | 'ambiguous'>;
  readonly names: string[];
  readonly badLines: Map<string, number>;
}

/**
 * Reads the rules file. An unreadable row keeps its listings, with a margin that blocks them: without it they would be
 * priced by another rule, perhaps with a lower margin.
 */
export async function loadRules(table: Table<RuleColumn>, report: ReportProblem): Promise<LoadedRules> {
  const draft: Draft = { rules: [], byName: new Map(), names: [], badLines: new Map() };
  await readRows(table, report, {
    onRow(cells) {
      const row = readRule(cells);
      const { line } = cells;
      const rule = cells.bad.length === 0 ? goodRule(row, line) : null;
      if (rule !== null) {
        draft.rules.push(rule);
        nameRule(draft, rule);
      } else if (row.isActive !== false) {
        addBad(draft, row.name, line, reachOf(cells, row));
      }
    },
    onBroken(cells) {
      addBad(draft, cells.text('name'), cells.line, {
        marketplaces: MARKETPLACES,
        types: SINGLE_TYPES,
        scope: FIRST_ANYWHERE,
      });
    },
  });
  return draft;
}

/** How listings name a rule: trimmed, without regard to case. */
export function ruleKey(name: string): string {
  return name.trim().toLowerCase();
}

interface BadReach {
  readonly marketplaces: readonly (Marketplace | null)[];
  readonly types: readonly RuleFulfillment[];
  readonly scope: ScopeTerms;
}

const SINGLE_TYPES = RULE_FULFILLMENTS.filter((type) => type !== 'All');
/** Fails the check of every decision, which then says that the rule cannot be read. */
const UNREADABLE_MARGIN = Number.NaN as Bps;

/** Where a row that cannot be read may have held: everywhere, as far as the cell that says so is unreadable. */
function reachOf(cells: Cells<RuleColumn>, row: RuleRow): BadReach {
  const isScopeBad = SCOPE_COLUMNS.some((column) => cells.isBad(column));
  const { segment, priority, schedule } = row;
  return {
    marketplaces: cells.isBad('marketplace') ? MARKETPLACES : [row.marketplace],
    types: row.fulfillmentType === null ? SINGLE_TYPES : [row.fulfillmentType],
    scope: isScopeBad ? { ...FIRST_ANYWHERE, segment } : { segment, priority, schedule },
  };
}

/** Of a row whose own place is not known: it may have been before every other rule. */
const FIRST_ANYWHERE: ScopeTerms = { ...WITHOUT_SCOPE, priority: 1 };

function addBad(draft: Draft, name: string | null, line: number, reach: BadReach): void {
  const { marketplaces, types, scope } = reach;
  const id = idOf(line);
  draft.badLines.set(id, line);
  for (const marketplace of marketplaces) {
    for (const type of types) {
      draft.rules.push({ ...badRule(name, line, marketplace, type), ...scope });
    }
  }
  if (name !== null) nameRule(draft, badRule(name, line, null, 'All'));
}

function badRule(
  name: string | null,
  line: number,
  marketplace: Marketplace | null,
  fulfillmentType: RuleFulfillment,
): Rule {
  return {
    id: idOf(line),
    name: name ?? idOf(line),
    marketplace,
    fulfillmentType,
    strategy: 'Fixed Margin',
    minimumMargin: UNREADABLE_MARGIN,
    marketplaceMargins: {},
    competitorOffset: null,
    isActive: true,
    requiresReview: false,
    noCompetitor: 'keep',
    belowFloor: 'floor',
    otherChannels: false,
    refuseCrossChannel: false,
    filter: null,
    order: line,
    ...WITHOUT_LINES,
    ...WITHOUT_SCOPE,
  };
}

function goodRule(row: RuleRow, line: number): Rule | null {
  const { name, fulfillmentType, strategy, minimumMargin, isActive } = row;
  if (name === null || fulfillmentType === null || strategy === null) return null;
  if (minimumMargin === null || isActive === null) return null;
  return {
    ...row,
    id: idOf(line),
    name,
    fulfillmentType,
    strategy,
    minimumMargin,
    isActive,
    otherChannels: false,
    filter: null,
    order: line,
  };
}

function nameRule(draft: Draft, rule: Rule): void {
  const key = ruleKey(rule.name);
  draft.byName.set(key, draft.byName.has(key) ? 'ambiguous' : rule);
  if (!draft.names.includes(rule.name)) draft.names.push(rule.name);
}

function idOf(line: number): string {
  return `line ${line}`;
}
