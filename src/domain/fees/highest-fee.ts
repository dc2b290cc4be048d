import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type FeePiece, MAX_REVENUE } from './fee-table.ts';

/** A fee that rises by `slope` basis points of each cent of revenue, in ten-thousandths of a cent. */
interface Line {
  readonly slope: number;
  readonly start: number;
}

/**
 * At each revenue the highest fee of several tables, exactly, as pieces; unknown where one of them is unknown.
 * @param tables at least one, each ascending
 */
export function highestFee(tables: readonly (readonly FeePiece[])[]): readonly FeePiece[] {
  const [only] = tables;
  if (only !== undefined && tables.length === 1) return only;
  const pieces: FeePiece[] = [];
  for (const [from, to] of commonRanges(tables)) {
    const lines = tables.flatMap((table) => linesAt(table, from));
    let start = from;
    while (lines.length > 0 && start <= to) {
      const line = highestAt(lines, start);
      const end = Math.min(to, lastRevenueOf(line, lines));
      addPiece(pieces, start, end, line);
      start = end + 1;
    }
  }
  return pieces;
}

/** The ranges in which each table is known and has one piece. */
function commonRanges(tables: readonly (readonly FeePiece[])[]): [number, number][] {
  const starts = new Set<number>();
  for (const { from, to } of tables.flat()) starts.add(from).add(to + 1);
  const rising = [...starts].sort((a, b) => a - b);
  const ranges = rising.map((from, index): [number, number] => [
    from,
    (rising[index + 1] ?? MAX_REVENUE + 1) - 1,
  ]);
  return ranges.filter(([from]) => tables.every((table) => pieceAt(table, from) !== undefined));
}

function pieceAt(table: readonly FeePiece[], revenue: number): FeePiece | undefined {
  return table.find(({ from, to }) => from <= revenue && revenue <= to);
}

/** A fee is the higher of its minimum and its percentage part: two lines. */
function linesAt(table: readonly FeePiece[], revenue: number): Line[] {
  const piece = pieceAt(table, revenue);
  if (piece === undefined) return [];
  const { percent, carried, minimum, other, added } = piece;
  return [
    { slope: percent + other, start: carried + added },
    { slope: other, start: minimum * WHOLE + added },
  ];
}

/** The highest line at a revenue; of equals the steepest, which stays the highest longest. */
function highestAt(lines: readonly Line[], revenue: number): Line {
  const at = ({ slope, start }: Line) => slope * revenue + start;
  return lines.reduce((best, line) =>
    at(line) > at(best) || (at(line) === at(best) && line.slope > best.slope) ? line : best,
  );
}

/** The last revenue at which no steeper line is higher. */
function lastRevenueOf(line: Line, lines: readonly Line[]): number {
  const crossings = lines
    .filter(({ slope }) => slope > line.slope)
    .map(({ slope, start }) => Math.floor((line.start - start) / (slope - line.slope)));
  return Math.min(...crossings, MAX_REVENUE);
}

function addPiece(pieces: FeePiece[], from: number, to: number, { slope, start }: Line): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.to === from - 1 && last.percent === slope && last.carried === start) {
    pieces[pieces.length - 1] = { ...last, to: to as Cents };
    return;
  }
  pieces.push({
    from: from as Cents,
    to: to as Cents,
    percent: slope as Bps,
    carried: start,
    minimum: 0 as Cents,
    other: 0 as Bps,
    added: 0,
  });
}
