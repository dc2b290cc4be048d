import type { BandKind, EdgeBase, FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type FeeColumn, type FeeRow, readFee } from './fee-format.ts';
import { MARKETPLACE_KEYWORDS } from './keywords.ts';
import type { Table } from './table.ts';
import { type ReportProblem, readRows } from './table-rows.ts';

interface Draft {
  readonly marketplace: Marketplace;
  readonly category: string | null;
  readonly effectiveFrom: Instant | null;
  readonly line: number;
  readonly bandKind: BandKind | null;
  readonly edgeBase: EdgeBase;
  readonly bands: FeeBand[];
}

/** The schedules of a fees file, and what they stand in for. */
export interface LoadedFees {
  readonly schedules: readonly FeeSchedule[];
  /**
   * Whether the file names a marketplace and category, even in a row that cannot be used: then no other
   * schedule may stand in for it.
   */
  names(marketplace: Marketplace, category: string | null): boolean;
}

/** Reads the fees file: rows of one marketplace, category and date make the bands of one schedule. */
export async function loadFees(table: Table<FeeColumn>, report: ReportProblem): Promise<LoadedFees> {
  const drafts = new Map<string, Draft>();
  const named = new Set<string>();
  const broken = new Set<string>();
  await readRows(table, report, {
    onRow(cells) {
      const row = readFee(cells);
      if (row.marketplace === null) return;
      const pair = pairOf(row.marketplace, row.category);
      named.add(pair);
      const draft = draftFor(drafts, row.marketplace, row, cells.line);
      if (row.bandKind !== null && draft.bandKind !== row.bandKind) {
        cells.reject(
          'bandKind',
          `differs from line ${draft.line}`,
          'Use one kind for all bands of a schedule.',
        );
      }
      if ((row.edgeBase ?? 'revenue') !== draft.edgeBase) {
        cells.reject('edgeBase', `differs from line ${draft.line}`, 'Use one for all bands of a schedule.');
      }
      if (cells.bad.length > 0 || row.band === null) broken.add(pair);
      else draft.bands.push(row.band);
    },
    onBroken(cells) {
      const marketplace = MARKETPLACE_KEYWORDS.findText(cells.text('marketplace'));
      if (marketplace === null) return;
      const pair = pairOf(marketplace, cells.text('category'));
      named.add(pair);
      broken.add(pair);
    },
  });
  const schedules: FeeSchedule[] = [];
  for (const draft of drafts.values()) {
    const pair = pairOf(draft.marketplace, draft.category);
    if (broken.has(pair)) continue;
    const schedule = scheduleOf(draft);
    const problem = checkFeeSchedule(schedule);
    if (problem === null) schedules.push(schedule);
    else {
      broken.add(pair);
      report({
        file: table.file,
        line: draft.line,
        column: null,
        value: null,
        problem: `the schedule of ${draft.marketplace}, ${draft.category ?? 'default'} cannot be used`,
        fix: problem,
      });
    }
  }
  // A pair with one broken row has no known fees at all: which of its dates holds could depend on that row.
  return {
    schedules: schedules.filter(({ marketplace, category }) => !broken.has(pairOf(marketplace, category))),
    names: (marketplace, category) => named.has(pairOf(marketplace, category)),
  };
}

function draftFor(drafts: Map<string, Draft>, marketplace: Marketplace, row: FeeRow, line: number): Draft {
  const { category, effectiveFrom, bandKind } = row;
  const edgeBase = row.edgeBase ?? 'revenue';
  const key = `${pairOf(marketplace, category)}@${effectiveFrom ?? 'always'}`;
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const draft: Draft = { marketplace, category, effectiveFrom, line, bandKind, edgeBase, bands: [] };
  drafts.set(key, draft);
  return draft;
}

function scheduleOf({ marketplace, category, effectiveFrom, bandKind, edgeBase, bands }: Draft): FeeSchedule {
  const rising = [...bands].sort((a, b) => (a.upTo ?? Infinity) - (b.upTo ?? Infinity));
  return {
    marketplace,
    category,
    effectiveFrom,
    bandKind: bandKind ?? 'whole',
    edgeBase,
    bands: rising,
  };
}

function pairOf(marketplace: Marketplace, category: string | null): string {
  return `${marketplace}/${category?.trim().toLowerCase() ?? ''}`;
}
