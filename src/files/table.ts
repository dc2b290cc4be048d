import type { ByteSource } from './byte-source.ts';
import { MAX_ROW_BYTES } from './csv-limits.ts';
import type { CsvRow } from './csv-row.ts';
import { CsvScanner } from './csv-scanner.ts';
import { FileError } from './file-error.ts';
import { FileStart, readFrom } from './file-start.ts';
import { type ColumnSpec, findSeparator, type Header, matchHeader } from './header.ts';

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

  private constructor(file: string, header: Header<Name>, scanner: CsvScanner, input: FileStart) {
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
   * @param titleLines lines above the header to leave out, such as the title of a price list
   */
  static async openWith<Name extends string>(
    file: string,
    source: ByteSource,
    choose: (row: CsvRow, separator: number) => ChosenHeader<Name>,
    titleLines = 0,
  ): Promise<Table<Name>> {
    return inFile(file, async () => {
      const input = new FileStart(source);
      const { from, end, line } = await input.findHeader(titleLines);
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

/** Puts the file's name before what went wrong in it. */
async function inFile<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw new FileError(`${file}, ${error.message}`, { cause: error });
    throw error;
  }
}
