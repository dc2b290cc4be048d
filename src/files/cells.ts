import { MAX_INCHES } from '#domain/fees/warehouse-fee.ts';
import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';
import { inchesOf, LENGTH_UNIT_WORDS } from '#domain/written/length-units.ts';
import { MAX_OUNCES, ouncesOf, WEIGHT_UNIT_WORDS, type WeightUnit } from '#domain/written/weight-units.ts';
import { saysUnknown, writtenMeasures } from '#domain/written/written-number.ts';
import { CELL_KINDS, type CellComplaint, type CellKind } from './cell-kinds.ts';
import { commaComplaint, openWeightComplaint, readWithPoint } from './comma-to-point.ts';
import { CsvRow } from './csv-row.ts';
import type { Header } from './header.ts';
import type { KeyIndex } from './key-index.ts';
import { FLAG_KEYWORDS, FREE_KEYWORDS, type Keywords } from './keywords.ts';
import { isDigit, readAmount, readCount, readOffset, readPercent, readWeight } from './numbers.ts';
import { percentOfShare, plainCell, UNKNOWN_COMPLAINT, ZERO_WHEN_BLANK } from './plain-cell.ts';
import { CSV_ERROR_TEXT, type RowProblem } from './row-problem.ts';
import { readTimestamp } from './timestamps.ts';
import { type MomentReading, readWrittenMoment } from './written-timestamps.ts';

/** Values that stand in every row. */
export interface GivenCells<Name extends string> {
  readonly row: CsvRow;
  readonly at: Readonly<Partial<Record<Name, number>>>;
}

/** Makes a row of values, to be read like one of the file. */
export function givenCells<Name extends string>(
  values: Readonly<Partial<Record<Name, string>>>,
): GivenCells<Name> {
  const row = new CsvRow();
  const at: Partial<Record<Name, number>> = {};
  const texts: Buffer[] = [];
  let end = 0;
  for (const [name, value] of Object.entries<string | undefined>(values)) {
    const bytes = Buffer.from(value ?? '');
    at[name as Name] = row.count;
    row.starts[row.count] = end;
    end += bytes.length;
    row.ends[row.count] = end;
    row.count += 1;
    texts.push(bytes);
  }
  row.bytes = Buffer.concat(texts);
  return { row, at };
}

/**
 * Reads values as if they were a row of one of our files.
 * @returns what was read, and what was wrong with it
 */
export function readGiven<Name extends string, Read>(
  values: Readonly<Partial<Record<Name, string>>>,
  read: (cells: Cells<Name>) => Read,
): { readonly read: Read; readonly problems: readonly RowProblem[] } {
  const nowhere = new Proxy({} as Record<Name, number>, { get: () => -1 });
  const cells = new Cells<Name>(
    '',
    { at: nowhere, names: [], unknown: [] },
    () => undefined,
    givenCells(values),
  );
  return { read: read(cells), problems: cells.bad };
}

/** How cells are read where the text alone does not say. */
export interface CellReading {
  /** Whether cells may be written as people do: currencies and units in the cell, n/a. */
  readonly isWritten: boolean;
  /** Of weights without a unit in the cell. */
  readonly weightUnit: WeightUnit;
  /** Our columns in which 1.299,00 is what is 1,299.00 elsewhere. */
  readonly commaColumns: ReadonlySet<string>;
  /** With a decimal comma: whether a weight of 1.500 is 1,500. Otherwise it is rejected. */
  readonly hasGroupedWeights: boolean;
  /** Our columns in which 0.15 is 15%. */
  readonly shares: ReadonlySet<string>;
  /** Null: ISO 8601 alone is read. */
  readonly moments: MomentReading | null;
}

/** As our own files are written. */
export const OWN_READING: CellReading = {
  isWritten: false,
  weightUnit: 'oz',
  commaColumns: new Set(),
  hasGroupedWeights: false,
  shares: new Set(),
  moments: null,
};

/** In bytes. No marketplace allows SKUs or seller names this long. */
const LONGEST_KEY = 500;

type Read<Value> = (bytes: Buffer, from: number, to: number) => Value | null;

