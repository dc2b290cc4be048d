import { Cells } from './cells.ts';
import type { RowProblem } from './row-problem.ts';
import type { Table } from './table.ts';

/** Receives every cell and row that cannot be used. */
export type ReportProblem = (problem: RowProblem) => void;

/** What to do with the rows of a file. */
export interface RowVisitor<Name extends string> {
  /** A row with the right number of cells. */
  onRow(cells: Cells<Name>): void;
  /** A row whose cells cannot be trusted; reported already. What it names must not pass for complete. */
  onBroken?(cells: Cells<Name>): void;
}

/**
 * Reads all rows of a table and closes it.
 * @throws FileError where nothing after can be trusted
 */
export async function readRows<Name extends string>(
  table: Table<Name>,
  report: ReportProblem,
  visitor: RowVisitor<Name>,
  afterRead?: () => Promise<void>,
): Promise<void> {
  const cells = new Cells(table.file, table.header, report);
  try {
    await table.read((row) => {
      if (cells.begin(row)) visitor.onRow(cells);
      else visitor.onBroken?.(cells);
    }, afterRead);
  } finally {
    await table.close();
  }
}
