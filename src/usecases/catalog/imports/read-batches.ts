import { SEEN_AT_UPLOAD } from '#contract/imports.ts';
import type { Db } from '#db/client.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { StoredReadings } from '#db/schema/imports.ts';
import { type CellReading, Cells, givenCells, OWN_READING } from '#files/cells.ts';
import { CsvRow } from '#files/csv-row.ts';
import { FileError } from '#files/file-error.ts';
import { RawRows } from '#files/raw-rows.ts';
import { Table } from '#files/table.ts';
import { headerOf } from './column-choice.ts';
import type { Entry, Importer, PassContext } from './importer.ts';
import { hasGroupedWeights, marksToRead, openShares, sampledOf } from './open-questions.ts';
import { storedSource } from './stored-bytes.ts';

/** Rows that wait for the rest of their group, or of the file where everything is one batch. */
const MAX_WAITING_ROWS = 500_000;

/**
 * Reads a stored file and returns its rows in batches, the same ones every time. Where rows come in groups, a batch
 * holds whole groups; the file is then read twice, first to find where each group ends, so that a sorted file is never
 * held in memory as a whole.
 * @throws FileError where nothing after can be trusted
 */
export async function readBatches<Name extends string, Row>(
  db: Db,
  file: ImportRow,
  spec: Importer<Name, Row>,
  context: PassContext,
  onBatch: (entries: readonly Entry<Row>[]) => Promise<void>,
): Promise<void> {
  const { groupOf } = spec;
  const lastOf = groupOf === undefined ? null : await findLastRows(db, file, spec, context, groupOf);
  const batches = new BatchCutter<Row>(spec, lastOf, context.batchRows);
  await readEntries(
    db,
    file,
    spec,
    context,
    (entry, readAgain) => batches.add(entry, readAgain),
    async () => {
      for (const batch of batches.take()) await onBatch(batch);
    },
  );
  for (const batch of batches.rest()) await onBatch(batch);
}

/** The number of the last row of each group, counted from 0 over rows that are not skipped. */
async function findLastRows<Name extends string, Row>(
  db: Db,
  file: ImportRow,
  spec: Importer<Name, Row>,
  context: PassContext,
  groupOf: (row: Row) => string,
): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  let at = 0;
  await readEntries(
    db,
    file,
    spec,
    context,
    ({ row }) => {
      if (row !== null) last.set(groupOf(row), at);
      at += 1;
    },
    async () => undefined,
  );
  return last;
}

async function readEntries<Name extends string, Row>(
  db: Db,
  file: ImportRow,
  spec: Importer<Name, Row>,
  context: PassContext,
  onEntry: (entry: Entry<Row>, readAgain: ReadAgain<Row>) => void,
  afterStretch: () => Promise<void>,
): Promise<void> {
  const { titleLines = 0, totalLines = [] } = file.layout;
  const table = await Table.openWith(
    file.fileName,
    storedSource(db, file),
    () => ({
      header: headerOf(spec.columns, file),
      quotes: file.rawQuotes ? ('raw' as const) : ('paired' as const),
    }),
    titleLines,
  );
  const isSkipped = (row: CsvRow): boolean => totalLines.includes(row.line) || row.isEmpty();
  const reader = new EntryReader(table, spec, context, givenValues(file), readingOf(file, context.readings));
  try {
    await table.read(
      (row) => {
        if (isSkipped(row)) return;
        const entry = reader.read(row);
        if (entry !== null) onEntry(entry, reader.readAgain);
      },
      async () => {
        reader.startStretch();
        await afterStretch();
      },
    );
  } finally {
    await table.close();
  }
}

/** A row that waits for the rest of its group, as bytes: parsed, it takes ten times the memory. */
type Kept = Pick<Entry<unknown>, 'raws' | 'raw'>;
type ReadAgain<Row> = (kept: Kept) => Entry<Row>;

/** Cuts rows into batches by their number alone, never by when they were read. */
class BatchCutter<Row> {
  readonly #spec: Pick<Importer<string, Row>, 'groupOf' | 'isOneBatch'>;
  /** Null: rows are not grouped. */
  readonly #lastOf: ReadonlyMap<string, number> | null;
  readonly #batchRows: number;
  readonly #open = new Map<string, Kept[]>();
  #waiting = 0;
  #at = 0;
  #next: Entry<Row>[] = [];
  #cut: Entry<Row>[][] = [];

  constructor(
    spec: Pick<Importer<string, Row>, 'groupOf' | 'isOneBatch'>,
    lastOf: ReadonlyMap<string, number> | null,
    batchRows: number,
  ) {
    this.#spec = spec;
    this.#lastOf = lastOf;
    this.#batchRows = batchRows;
  }