const WITH_DECIMALS: ReadonlySet<CellKind> = new Set([
  ...(['amount', 'price', 'offset', 'percent', 'margin', 'weight'] as const),
]);

/**
 * Reads the cells of one row after another by the name of their column. A blank cell is null. A cell that
 * cannot be read is null too, and is reported with line, column, value and fix.
 */
export class Cells<Name extends string> {
  /** The columns of this row that could not be read, in the order they were requested. */
  readonly bad: RowProblem[] = [];
  /** The file as the user named it. */
  readonly file: string;
  readonly #header: Header<Name>;
  readonly #report: (problem: RowProblem) => void;
  readonly #given: GivenCells<Name> | null;
  readonly #reading: CellReading;
  #row: CsvRow | null = null;

  /** @param given values for columns that the file does not have, the same in every row */
  constructor(
    file: string,
    header: Header<Name>,
    report: (problem: RowProblem) => void,
    given: GivenCells<Name> | null = null,
    reading: CellReading = OWN_READING,
  ) {
    this.file = file;
    this.#header = header;
    this.#report = report;
    this.#given = given;
    this.#reading = reading;
  }

  /**
   * Turns to a row.
   * @returns false, after reporting it, for a row whose cells cannot be trusted: wrong number of cells, bad bytes
   */
  begin(row: CsvRow): boolean {
    this.#row = row;
    if (this.bad.length > 0) this.bad.length = 0;
    const expected = this.#header.names.length;
    if (row.fault !== null) {
      const column = this.#header.names[row.fault.cell] ?? null;
      this.#note({ column, value: null, ...CSV_ERROR_TEXT[row.fault.kind] });
      return false;
    }
    if (row.count === expected || this.#lacksOnlyNameless(row)) return true;
    const problem = `has ${row.count} ${row.count === 1 ? 'cell' : 'cells'} where the header has ${expected}`;
    const fix =
      row.count < expected ? 'Add the missing cells.' : 'Put a cell that holds the separator in quotes.';
    this.#note({ column: null, value: null, problem, fix });
    return false;
  }

  /** Spreadsheets leave out empty cells at the end of a row, where the header has columns without a name. */
  #lacksOnlyNameless(row: CsvRow): boolean {
    const { names } = this.#header;
    return row.count < names.length && names.slice(row.count).every((name) => name === '');
  }

  get line(): number {
    return this.#row?.line ?? 0;
  }

  /** Whether the file has the column, or a value was given for it. */
  has(name: Name): boolean {
    return this.#header.at[name] >= 0 || this.#given?.at[name] !== undefined;
  }

  /** Null when blank. */
  text(name: Name): string | null {
    const text = this.#rowOf(name)?.text(this.#cellOf(name)) ?? '';
    return text === '' ? null : text;
  }

