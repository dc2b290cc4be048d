import type { ImportLineRow } from '#db/queries/catalog/imports.ts';
import type { FoundGroup, FoundSeller, StoredFindings } from '#db/schema/imports.ts';
import { csvLine, safeUnlessNumber } from '#files/csv-writer.ts';
import { plainName } from '#files/header.ts';
import { quoted } from '#files/row-problem.ts';
import { quotedCell } from '#files/safe-cell.ts';
import { type ColumnChoice, ERROR_COLUMN } from './column-choice.ts';
import { mergeEffects, NO_EFFECT } from './cost-effect.ts';
import type { Entry, Plan, RowError, RowOutcome } from './importer.ts';

const MAX_SAMPLES = 200;
const MAX_GROUPS = 100;
const MAX_FIRST_LINES = 5;
const MAX_SELLERS = 200;

export const NOTHING_FOUND: StoredFindings = {
  cursor: 0,
  counts: { rows: 0, create: 0, update: 0, unchanged: 0, rejected: 0 },
  groups: [],
  notes: [],
  sellers: [],
  rejectedParts: 0,
};

/** What one batch adds to the findings, and its rejected rows. */
export interface BatchFindings {
  readonly findings: StoredFindings;
  readonly lines: readonly ImportLineRow[];
  /** Rejected rows as the user downloads them; empty when there are none. */
  readonly rejected: string;
}

/** The header of the rejected-rows file: the original columns, and the error. */
export function rejectedHeader(header: readonly string[]): string {
  return csvLine([...header.filter((name) => !isErrorColumn(name)), 'error']);
}

/** The headings of a file, and which of its columns each of ours comes from. */
export interface FileColumns {
  readonly header: readonly string[];
  readonly mapping: ColumnChoice['mapping'];
}

/** Adds a batch to the findings. Does not modify them: a retried batch starts from the same findings. */
export function addBatch<Row>(
  before: StoredFindings,
  file: FileColumns,
  entries: readonly Entry<Row>[],
  plan: Plan,
): BatchFindings {
  const counts = { ...before.counts };
  const groups = new Map(before.groups.map((group) => [groupKey(group), group]));
  const lines: ImportLineRow[] = [];
  let rejected = '';
  const outcomes = allOutcomes(entries, plan.outcomes);
  for (const [at, entry] of entries.entries()) {
    const outcome = outcomes[at];
    if (outcome === undefined) throw new Error('A plan left a row out.');
    const complaints = complaintsOf(entry, outcome).map((complaint) => asInFile(complaint, file));
    const kind = complaints.length > 0 ? 'rejected' : outcome.kind;
    counts.rows += 1;
    counts[kind] += 1;
    if (counts[kind] <= MAX_SAMPLES) lines.push(lineOf(kind, counts[kind], entry.line, outcome, complaints));
    if (kind !== 'rejected') continue;
    for (const complaint of complaints) addToGroup(groups, complaint, entry.line);
    rejected += rejectedLine(file.header, entry, complaints);
  }
  const findings: StoredFindings = {
    ...(before.effect === undefined ? {} : { effect: before.effect }),
    cursor: before.cursor + entries.length,
    counts,
    groups: [...groups.values()],
    notes: [...new Set([...before.notes, ...(plan.notes ?? [])])],
    sellers: mergeSellers(before.sellers, plan.sellers ?? []),
    ...timedRulesOf(before, plan),
    ...(plan.effect === undefined ? {} : { effect: mergeEffects(before.effect ?? NO_EFFECT, plan.effect) }),
    rejectedParts: before.rejectedParts + (rejected === '' ? 0 : 1),
  };
  return { findings, lines, rejected };
}

function timedRulesOf(before: StoredFindings, plan: Plan): Pick<StoredFindings, 'timedRules'> {
  const timedRules = (before.timedRules ?? 0) + (plan.timedRules ?? 0);
  return timedRules === 0 ? {} : { timedRules };
}

/** A plan covers only readable rows; the others are rejected with their problems. */
function allOutcomes<Row>(entries: readonly Entry<Row>[], planned: readonly RowOutcome[]): RowOutcome[] {
  let next = 0;
  return entries.map((entry) => {
    const outcome = entry.row === null ? undefined : planned[next++];
    return outcome ?? { kind: 'unchanged', what: `line ${entry.line}` };
  });
}

