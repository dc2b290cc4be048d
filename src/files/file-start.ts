import type { ByteSource } from './byte-source.ts';
import { MAX_ROW_BYTES } from './csv-limits.ts';
import { FileError } from './file-error.ts';
import { utf16Of, utf16Source } from './utf16-source.ts';

const READ_BYTES = 262_144;
const LF = 10;
const QUOTE = 34;
/** What spreadsheets write above the header to name the separator; it is seen from the header itself. */
const SEPARATOR_LINE = /^"?sep=."?[\r\n]*$/i;
/** The first bytes of an Excel workbook (a zip archive), and of one from before 2007. */
const WORKBOOKS = ['504b0304', 'd0cf11e0'];

/** The bytes of a file up to its header. */
export class FileStart {
  readonly buffer = Buffer.allocUnsafe(MAX_ROW_BYTES + READ_BYTES);
  filled = 0;
  isAtEnd = false;

  source: ByteSource;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /**
   * Finds the first line that is not blank and names no separator.
   * @param titleLines lines of the file, from the top, that are no header whatever they hold
   * @returns where it starts and ends, and its number from 1
   */
  async findHeader(titleLines = 0): Promise<{ from: number; end: number; line: number }> {
    const found = (await this.firstLines(1, titleLines))[0];
    if (found === undefined) throw new FileError('the file is empty. It needs a header line.');
    return found;
  }

  /**
   * The first lines that are not blank and name no separator: where each starts and ends, and its number from 1.
   * @param most fewer where the file has no more
   * @param after lines of the file, from the top, to leave out
   */
  async firstLines(most: number, after = 0): Promise<{ from: number; end: number; line: number }[]> {
    await this.fill(4);
    this.rejectWorkbook();
    await this.decodeUtf16();
    const found: { from: number; end: number; line: number }[] = [];
    let from = this.buffer.subarray(0, this.filled).indexOf('\ufeff') === 0 ? 3 : 0;
    let line = 1;
    while (found.length < most) {
      const end = await this.lineEnd(from, line);
      if (end === from) break;
      const text = this.buffer.toString('latin1', from, end);
      if (line > after && text.trim() !== '' && !SEPARATOR_LINE.test(text)) found.push({ from, end, line });
      line += linesIn(this.buffer, from, end);
      from = end;
    }
    return found;
  }

  drop(count: number): void {
    this.buffer.copyWithin(0, count, this.filled);
    this.filled -= count;
  }

  /** @returns behind the line end that is outside quotes; the end of the file if there is none */
  private async lineEnd(from: number, line: number): Promise<number> {
    let isQuoted = false;
    for (let at = from; ; at++) {
      if (at >= this.filled) {
        if (this.filled === this.buffer.length) throw new FileError(`line ${line}: the header never ends.`);
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
      throw new FileError(
        'the file is an Excel workbook or another spreadsheet, whatever its name says. Save it as CSV: in Excel with File, Save As, CSV UTF-8; in Google Sheets with File, Download, Comma-separated values; in Numbers with File, Export To, CSV.',
      );
    }
  }
}

/** Lines from one place to another: a quoted cell may hold line ends. */
function linesIn(bytes: Buffer, from: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LF, from); at >= 0 && at < end; at = bytes.indexOf(LF, at + 1)) count += 1;
  return Math.max(count, 1);
}

/** A source that fails is a file that cannot be used; the system says why. */
export async function readFrom(source: ByteSource, target: Uint8Array): Promise<number> {
  try {
    return await source.read(target);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FileError(`reading stopped: ${why}.`, { cause: error });
  }
}