  /**
   * Numbers the text of a cell in `keys`.
   * @returns -1 for a blank cell, and, after reporting it, for one too long to be a code or a name
   */
  key(name: Name, keys: KeyIndex): number {
    const row = this.#rowOf(name);
    if (row === null || !row.selectText(this.#cellOf(name))) return -1;
    if (row.to - row.from <= LONGEST_KEY) {
      if (!row.hasApostrophe()) return keys.intern(row.bytes, row.from, row.to);
      const bytes = Buffer.from(row.text(this.#cellOf(name)));
      return keys.intern(bytes, 0, bytes.length);
    }
    this.reject(name, `is longer than ${LONGEST_KEY} bytes`, 'Shorten it.');
    return -1;
  }

  /** Like {@link key}, for a cell that may not be blank. */
  sku(name: Name, keys: KeyIndex): number {
    const number = this.key(name, keys);
    if (number < 0) this.required(name, null, 'Write the code of the SKU.');
    return number;
  }

  /** An amount of 0.00 or more. */
  amount(name: Name): Cents | null {
    return this.#read(name, 'amount', readAmount);
  }

  /** An amount of 0.00 or more that a buyer pays; "Free" is 0.00. */
  charge(name: Name): Cents | null {
    return this.#read(name, 'amount', readCharge);
  }

  /** An amount above zero. */
  price(name: Name): Cents | null {
    return this.#read(name, 'price', readPrice);
  }

  /** An amount that may be negative. */
  offset(name: Name): Cents | null {
    return this.#read(name, 'offset', readOffset);
  }

  percent(name: Name): Bps | null {
    return this.#read(name, 'percent', readPercent);
  }

  /** From 0 to 99.99 percent: at 100 nothing would be left to pay for anything. */
  margin(name: Name): Bps | null {
    return this.#read(name, 'margin', readMargin);
  }

  /** A weight in ounces, whatever the unit of the file; at most what may be typed. */
  weight(name: Name): Ounces | null {
    const measured = this.#measured(name, WEIGHT_UNIT_WORDS, ouncesOf);
    const weight = measured ?? this.#read(name, 'weight', readWeight);
    if (weight === null) return null;
    const ounces = measured === null ? ouncesOf(weight, this.#reading.weightUnit) : (weight as Ounces);
    if (ounces <= MAX_OUNCES) return ounces;
    return this.#unreadable(name, {
      problem: 'is more than 1,000,000 oz',
      fix: 'Check the unit and the decimal point.',
    });
  }

  /** Inches, unless the cell has another unit. */
  inches(name: Name): number | null {
    const inches =
      this.#measured(name, LENGTH_UNIT_WORDS, inchesOf) ?? this.#read(name, 'inches', readWeight);
    if (inches === null || inches <= MAX_INCHES) return inches;
    return this.#unreadable(name, {
      problem: 'is more than 10,000 inches',
      fix: 'Check the unit and the decimal point.',
    });
  }

  count(name: Name): number | null {
    return this.#read(name, 'count', readCount);
  }

  /** A whole number of at least 1. @param complain what to report of another value, where it has its own words */
  quantity(name: Name, complain?: (value: string) => CellComplaint): number | null {
    return this.#read(name, 'quantity', readQuantity, complain);
  }

  moment(name: Name): Instant | null {
    return this.#read(name, 'moment', this.#readMoment);
  }

  flag(name: Name): boolean | null {
    return this.#read(name, 'flag', readFlag);
  }

  /** One of a few words. */
  word<Value>(name: Name, words: Keywords<Value>): Value | null {
    const row = this.#rowOf(name);
    if (row === null || !row.select(this.#cellOf(name))) return null;
    const value = words.find(row.bytes, row.from, row.to);
    if (value !== null) return value;
    return this.#unreadable(name, {
      problem: 'is not a known word here',
      fix: words.fix,
    });
  }

  /** Reports a cell that may not be blank; one that was unreadable is reported already. */
  required<Value>(name: Name, value: Value | null, fix: string): Value | null {
    if (value === null && !this.isBad(name)) {
      this.reject(name, this.#raw(name).trim() === '' ? 'is blank' : 'means unknown', fix);
    }
    return value;
  }

  /** Whether the cell of this row was reported. */
  isBad(name: Name): boolean {
    return this.bad.some(({ column }) => column === this.#nameOf(name));
  }

  /** Reports a cell that can be read and still cannot be used. */
  reject(name: Name, problem: string, fix: string): void {
    this.#note({ column: this.#nameOf(name), value: this.#raw(name), problem, fix });
  }

  #read<Value>(
    name: Name,
    kind: CellKind,
    read: Read<Value>,
    complain: (value: string) => CellComplaint = CELL_KINDS[kind],
  ): Value | null {
    const row = this.#rowOf(name);
    if (row === null || !row.select(this.#cellOf(name))) return null;
    const { commaColumns, hasGroupedWeights, isWritten, shares } = this.#reading;
    const hasCommas = commaColumns.has(name) && WITH_DECIMALS.has(kind) && !this.#isGiven(name);
    if (hasCommas && kind === 'weight' && !hasGroupedWeights) {
      const complaint = openWeightComplaint(row.bytes.toString('utf8', row.from, row.to));
      if (complaint !== null) return this.#unreadable(name, complaint);
    }
    const readText = (text: string): Value | null => {
      if (hasCommas) return readWithPoint(text, read);
      const bytes = Buffer.from(text);
      return read(bytes, 0, bytes.length);
    };
    const text = (): string => row.bytes.toString('utf8', row.from, row.to);
    const percent = shares.has(name) && !this.#isGiven(name) ? percentOfShare(text(), hasCommas) : null;
    const value =
      hasCommas || percent !== null ? readText(percent ?? text()) : read(row.bytes, row.from, row.to);
    if (value !== null) return value;
    const raw = this.#raw(name);
    if (isWritten && kind !== 'moment' && kind !== 'flag') {
      if (saysUnknown(raw)) return this.#unknown(name);
      const written = plainCell(raw, kind, hasCommas);
      if (written !== null && 'complaint' in written) return this.#unreadable(name, written.complaint);
      const again = written === null ? null : readText(written.text);
      if (again !== null) return again;
    }
    return this.#unreadable(name, hasCommas ? commaComplaint(kind, raw.trim()) : complain(raw));
  }

  /** The sum of a cell that has its own units; null for any other. */
  #measured<Unit extends string>(
    name: Name,
    words: Readonly<Record<Unit, readonly string[]>>,
    convert: (amount: number, unit: Unit) => number,
  ): number | null {
    const row = this.#rowOf(name);
    if (!this.#reading.isWritten || row === null || !row.select(this.#cellOf(name))) return null;
    if (isDigit(row.bytes[row.to - 1])) return null;
    const parts = writtenMeasures(row.bytes.toString('utf8', row.from, row.to), words);
    const hasCommas = this.#reading.commaColumns.has(name);
    let sum = parts === null ? null : 0;
    for (const { number, unit } of parts ?? []) {
      const bytes = Buffer.from(number);
      const amount = hasCommas ? readWithPoint(number, readWeight) : readWeight(bytes, 0, bytes.length);
      sum = amount === null || sum === null ? null : sum + convert(amount, unit);
    }
    return sum === null ? null : Number(sum.toFixed(4));
  }

  /** Null for a cell that says that its value is not known, where a blank cell says the same. */
  #unknown(name: Name): null {
    return ZERO_WHEN_BLANK.has(name) ? this.#unreadable(name, UNKNOWN_COMPLAINT) : null;
  }

  #isGiven(name: Name): boolean {
    return this.#given?.at[name] !== undefined;
  }

  readonly #readMoment: Read<Instant> = (bytes, from, to) => {
    const { moments } = this.#reading;
    const iso = readTimestamp(bytes, from, to);
    return iso ?? (moments === null ? null : readWrittenMoment(bytes.toString('utf8', from, to), moments));
  };

  #unreadable(name: Name, { problem, fix }: { problem: string; fix: string }): null {
    this.#note({ column: this.#nameOf(name), value: this.#raw(name), problem, fix });
    return null;
  }