  add(entry: Entry<Row>, readAgain: ReadAgain<Row>): void {
    const at = this.#at++;
    const { groupOf, isOneBatch } = this.#spec;
    if (this.#lastOf === null || groupOf === undefined || entry.row === null) this.#next.push(entry);
    else this.#addToGroup(groupOf(entry.row), at, entry, readAgain);
    if (isOneBatch === true) rejectTooManyRows(this.#next.length);
    else if (this.#next.length >= this.#batchRows) this.#cutHere();
  }

  /** Removes and returns the complete batches. */
  take(): Entry<Row>[][] {
    const complete = this.#cut;
    this.#cut = [];
    return complete;
  }

  /** The last batch. */
  rest(): Entry<Row>[][] {
    if (this.#next.length > 0) this.#cutHere();
    return this.take();
  }

  #addToGroup(group: string, at: number, entry: Entry<Row>, readAgain: ReadAgain<Row>): void {
    const kept = this.#open.get(group);
    if (this.#lastOf?.get(group) === at) {
      this.#open.delete(group);
      this.#waiting -= kept?.length ?? 0;
      for (const one of kept ?? []) this.#next.push(readAgain(one));
      this.#next.push(entry);
      return;
    }
    this.#waiting += 1;
    rejectTooManyRows(this.#waiting);
    const { raws, raw } = entry;
    if (kept === undefined) this.#open.set(group, [{ raws, raw }]);
    else kept.push({ raws, raw });
  }

  #cutHere(): void {
    this.#cut.push(this.#next);
    this.#next = [];
  }
}

function rejectTooManyRows(rows: number): void {
  if (rows <= MAX_WAITING_ROWS) return;
  const most = MAX_WAITING_ROWS.toLocaleString('en-US');
  throw new FileError(
    `more than ${most} rows belong to incomplete groups. Sort the file by marketplace and SKU, or split it into several files.`,
  );
}

/** Reads rows one by one; keeps the original bytes for the rejected-rows file. */
class EntryReader<Name extends string, Row> {
  readonly #cells: Cells<Name>;
  readonly #read: (cells: Cells<Name>) => Row | null | 'skip';
  readonly #spec: Pick<Importer<Name, Row>, 'readsBroken' | 'shortRow'>;
  readonly #columns: number;
  readonly #shown = new CsvRow();
  #raws = new RawRows();

  constructor(
    table: Table<Name>,
    spec: Importer<Name, Row>,
    context: PassContext,
    defaults: Readonly<Record<string, string>>,
    reading: CellReading,
  ) {
    const given: Partial<Record<Name, string>> = {};
    for (const name of spec.columns) {
      const value = table.header.at[name] < 0 ? defaults[name] : undefined;
      if (value !== undefined) given[name] = value;
    }
    this.#cells = new Cells(table.file, table.header, () => undefined, givenCells(given), reading);
    this.#read = spec.reader(context);
    this.#spec = spec;
    this.#columns = table.header.names.length;
  }

  /** Starts a new buffer, so that the bytes of earlier rows can be freed. */
  startStretch(): void {
    this.#raws = new RawRows();
  }

  read(row: CsvRow): Entry<Row> | null {
    const entry = this.#entryOf(row);
    return entry && { ...entry, raws: this.#raws, raw: this.#raws.add(row) };
  }

  /** Reads a row again that was kept as bytes, with the same result. */
  readonly readAgain = ({ raws, raw }: Kept): Entry<Row> => {
    raws.show(raw, this.#shown);
    const { line } = this.#shown;
    return { ...(this.#entryOf(this.#shown) ?? { line, row: null, problems: NO_PROBLEMS }), raws, raw };
  };

  /** @returns null for a row that is skipped */
  #entryOf(row: CsvRow): Omit<Entry<Row>, keyof Kept> | null {
    const cells = this.#cells;
    const { line } = row;
    if (cells.begin(row)) {
      const read = this.#read(cells);
      if (read === 'skip') return null;
      return { line, row: read, problems: cells.bad.length === 0 ? NO_PROBLEMS : [...cells.bad] };
    }
    const { readsBroken, shortRow } = this.#spec;
    const isShort = row.fault === null && row.count < this.#columns;
    // Its cells may be in the wrong columns: what the reader makes of them is no further problem.
    const problems = cells.bad.map((problem) => ({ ...problem, ...(isShort && shortRow) }));
    const read = readsBroken === true ? this.#read(cells) : null;
    return { line, row: read === 'skip' ? null : read, problems, isBroken: true };
  }
}

/** How cells are read; unanswered questions default to our own format. */
function readingOf(
  file: ImportRow,
  { weightUnit, decimalMark, dayOrder, timeZone, percentForm }: StoredReadings,
): CellReading {
  const sampled = sampledOf(file);
  const marks = marksToRead(sampled, decimalMark ?? 'point');
  return {
    isWritten: true,
    weightUnit: weightUnit ?? OWN_READING.weightUnit,
    commaColumns: new Set([...marks].flatMap(([name, mark]) => (mark === 'comma' ? [name] : []))),
    hasGroupedWeights: hasGroupedWeights(sampled),
    shares: new Set(percentForm === 'share' ? openShares(sampled) : []),
    moments: { order: dayOrder ?? null, zone: timeZone ?? null },
  };
}

/** Values for columns that the file lacks. "Seen at the upload" is a fixed time, the same in every pass. */
function givenValues({ defaults, createdAt }: ImportRow): Readonly<Record<string, string>> {
  const isUpload = defaults.seenAt === SEEN_AT_UPLOAD;
  return isUpload ? { ...defaults, seenAt: new Date(createdAt).toISOString() } : defaults;
}

const NO_PROBLEMS: Entry<unknown>['problems'] = [];
