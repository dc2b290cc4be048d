import { listFees, lockFees, type StoredFees } from '#db/queries/catalog/fees.ts';
import { writeSchedules } from '#db/queries/catalog/import-fees.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { FEE_FORMAT, type FeeColumn, type FeeRow, readFee } from '#files/fee-format.ts';
import { moneyField, textWithin } from './fields.ts';
import type { Change, Entry, Importer, RowOutcome } from './importer.ts';
import { groupErrors, groupsOf, type Readable, readable } from './whole-groups.ts';

type NamedFee = FeeRow & { readonly marketplace: Marketplace };

/** Marketplace fees: a schedule is replaced as a whole, found by marketplace, category and date. */
export const FEE_IMPORT: Importer<FeeColumn, NamedFee> = {
  columns: Object.keys(FEE_FORMAT.columns) as FeeColumn[],
  isOneBatch: true,
  readsBroken: true,
  reader: () => (cells) => {
    const row = readFee(cells);
    const category = textWithin(cells, 'category', 200)?.trim() ?? null;
    return row.marketplace === null ? null : { ...row, category, marketplace: row.marketplace };
  },
  plan: async (db, entries, { actor, at }, lock) => {
    const rows = readable(entries);
    if (lock) await lockFees(db);
    const stored = new Map((await listFees(db)).map((schedule) => [keyOf(schedule), schedule]));
    const outcomes = new Map<Readable<NamedFee>, RowOutcome>();
    const written: (FeeSchedule & { id: number | null })[] = [];
    const unplaced = entries.find(isUnplaced);
    for (const [key, group] of unplaced === undefined ? groupsOf(rows, keyOf) : []) {
      const old = stored.get(key) ?? null;
      const schedule = planSchedule(group, old, outcomes);
      if (schedule !== null) written.push({ ...schedule, id: old?.id ?? null });
    }
    if (unplaced !== undefined) for (const entry of rows) outcomes.set(entry, rejectedWith(unplaced, entry));
    return {
      outcomes: rows.flatMap((entry) => outcomes.get(entry) ?? []),
      write: (tx) => writeSchedules(tx, written, { name: actor.name, at }),
    };
  },
};

const KEY_COLUMNS: ReadonlySet<string | null> = new Set([null, 'marketplace', 'category', 'effectiveFrom']);

/** Whether it is unknown which schedule a row belongs to: any schedule of the file may lack this band. */
function isUnplaced({ row, problems, isBroken }: Entry<NamedFee>): boolean {
  return problems.length > 0 && (row === null || isBroken === true || problems.some(isOfKey));
}

const isOfKey = ({ column }: { column: string | null }): boolean => KEY_COLUMNS.has(column);

/** A schedule without one of its bands would promise a fee that the marketplace does not keep to. */
function rejectedWith(unplaced: Entry<NamedFee>, { row, problems }: Readable<NamedFee>): RowOutcome {
  const complaint = problems[0] ?? {
    column: null,
    value: null,
    problem: `is rejected with line ${unplaced.line}: it is unknown which schedule that row belongs to`,
    fix: 'Correct that row and import these rows again.',
    isSecondary: true as const,
  };
  return { kind: 'rejected', what: `${row.marketplace} ${row.category ?? 'default'}`, complaint };
}

/** Categories are not case-sensitive. */
function keyOf({
  marketplace,
  category,
  effectiveFrom,
}: Pick<FeeRow, 'category' | 'effectiveFrom'> & { marketplace: Marketplace }): string {
  return `${marketplace}\n${category?.trim().toLowerCase() ?? ''}\n${effectiveFrom ?? ''}`;
}

/** @returns the schedule to write; null when it is stored already or unusable */
function planSchedule(
  group: readonly Readable<NamedFee>[],
  old: StoredFees | null,
  outcomes: Map<Readable<NamedFee>, RowOutcome>,
): FeeSchedule | null {
  const first = group.find(({ problems }) => problems.length === 0) ?? group[0];
  if (first === undefined) return null;
  const { marketplace, category, effectiveFrom } = first.row;
  const bandKind = first.row.bandKind ?? 'whole';
  const edgeBase = first.row.edgeBase ?? 'revenue';
  const bands = group
    .flatMap(({ row }) => row.band ?? [])
    .sort((a, b) => (a.upTo ?? Number.POSITIVE_INFINITY) - (b.upTo ?? Number.POSITIVE_INFINITY));
  const schedule: FeeSchedule = {
    marketplace,
    category: old?.category ?? category,
    effectiveFrom,
    bandKind,
    edgeBase,
    bands,
  };
  const isWhole = group.every(({ problems }) => problems.length === 0);
  const error = isWhole ? checkFeeSchedule(schedule) : null;
  const complaints = groupErrors(group, 'schedule', ({ row }) => {
    if ((row.bandKind ?? 'whole') !== bandKind) {
      const fix = 'Use one kind for all bands of a schedule.';
      return { column: 'bandKind', value: row.bandKind, problem: `differs from line ${first.line}`, fix };
    }
    if ((row.edgeBase ?? 'revenue') !== edgeBase) {
      const fix = 'Use one for all bands of a schedule.';
      return { column: 'edgeBase', value: row.edgeBase, problem: `differs from line ${first.line}`, fix };
    }
    if (error === null) return null;
    return { column: null, value: null, problem: 'belongs to an invalid schedule', fix: error };
  });
  let isChanged =
    old === null ||
    old.bandKind !== bandKind ||
    old.edgeBase !== edgeBase ||
    old.bands.length !== bands.length;
  for (const entry of group) {
    const what = `${marketplace} ${category ?? 'default'}`;
    const complaint = complaints.get(entry);
    const changes = entry.row.band === null ? [] : bandChanges(old, entry.row.band, { bandKind, edgeBase });
    if (changes === null || changes.length > 0) isChanged = true;
    if (complaint !== undefined) outcomes.set(entry, { kind: 'rejected', what, complaint });
    else if (changes === null) outcomes.set(entry, { kind: 'create', what });
    else if (changes.length > 0) outcomes.set(entry, { kind: 'update', what, changes });
    else outcomes.set(entry, { kind: 'unchanged', what });
  }
  return isChanged && complaints.size === 0 ? schedule : null;
}

/** @returns null for a band that is not stored */
function bandChanges(
  old: StoredFees | null,
  band: FeeBand,
  { bandKind, edgeBase }: Pick<FeeSchedule, 'bandKind' | 'edgeBase'>,
): Change[] | null {
  const same = old?.bands.find(({ upTo }) => upTo === band.upTo);
  if (old === null || same === undefined) return null;
  const fields = [
    { field: 'bandKind', from: old.bandKind, to: bandKind },
    { field: 'edgeBase', from: old.edgeBase, to: edgeBase },
    { field: 'percent', from: decimalFromBps(same.percent), to: decimalFromBps(band.percent) },
    { field: 'percentTaxed', from: decimalFromBps(same.percentTaxed), to: decimalFromBps(band.percentTaxed) },
    { field: 'fixed', from: moneyField(same.fixed), to: moneyField(band.fixed) },
    { field: 'perUnit', from: moneyField(same.perUnit), to: moneyField(band.perUnit) },
    { field: 'minimum', from: moneyField(same.minimum), to: moneyField(band.minimum) },
  ];
  return fields.filter(({ from, to }) => from !== to);
}
