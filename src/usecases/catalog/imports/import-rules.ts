import type { Db } from '#db/client.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import {
  insertRule,
  lockRules,
  type RuleRecord,
  type RuleWrite,
  readRuleRecords,
  updateRule,
} from '#db/queries/repricing/rules.ts';
import { asksForTime } from '#domain/lines/compile-lines.ts';
import { type Cells, readGiven } from '#files/cells.ts';
import { ruleKey } from '#files/load-rules.ts';
import { type FiledRule, ruleCells } from '#files/rule-export.ts';
import { RULE_FORMAT, type RuleColumn, readRule } from '#files/rule-format.ts';
import { type UnusableRule, unusableIn } from '#usecases/repricing/rules/usable-rule.ts';
import { type Blank, difference } from './fields.ts';
import type { Importer, PassContext, RowError, RowOutcome } from './importer.ts';
import { readable } from './whole-groups.ts';

const COLUMNS = Object.keys(RULE_FORMAT.columns) as RuleColumn[];

/** A blank cell is no value there, and keeps what is stored. */
const KEEPS: ReadonlySet<RuleColumn> = new Set([
  ...(['fulfillmentType', 'strategy', 'minimumMargin', 'isActive', 'noCompetitor', 'belowFloor'] as const),
  ...(['askFirst', 'refuseCrossChannel', 'winShare', 'onlySameShipping'] as const),
]);

/** Elsewhere a blank is a value: all marketplaces, no offset, the strategy. Settings made on the screen are kept. */
const FIELDS: Readonly<Record<string, Blank>> = Object.fromEntries(
  COLUMNS.filter((name) => name !== 'name').map((name) => [name, KEEPS.has(name) ? 'keeps' : 'clears']),
);

/** Rules, added or changed by their name. */
export const RULE_IMPORT: Importer<RuleColumn, TextRow> = {
  columns: COLUMNS,
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
    if (lock) await lockRules(db);
    const stored = storedByName(await readRuleRecords(db));
    const { priceWarThreshold } = await readSettings(db);
    const created: RuleWrite[] = [];
    const updated: { readonly id: number; readonly rule: RuleWrite }[] = [];
    const outcomes = readable(entries).map(({ row }): RowOutcome => {
      const what = row.name ?? '';
      const rejected = (complaint: RowError): RowOutcome => ({ kind: 'rejected', what, complaint });
      const old = stored.get(ruleKey(what));
      if (old === 'ambiguous') return rejected(ofSeveral(what));
      if (old?.unreadLines != null) return rejected(ofLaterRelease(old.unreadLines));
      if (old === undefined) {
        const { rule, complaint } = ruleOf(row, null, priceWarThreshold);
        if (complaint !== null) return rejected(complaint);
        created.push(rule);
        return { kind: 'create', what };
      }
      const { changes, merged } = difference(ruleCells(old.rule), row, FIELDS, context.present);
      if (changes.length === 0) return { kind: 'unchanged', what };
      const { rule, complaint } = ruleOf(withShipping(merged, row, old), old, priceWarThreshold);
      if (complaint !== null) return rejected(complaint);
      updated.push({ id: old.id, rule });
      return { kind: 'update', what, changes };
    });
    const written = [...created, ...updated.map(({ rule }) => rule)];
    return {
      outcomes,
      timedRules: written.filter(dependsOnTime).length,
      write: (tx) => writeRules(tx, created, updated, context),
    };
  },
};

/** The cells of a row as an export writes them; null for a blank one. */
function readRow(cells: Cells<RuleColumn>): TextRow {
  const row = readRule(cells);
  if (row.name !== null && row.name.length > 200) {
    cells.reject('name', 'is longer than 200 characters', 'Shorten it.');
  }
  // Members that are null were reported, and such a row is not used.
  if (cells.bad.length > 0) return { name: row.name };
  const written = ruleCells(row as FiledRule);
  return Object.fromEntries(COLUMNS.map((name) => [name, cells.text(name) === null ? null : written[name]]));
}

function storedByName(records: readonly RuleRecord[]): Map<string, RuleRecord | 'ambiguous'> {
  const rules = new Map<string, RuleRecord | 'ambiguous'>();
  for (const record of records) {
    const key = ruleKey(record.rule.name);
    rules.set(key, rules.has(key) ? 'ambiguous' : record);
  }
  return rules;
}

/** A rule that gets lines, or loses them, has the standard for that unless the file says something else. */
function withShipping(merged: TextRow, row: TextRow, { rule }: RuleRecord): TextRow {
  const isSame = (rule.lines === null) === (merged.lines == null);
  return isSame || row.onlySameShipping != null ? merged : { ...merged, onlySameShipping: null };
}

/** The rule of these cells, and why it cannot be used. @param old what files do not have is kept of it */
function ruleOf(
  row: TextRow,
  old: RuleRecord | null,
  priceWarThreshold: number,
): { readonly rule: RuleWrite; readonly complaint: RowError | null } {
  const values = Object.fromEntries(Object.entries(row).filter(([, value]) => value != null));
  const { read, problems } = readGiven(values as Partial<Record<RuleColumn, string>>, readRule);
  const rule: RuleWrite = {
    ...(read as FiledRule),
    name: old?.rule.name ?? row.name ?? '',
    otherChannels: old?.rule.otherChannels ?? false,
    filter: old?.rule.filter ?? null,
  };
  const [problem] = problems;
  if (problem !== undefined) return { rule, complaint: problem };
  const unusable = unusableIn(rule, priceWarThreshold);
  return { rule, complaint: unusable === null ? null : complaintOf(unusable, row) };
}

function complaintOf({ problem, fix }: UnusableRule, row: TextRow): RowError {
  return { column: 'lines', value: row.lines ?? null, problem, fix };
}

function dependsOnTime({ lines, schedule }: RuleWrite): boolean {
  return schedule !== null || asksForTime(lines ?? []);
}

function ofSeveral(name: string): RowError {
  const fix = 'Rename one of them under Rules first.';
  return { column: 'name', value: name, problem: 'is the name of several stored rules', fix };
}

function ofLaterRelease(lines: string): RowError {
  const problem = 'of the stored rule are not understood by this release';
  return { column: 'lines', value: lines, problem, fix: 'Change that rule under Rules.' };
}

/** Added in the order of the file, the first being the oldest. */
async function writeRules(
  tx: Db,
  created: readonly RuleWrite[],
  updated: readonly { readonly id: number; readonly rule: RuleWrite }[],
  { at }: PassContext,
): Promise<void> {
  for (const rule of created) await insertRule(tx, rule, at);
  for (const { id, rule } of updated) await updateRule(tx, id, rule, at);
}
