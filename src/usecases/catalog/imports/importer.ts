import type { ImportSource } from '#contract/imports.ts';
import type { Db } from '#db/client.ts';
import type { CostJump, FoundEffect, FoundSeller, StoredReadings } from '#db/schema/imports.ts';
import type { Instant } from '#domain/units.ts';
import type { Cells } from '#files/cells.ts';
import type { RawRows } from '#files/raw-rows.ts';
import type { RowProblem } from '#files/row-problem.ts';

/** What all rows of one pass over a file have in common. */
export interface PassContext {
  readonly fileName: string;
  readonly source: ImportSource;
  /** The time of everything that is written, the same after a crash. */
  readonly at: Instant;
  readonly actor: { readonly id: string | null; readonly name: string };
  /** Our columns that the file has, or that a value was given for. Others keep the stored value. */
  readonly present: ReadonlySet<string>;
  readonly readings: StoredReadings;
  /** The file's names of our columns. */
  readonly headings: ReadonlyMap<string, string>;
  /** Rows of one batch: one transaction, one set of statements. */
  readonly batchRows: number;
}

/** One row of a file. */
export interface Entry<Row> {
  readonly line: number;
  /** Null when nothing in it can be used. */
  readonly row: Row | null;
  /** Empty for a good row. */
  readonly problems: readonly RowProblem[];
  /** Its cells may be in the wrong columns: their number is wrong, or a quote or bytes cannot be read. */
  readonly isBroken?: true;
  readonly raws: RawRows;
  readonly raw: number;
}

export interface Change {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface RowError extends Pick<RowProblem, 'column' | 'value' | 'problem' | 'fix'> {
  /** The row is rejected only because another row of its group is. */
  readonly isSecondary?: true;
}

/** What a row is about, for the user. */
interface Named {
  /** "walmart A-1" */
  readonly what: string;
  /** The name or title of it. */
  readonly title?: string | null | undefined;
}

/** The outcome of a row. A new row changes from nothing to its initial values. */
export type RowOutcome = Named &
  (
    | { readonly kind: 'create'; readonly changes?: readonly Change[] }
    | { readonly kind: 'unchanged' }
    | { readonly kind: 'update'; readonly changes: readonly Change[] }
    | { readonly kind: 'rejected'; readonly complaint: RowError }
  );

/** What would become of a batch, and how to do it. */
export interface Plan {
  /** One for each entry, in the same order. */
  readonly outcomes: readonly RowOutcome[];
  /** Writes it, in the transaction in which it was planned. */
  write(tx: Db): Promise<void>;
  /** Hints, not errors; shown once, however many batches return them. */
  readonly notes?: readonly string[];
  readonly sellers?: readonly FoundSeller[];
  /** The effect on prices; calculated for the check only. */
  readonly effect?: FoundEffect;
  /** Costs and weights that change by a factor of 3 or more. */
  readonly jumps?: readonly CostJump[];
  /** New and changed rules with hours, days or dates, which count where the store is. */
  readonly timedRules?: number;
}

/** Which rows of a file one listing depends on, where they may be in different batches. */
export interface Parts<Row> {
  keyOf(row: Row): string;
  /** The keys of rows that these listings depend on, whether the file has them or not. */
  of(
    db: Db,
    listingIds: readonly number[],
  ): Promise<readonly { readonly listingId: number; readonly key: string }[]>;
}

/** One kind of file. */
export interface Importer<Name extends string, Row> {
  /** The columns to read, including those that only help to read a report. */
  readonly columns: readonly Name[];
  /**
   * Reads one row after another; it may remember earlier ones.
   * @returns null for an unusable row, 'skip' for one to ignore
   */
  reader(context: PassContext): (cells: Cells<Name>) => Row | null | 'skip';
  /**
   * Rows of one group are planned together, wherever in the file they are. A file of a kind that has groups is read
   * twice, and some rows more often: its reader must not remember anything. Its plan receives bad rows too, for what
   * they mean for the group.
   */
  groupOf?(row: Row): string;
  /** A row with broken cells or a wrong number of them is read too, for the group that it is in. */
  readonly readsBroken?: true;
  /** The problem of a row with fewer cells than the header; left out, the two counts are named. */
  readonly shortRow?: Pick<RowError, 'problem' | 'fix'>;
  /** Everything goes into one batch: rows of different groups depend on each other. */
  readonly isOneBatch?: true;
  /** Whether a row's outcome may change a lowest allowed price; undefined where every new or changed row may. */
  touchesFloors?(outcome: RowOutcome): boolean;
  /** Undefined where no two batches affect the lowest allowed price of the same listing. */
  readonly parts?: Parts<Row>;
  /**
   * @param entries also those without a row; outcomes are for the others, in their order
   * @param lock whether it is about to be written
   */
  plan(db: Db, entries: readonly Entry<Row>[], context: PassContext, lock: boolean): Promise<Plan>;
}
