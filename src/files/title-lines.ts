import type { ByteSource } from './byte-source.ts';
import { CsvScanner } from './csv-scanner.ts';
import { FileError } from './file-error.ts';
import { FileStart } from './file-start.ts';
import { findSeparator } from './header.ts';

/** Lines that may be above a header, and the header itself. */
const MOST_LINES = 20;

interface FirstRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly filled: number;
}

/**
 * How many lines are above the header of a file: its title, its date, the name of a shop. Only rows with fewer filled
 * cells than the header are above it, and only where the header has more of our columns than the first row.
 * @param known how many cells of a row are names of columns that the user may choose
 * @returns 0 for a file that begins with its header, or whose beginning cannot be read
 */
export async function countTitleLines(
  source: ByteSource,
  known: (cells: readonly string[]) => number,
): Promise<number> {
  const rows = await firstRows(source);
  const [first] = rows;
  if (first === undefined) return 0;
  const scored = rows.map((row) => ({ ...row, score: known(row.cells) }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  const header = best.score >= 2 || (best.score === 1 && first.filled === 1) ? best : tableStart(rows, first);
  const isTitled = rows.every((row) => row.line >= header.line || row.filled < header.filled);
  return isTitled ? header.line - 1 : 0;
}

/** Below a title alone in its row, the first row that has as many cells as the rows below it. */
function tableStart(rows: readonly FirstRow[], first: FirstRow): FirstRow {
  if (first.filled > 1) return first;
  const widest = Math.max(...rows.map(({ filled }) => filled));
  return rows.find(({ filled }) => filled === widest) ?? first;
}

async function firstRows(source: ByteSource): Promise<FirstRow[]> {
  try {
    const start = new FileStart(source);
    const lines = await start.firstLines(MOST_LINES);
    return lines.flatMap(({ from, end, line }) => {
      const cells = cellsOf(Buffer.from(start.buffer.subarray(from, end)));
      const filled = cells.filter((cell) => cell !== '').length;
      return filled === 0 ? [] : [{ line, cells, filled }];
    });
  } catch (error) {
    // The header, or the rows below it, will be reported with their line.
    if (error instanceof FileError) return [];
    throw error;
  } finally {
    await source.close();
  }
}

function cellsOf(line: Buffer): string[] {
  const cells: string[] = [];
  new CsvScanner(findSeparator(line), 1).scan(line, line.length, true, (row) => {
    cells.push(...row.texts());
  });
  return cells;
}