function complaintsOf<Row>(entry: Entry<Row>, outcome: RowOutcome): readonly RowError[] {
  if (entry.problems.length > 0) return entry.problems;
  return outcome.kind === 'rejected' ? [outcome.complaint] : [];
}

/** The same with the heading that the column has in the file, which is what the user looks for there. */
function asInFile(complaint: RowError, { header, mapping }: FileColumns): RowError {
  const at = complaint.column === null ? null : (mapping[complaint.column] ?? null);
  const heading = at === null ? '' : (header[at] ?? '').trim();
  return heading === '' ? complaint : { ...complaint, column: heading };
}

function lineOf(
  kind: ImportLineRow['status'],
  count: number,
  line: number,
  outcome: RowOutcome,
  complaints: readonly RowError[],
): ImportLineRow {
  const problems = complaints.map(({ column, value, problem, fix }) => ({ column, value, problem, fix }));
  const changes = outcome.kind === 'update' || outcome.kind === 'create' ? (outcome.changes ?? []) : [];
  const details = kind === 'rejected' ? { problems } : { changes, title: outcome.title ?? null };
  return {
    status: kind,
    number: count - 1,
    line,
    label: outcome.what,
    details: details as ImportLineRow['details'],
  };
}

/** Errors that differ only in their numbers are one group, unless a number is in quotes; their fix is the same. */
const groupKey = ({ column, problem, fix }: Pick<FoundGroup, 'column' | 'problem' | 'fix'>): string =>
  [column ?? '', problem, fix]
    .join('\n')
    .split('"')
    .map((part, at) => (at % 2 === 0 ? part.replace(/\d+/g, '#') : part))
    .join('"');

function addToGroup(groups: Map<string, FoundGroup>, complaint: RowError, line: number): void {
  const isNew = !groups.has(groupKey(complaint));
  const { column, problem, fix, isSecondary }: RowError =
    isNew && groups.size >= MAX_GROUPS
      ? {
          column: null,
          value: null,
          problem: 'has another error',
          fix: 'Download the rejected rows: each names its error.',
        }
      : complaint;
  const key = groupKey({ column, problem, fix });
  const known = groups.get(key) ?? {
    column,
    problem,
    fix,
    count: 0,
    firstLines: [],
    ...(isSecondary && { isSecondary }),
  };
  const firstLines =
    known.firstLines.length < MAX_FIRST_LINES ? [...known.firstLines, line] : known.firstLines;
  groups.set(key, { ...known, count: known.count + 1, firstLines });
}

/** The original row and its error; an `error` column of an earlier round is replaced. */
function rejectedLine<Row>(
  header: readonly string[],
  entry: Entry<Row>,
  complaints: readonly RowError[],
): string {
  const written = entry.raws.cells(entry.raw);
  const cells = written.filter((_cell, at) => !isErrorColumn(header[at] ?? ''));
  // A short row is padded, or the error would be in the wrong column.
  while (cells.length < header.filter((name) => !isErrorColumn(name)).length) cells.push('');
  const error = complaints
    .map(({ column, value, problem, fix }) => {
      // As screens do: a problem that begins in upper case is a sentence already.
      if (/^[A-Z]/.test(problem)) return `${problem}. ${fix}`;
      const place = [column, value === null ? null : quoted(value)].filter((part) => part !== null).join(' ');
      return `${place === '' ? 'The row' : place} ${problem}. ${fix}`;
    })
    .join(' ');
  return `${[...cells.map(returnedCell), error].map(quotedCell).join(',')}\r\n`;
}

const isErrorColumn = (name: string): boolean => plainName(name) === ERROR_COLUMN;

/** A cell with a mark against formulas keeps just that one. */
const returnedCell = (cell: string): string => (cell.startsWith("'") ? cell : safeUnlessNumber(cell));

function mergeSellers(before: readonly FoundSeller[], added: readonly FoundSeller[]): FoundSeller[] {
  const sellers = new Map(before.map((seller) => [`${seller.marketplace}\n${seller.key}`, seller]));
  for (const seller of added) {
    const key = `${seller.marketplace}\n${seller.key}`;
    const known = sellers.get(key);
    sellers.set(key, known === undefined ? seller : { ...known, offers: known.offers + seller.offers });
  }
  return [...sellers.values()].sort((a, b) => b.offers - a.offers).slice(0, MAX_SELLERS);
}
