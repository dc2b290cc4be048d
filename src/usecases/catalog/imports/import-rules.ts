import type { Db } from '#db/client.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import {
  insertRules,
  listRuleMargins,
  listRuleTexts,
  type RuleMargin,
  replaceRuleMargins,
  updateRules,
} from '#db/queries/catalog/import-rules.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Cells } from '#files/cells.ts';
import { ruleKey } from '#files/load-rules.ts';
import { IMPORTED_RULE_FORMAT, MARGIN_COLUMNS, type RuleColumn, readRule } from '#files/rule-format.ts';
import { type Blank, difference, moneyField } from './fields.ts';
import type { Importer, PassContext, RowOutcome } from './importer.ts';
import { readable } from './whole-groups.ts';

/**
 * A blank marketplace means all of them, a blank offset none: both are values. Settings made on the screen are kept.
 */
const FIELDS: Readonly<Record<string, Blank>> = {
  marketplace: 'clears',
  fulfillmentType: 'keeps',
  strategy: 'keeps',
  minimumMargin: 'keeps',
  competitorOffset: 'clears',
  isActive: 'keeps',
  noCompetitor: 'keeps',
  belowFloor: 'keeps',
  askFirst: 'keeps',
  refuseCrossChannel: 'keeps',
  ...Object.fromEntries(Object.values(MARGIN_COLUMNS).map((name) => [name, 'clears' as const])),
};

/** Rules, added or changed by their name. */
export const RULE_IMPORT: Importer<RuleColumn, TextRow> = {
  columns: Object.keys(IMPORTED_RULE_FORMAT.columns) as RuleColumn[],
  isOneBatch: true,
  reader: () => {
    const lines = new Map<string, number>();
    return (cells) => {
      const row = readRow(cells);
      const key = ruleKey(row.name ?? '');
      const first = lines.get(key);
      if (first === undefined) lines.set(key, cells.line);
      else
        cells.reject(
          'name',
          'is already in this file',
          `Rename one of the two rules; the first is line ${first}.`,
        );
      return cells.bad.length > 0 ? null : row;
    };
  },
  plan: async (db, entries, context, lock) => {
    const stored = await storedRules(db, lock);
    const created: TextRow[] = [];
    const updated: TextRow[] = [];
    const verdicts = readable(entries).map(({ row }): RowOutcome => {
      const what = row.name ?? '';
      const old = stored.get(ruleKey(what));
      if (old === 'ambiguous') {
        const fix = 'Rename one of them under Rules first.';
        const complaint = {
          column: 'name',
          value: what,
          problem: 'is the name of several stored rules',
          fix,
        };
        return { kind: 'rejected', what, complaint };
      }
      if (old === undefined) {
        created.push(row);
        return { kind: 'create', what };
      }
      const { changes, merged } = difference(old, row, FIELDS, context.present);
      if (changes.length === 0) return { kind: 'unchanged', what };
      updated.push(merged);
      return { kind: 'update', what, changes };
    });
    return { verdicts, write: (tx) => writeRules(tx, created, updated, context) };
  },
};

function readRow(cells: Cells<RuleColumn>): TextRow {
  const rule = readRule(cells);
  if (rule.name !== null && rule.name.length > 200) {
    cells.reject('name', 'is longer than 200 characters', 'Shorten it.');
  }
  // Taken without them the rule would price by its strategy.
  if (cells.text('lines') !== null && !cells.isBad('lines')) {
    const fix = 'Use the file with pricewright reprice, or leave the cell blank to import the strategy.';
    cells.reject('lines', 'cannot be imported', fix);
  }
  const askFirst = cells.flag('askFirst');
  const refuseCrossChannel = cells.flag('refuseCrossChannel');
  const margins = MARKETPLACES.map((marketplace): [string, string | null] => {
    const margin = rule.marketplaceMargins[marketplace];
    return [MARGIN_COLUMNS[marketplace], margin === undefined ? null : decimalFromBps(margin)];
  });
  return {
    name: rule.name,
    marketplace: rule.marketplace,
    fulfillmentType: rule.fulfillmentType,
    strategy: rule.strategy,
    minimumMargin: rule.minimumMargin === null ? null : decimalFromBps(rule.minimumMargin),
    competitorOffset: moneyField(rule.competitorOffset),
    isActive: rule.isActive === null ? null : String(rule.isActive),
    noCompetitor: cells.text('noCompetitor') === null ? null : rule.noCompetitor,
    belowFloor: cells.text('belowFloor') === null ? null : rule.belowFloor,
    askFirst: askFirst === null ? null : String(askFirst),
    refuseCrossChannel: refuseCrossChannel === null ? null : String(refuseCrossChannel),
    ...Object.fromEntries(margins),
  };
}

async function storedRules(db: Db, lock: boolean): Promise<Map<string, TextRow | 'ambiguous'>> {
  const margins = new Map<string, Record<string, string>>();
  const columns: Readonly<Record<string, string>> = MARGIN_COLUMNS;
  for (const { ruleId, marketplace, margin } of await listRuleMargins(db)) {
    margins.set(ruleId, { ...margins.get(ruleId), [columns[marketplace] ?? '']: margin });
  }
  const rules = new Map<string, TextRow | 'ambiguous'>();
  for (const rule of await listRuleTexts(db, lock)) {
    const key = ruleKey(rule.name ?? '');
    rules.set(key, rules.has(key) ? 'ambiguous' : { ...rule, ...margins.get(rule.id ?? '') });
  }
  return rules;
}

async function writeRules(
  tx: Db,
  created: readonly TextRow[],
  updated: readonly TextRow[],
  { at }: PassContext,
): Promise<void> {
  const ids = await insertRules(tx, created, at);
  await updateRules(tx, updated, at);
  const rules = [...created.map((row) => ({ ...row, id: ids.get(row.name ?? '') ?? '' })), ...updated];
  const margins = rules.flatMap((rule: TextRow): RuleMargin[] =>
    MARKETPLACES.flatMap((marketplace) => {
      const margin = rule[MARGIN_COLUMNS[marketplace]];
      return margin == null ? [] : [{ ruleId: rule.id ?? '', marketplace, margin }];
    }),
  );
  await replaceRuleMargins(
    tx,
    rules.map(({ id }) => id ?? ''),
    margins,
  );
}
