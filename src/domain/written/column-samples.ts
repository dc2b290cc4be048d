import { NO_MARKS, type NumberMarks, type NumberSample } from './find-decimal-mark.ts';

/** What all cells of one column of a file show about how to read them. */
export interface ColumnSamples extends NumberMarks {
  /** Cells that are not blank. */
  readonly filled: number;
  /** The first number without a unit. */
  readonly bare: NumberSample | null;
  /** The first number above 0 and below 1 without a percent sign, which may be a share of 1; and the first that is none. */
  readonly small: NumberSample | null;
  readonly large: NumberSample | null;
  /** Days with the month as a number: one whose first number is the day, one whose first is the month, one without a zone. */
  readonly days: readonly string[];
}

/** Of a column without any cell. */
export const NO_SAMPLES: ColumnSamples = {
  ...NO_MARKS,
  filled: 0,
  bare: null,
  small: null,
  large: null,
  days: [],
};
