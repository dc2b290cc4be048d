import type { CsvRowError } from './csv-row.ts';

/** A cell or row that cannot be used: where it is, what is wrong, and how to fix it. */
export interface RowProblem {
  /** The file as the user named it. */
  readonly file: string;
  /** From 1, the header included, as an editor counts. */
  readonly line: number;
  /** Null when the row as a whole is the problem. */
  readonly column: string | null;
  /** The cell as written; null when there is none to show. */
  readonly value: string | null;
  /** A sentence without its end: "is not an amount". */
  readonly problem: string;
  /** One or more whole sentences. */
  readonly fix: string;
}

const SHOWN_CHARACTERS = 60;

/** One line for people: `skus.csv, line 3, productCost "12,99": is not an amount. Write ...` */
export function problemText({ file, line, column, value, problem, fix }: RowProblem): string {
  const cell = [column, value === null ? null : quoted(value)].filter((part) => part !== null).join(' ');
  return `${file}, line ${line}${cell === '' ? '' : `, ${cell}`}: ${problem}. ${fix}`;
}

/** A value for people: in quotes, shortened, control characters written out so that none reaches a terminal. */
export function quoted(value: string): string {
  const shown = value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}...` : value;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const CSV_ERROR_TEXT = {
  nul: { problem: 'has a NUL byte', fix: 'Save the file again as CSV (UTF-8).' },
  encoding: { problem: 'is not UTF-8', fix: 'Save the file again as CSV UTF-8.' },
  stray_quote: {
    problem: 'has a quote in the middle of a cell',
    fix: 'Put the whole cell in quotes and write its own quotes twice.',
  },
  bare_return: {
    problem: 'has a carriage return without a line feed',
    fix: 'Put the cell in quotes, or end lines with LF or CRLF.',
  },
} as const satisfies Record<CsvRowError['kind'], { problem: string; fix: string }>;
