import { parseLines } from '#domain/lines/parse-lines.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { linesProblemMessage } from '#domain/lines/problem-text.ts';
import { formOfLine, type LineForm, NEW_LINE, textOfForm } from './line-form.ts';

/** A line of the editor. Its text is what counts; the form is how it is shown, null for one that is edited as text. */
export interface LineRow {
  /** Stays with the line wherever it moves. */
  readonly key: number;
  readonly form: LineForm | null;
  readonly text: string;
}

/** The rows of a text that is understood; null for another one. @param firstKey larger than all keys in use */
export function rowsOf(text: string, firstKey: number): readonly LineRow[] | null {
  if (text.trim() === '') return [];
  const { lines } = parseLines(text);
  if (lines === null) return null;
  return lines.map((line, index) => rowOf(formOfLine(line), firstKey + index));
}

export function rowOf(form: LineForm, key: number): LineRow {
  return { key, form, text: textOfForm(form) };
}

export function newRow(key: number): LineRow {
  return rowOf(NEW_LINE, key);
}

export function textOfRows(rows: readonly LineRow[]): string {
  return rows.map(({ text }) => text).join('\n');
}

/** As it is stored: with "otherwise" before a last line without conditions. The same text where it is not understood. */
export function writtenText(text: string): string {
  const { lines } = parseLines(text);
  return lines === null ? text : printLines(lines);
}

/** Why the text of a row is not understood, with its number among the rows; null if it is. */
export function rowProblem({ text }: LineRow, index: number): string | null {
  const { problem } = parseLines(text);
  if (problem === null) return null;
  return linesProblemMessage(problem, text).replace(/^Line \d+/, `Line ${index + 1}`);
}

/** The rows with one of them in another place. */
export function moved(rows: readonly LineRow[], from: number, to: number): readonly LineRow[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
