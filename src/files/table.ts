import type { ByteSource } from './byte-source.ts';
import { MAX_ROW_BYTES } from './csv-limits.ts';
import type { CsvRow } from './csv-row.ts';
import { CsvScanner } from './csv-scanner.ts';
import { FileError } from './file-error.ts';
import { type ColumnSpec, findSeparator, type Header, matchHeader } from './header.ts';
import { utf16Of, utf16Source } from './utf16-source.ts';

/** What a format asks of a file. */
export interface TableFormat<Name extends string> {
  readonly columns: ColumnSpec<Name>;
  /** Other names for a column. */
  readonly aliases?: Readonly<Partial<Record<string, Name>>>;
}

/** Where the columns stand, and how to take the quotes in the rows below. */
export interface ChosenHeader<Name extends string> {
  readonly header: Header<Name>;
  readonly quotes: 'paired' | 'raw';
}

const READ_BYTES = 262_144;
const LF = 10;
const QUOTE = 34;
/** What spreadsheets write above the header to name the separator; it is seen from the header itself. */
const SEPARATOR_LINE = /^"?sep=."?[\r\n]*$/i;
/** The first bytes of an Excel workbook (a zip archive), and of one from before 2007. */
const WORKBOOKS = ['504b0304', 'd0cf11e0'];

/** An opened file whose header was read and fits its format. Read it once, then close it. */
export class Table<Name extends string> {
  /** The file as the user named it, for messages. */
  readonly file: string;
  readonly header: Header<Name>;
  readonly #source: ByteSource;
  readonly #buffer: Buffer;
  #filled: number;
  #isAtEnd: boolean;
  readonly #scanner: CsvScanner;

  private constructor(file: string, header: Header<Name>, scanner: CsvScanner, input: Input) {
    this.file = file;
    this.header = header;
    this.#source = input.source;
    this.#buffer = input.buffer;
    this.#filled = input.filled;
    this.#isAtEnd = input.isAtEnd;
    this.#scanner = scanner;
  }

  /**
   * Reads the header of a file.
   * @param file what to call it in messages
   * @throws FileError when the header is missing, broken or lacks a required column
   */
  static async open<Name extends string>(
    file: string,
    source: ByteSource,
    format: TableFormat<Name>,
  ): Promise<Table<Name>> {
    return Table.openWith(file, source, (row) => ({
      header: matchHeader(row, format.columns, format.aliases ?? {}),
      quotes: 'paired',
    }));
  }

  /**
   * Like {@link open}, for files whose columns were chosen some other way.
   * @param choose says where the columns stand, from the header row and the separator between its cells
   */
  static async openWith<Name extends string>(
    file: string,
    source: ByteSource,
    choose: (row: CsvRow, separator: number) => ChosenHeader<Name>,
  ): Promise<Table<Name>> {
    return inFile(file, async () => {
      const input = new Input(source);
      const { from, end, line } = await input.findHeader();
      const header = Buffer.from(input.buffer.subarray(from, end));
      const separator = findSeparator(header);
      const reader = new CsvScanner(separator, line);
      const found: ChosenHeader<Name>[] = [];
      reader.scan(header, header.length, true, (row) => {
        found.push(choose(row, separator));
      });
      const [chosen] = found;
      if (chosen === undefined) throw new FileError('the file is empty. It needs a header line.');
      input.drop(end);
      const scanner = new CsvScanner(separator, reader.line, chosen.quotes);
      return new Table<Name>(file, chosen.header, scanner, input);
    });
  }

  /**
   * Hands over every row that is not blank.
   * @param onRow gets a view that holds only until it returns
   * @param afterRead runs after each stretch of rows, so that a writer can catch up
   * @throws FileError where nothing after can be trusted
   */
  async read(onRow: (row: CsvRow) => void, afterRead?: () => Promise<void>): Promise<void> {
    await inFile(this.file, async () => {
      for (;;) {
        const used = this.#scanner.scan(this.#buffer, this.#filled, this.#isAtEnd, onRow);
        this.#buffer.copyWithin(0, used, this.#filled);
        this.#filled -= used;
        if (afterRead !== undefined) await afterRead();
        if (this.#isAtEnd) return;
        if (this.#filled === this.#buffer.length) {
          throw new FileError(
            `line ${this.#scanner.line}: a row is longer than ${MAX_ROW_BYTES} bytes. Most likely a quote is never closed.`,
          );
        }
        const size = await readFrom(this.#source, this.#buffer.subarray(this.#filled));
        this.#filled += size;
        this.#isAtEnd = size === 0;
      }
    });
  }

  async close(): Promise<void> {
    await this.#source.close();
  }
}

/** The bytes of a file up to its header. */
class Input {
  readonly buffer = Buffer.allocUnsafe(MAX_ROW_BYTES + READ_BYTES);
  filled = 0;
  isAtEnd = false;

  source: ByteSource;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /** @returns where the first line that is not blank and names no separator starts and ends, and its number from 1 */
  async findHeader(): Promise<{ from: number; end: number; line: number }> {
    await this.fill(4);
    this.rejectWorkbook();
    await this.decodeUtf16();
    let from = this.buffer.subarray(0, this.filled).indexOf('\ufeff') === 0 ? 3 : 0;
    let line = 1;
    for (;;) {
      const end = await this.lineEnd(from);
      if (end === from) throw new FileError('the file is empty. It needs a header line.');
      const text = this.buffer.toString('latin1', from, end);
      if (text.trim() !== '' && !SEPARATOR_LINE.test(text)) return { from, end, line };
      from = end;
      line++;
    }
  }

  drop(count: number): void {
    this.buffer.copyWithin(0, count, this.filled);
    this.filled -= count;
  }

  /** @returns behind the line end that is outside quotes; the end of the file if there is none */
  private async lineEnd(from: number): Promise<number> {
    let isQuoted = false;
    for (let at = from; ; at++) {
      if (at >= this.filled) {
        if (this.filled === this.buffer.length) throw new FileError('line 1: the header never ends.');
        await this.fill(this.filled + 1);
        if (at >= this.filled) return this.filled;
      }
      const byte = this.buffer[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LF && !isQuoted) return at + 1;
    }
  }

  private async fill(wanted: number): Promise<void> {
    while (this.filled < wanted && !this.isAtEnd) {
      const size = await readFrom(this.source, this.buffer.subarray(this.filled, this.filled + READ_BYTES));
      this.filled += size;
      this.isAtEnd = size === 0;
    }
  }

  private async decodeUtf16(): Promise<void> {
    const start = Buffer.from(this.buffer.subarray(0, this.filled));
    const encoding = utf16Of(start);
    if (encoding === null) return;
    this.source = utf16Source(this.source, start, encoding);
    this.filled = 0;
    this.isAtEnd = false;
    await this.fill(3);
  }

  private rejectWorkbook(): void {
    if (WORKBOOKS.includes(this.buffer.toString('hex', 0, Math.min(this.filled, 4)))) {
      throw new FileError('the file is an Excel workbook, whatever its name says. Save it as CSV UTF-8.');
    }
  }
}

/** A source that fails is a file that cannot be used; the system says why. */
async function readFrom(source: ByteSource, target: Uint8Array): Promise<number> {
  try {
    return await source.read(target);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FileError(`reading stopped: ${why}.`, { cause: error });
  }
}

/** Puts the file's name before what went wrong in it. */
async function inFile<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new FileError(`${file}, ${error.message}`, { cause: error });
    throw error;
  }
}