  #note(problem: Omit<RowProblem, 'file' | 'line'>): void {
    const whole = { file: this.file, line: this.line, ...problem };
    this.bad.push(whole);
    this.#report(whole);
  }

  #raw(name: Name): string {
    return this.#rowOf(name)?.raw(this.#cellOf(name)) ?? '';
  }

  #rowOf(name: Name): CsvRow | null {
    return this.#given === null || this.#given.at[name] === undefined ? this.#row : this.#given.row;
  }

  #cellOf(name: Name): number {
    return this.#given?.at[name] ?? this.#header.at[name];
  }

  #nameOf(name: Name): string {
    return this.#header.names[this.#header.at[name]] ?? name;
  }
}

function readPrice(bytes: Uint8Array, from: number, to: number): Cents | null {
  const amount = readAmount(bytes, from, to);
  return amount === 0 ? null : amount;
}

function readMargin(bytes: Uint8Array, from: number, to: number): Bps | null {
  const share = readPercent(bytes, from, to);
  return share === 10_000 ? null : share;
}

function readQuantity(bytes: Uint8Array, from: number, to: number): number | null {
  const count = readCount(bytes, from, to);
  return count === 0 ? null : count;
}

function readCharge(bytes: Uint8Array, from: number, to: number): Cents | null {
  return FREE_KEYWORDS.find(bytes, from, to) ?? readAmount(bytes, from, to);
}

function readFlag(bytes: Uint8Array, from: number, to: number): boolean | null {
  return FLAG_KEYWORDS.find(bytes, from, to);
}
