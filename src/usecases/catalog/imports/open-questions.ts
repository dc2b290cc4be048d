import {
  type ImportQuestion,
  MOMENT_COLUMNS as MOMENTS,
  NUMBER_COLUMNS as NUMBERS,
  PERCENT_COLUMNS as PERCENTS,
  WEIGHT_COLUMNS as WEIGHTS,
} from '#contract/imports.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { StoredReadings } from '#db/schema/imports.ts';
import { momentShape } from '#domain/written/day-order.ts';
import { columnMark, mergeMarks, NO_MARKS, type NumberMarks } from '#domain/written/find-decimal-mark.ts';
import { ColumnTally } from '#files/column-tally.ts';
import { plainName } from '#files/header.ts';
import { isOwnName } from './column-synonyms.ts';
import { unitInHeading } from './weight-unit.ts';

/** A file as far as its headings, its first rows and its number formats are known. */
export type Sampled = Pick<ImportRow, 'kind' | 'header' | 'preview' | 'numbers' | 'mapping'> & {
  readonly separator: string;
  /** What was answered for files with the same headings: asked again even where there is a default. */
  readonly asked: readonly string[];
};

/** The sample of a stored import. */
export function sampledOf(file: ImportRow): Sampled {
  const { separator, asked = [] } = file.chosenFrom;
  return { ...file, numbers: numbersOf(file), separator, asked };
}

/** For a file that was stored before all rows were checked, the numbers of its first rows; the header is line 1. */
function numbersOf({ numbers, header, preview }: ImportRow): ImportRow['numbers'] {
  if (Object.keys(numbers).length > 0) return numbers;
  const tally = new ColumnTally(header.length);
  for (const [row, cells] of preview.entries()) {
    for (const [cell, text] of cells.entries()) tally.note(cell, { line: row + 2, text: text.trim() });
  }
  return tally.found();
}

/** Numbers in any format, with or without a unit, and "free". */
const LIKE_A_NUMBER = /^[-+]?(?:US)?\$? ?\d[\d.,]*[ a-z$%"']{0,12}$|^free|^n\/?a$/i;
const LIKE_A_MOMENT = /\d/;

/** Our number and time columns whose first cells are all something else. */
export function contradictedColumns(file: Sampled): string[] {
  const isNothingLike = (name: string, shape: RegExp): boolean => {
    const cells = samplesOf(file, [name]).filter((text) => text !== '');
    return cells.length > 0 && !cells.some((text) => shape.test(text));
  };
  return [
    ...NUMBERS.filter((name) => isNothingLike(name, LIKE_A_NUMBER)),
    ...MOMENTS.filter((name) => isNothingLike(name, LIKE_A_MOMENT)),
  ];
}

/** How to read the chosen columns, as far as the headings, the first rows and all numbers make it clear. */
export function readingsOf(file: Sampled): StoredReadings {
  const { order } = momentShape(daysOf(file));
  const units = new Set(headingsOf(file, WEIGHTS).flatMap((heading) => unitInHeading(heading) ?? []));
  const [unit] = units;
  return {
    ...(units.size === 1 ? { weightUnit: unit } : {}),
    ...(decimalMarkOf(file) === 'comma' ? { decimalMark: 'comma' as const } : {}),
    ...(order === null || order === 'ask' ? {} : { dayOrder: order }),
  };
}

/**
 * What the user must answer before the file can be read without guessing.
 * @param readings what is answered already, or clear
 */
export function openQuestions(file: Sampled, readings: StoredReadings): ImportQuestion[] {
  const { order, lacksZone } = momentShape(daysOf(file));
  const wasAsked = (question: ImportQuestion): boolean => file.asked.includes(question);
  const hasOtherWeights = positionsOf(file, WEIGHTS).some((at) => {
    const heading = file.header[at] ?? '';
    const isOurs = !wasAsked('weightUnit') && WEIGHTS.some((name) => isOwnName(name, heading));
    // Weights that all have their unit in the cell leave nothing to ask.
    return unitInHeading(heading) === null && !isOurs && file.numbers[at]?.bare !== null;
  });
  const isMarkOpen =
    decimalMarkOf(file) === 'ask' || (wasAsked('decimalMark') && numberMarksOf(file).either !== null);
  const isFormOpen = openShares(file).length > 0;
  return [
    ...(hasOtherWeights && readings.weightUnit === undefined ? (['weightUnit'] as const) : []),
    ...(isMarkOpen && readings.decimalMark === undefined ? (['decimalMark'] as const) : []),
    ...(order === 'ask' && readings.dayOrder === undefined ? (['dayOrder'] as const) : []),
    ...(lacksZone && readings.timeZone === undefined ? (['timeZone'] as const) : []),
    ...(isFormOpen && readings.percentForm === undefined ? (['percentForm'] as const) : []),
  ];
}

/**
 * Our columns of percentages that are read from a column with nothing but numbers below 1: 0.15 may be 15%. Under our own
 * name they are percent, as in our own files.
 */
export function openShares(file: Sampled): string[] {
  return PERCENTS.filter((name) => {
    const [at] = positionsOf(file, [name]);
    const samples = at === undefined ? undefined : file.numbers[at];
    if (at === undefined || samples?.small == null || samples.large !== null) return false;
    return plainName(file.header[at] ?? '') !== plainName(name);
  });
}

/** The number format of the chosen columns, over all rows of the file. */
export function numberMarksOf(file: Sampled): NumberMarks {
  return marksIn(file, NUMBERS);
}

function weightMarksOf(file: Sampled): NumberMarks {
  return marksIn(file, WEIGHTS);
}

function marksIn(file: Sampled, names: readonly string[]): NumberMarks {
  return mergeMarks(positionsOf(file, names).map((at) => file.numbers[at] ?? NO_MARKS));
}

/**
 * Whether a weight of 1.500 is thousands in a file with decimal commas: where the weights have such a comma and no
 * point, or where no number is clear and a user answered.
 */
export function hasGroupedWeights(file: Sampled): boolean {
  const all = numberMarksOf(file);
  const weights = weightMarksOf(file);
  const isUnreported = all.comma === null && all.point === null;
  return isUnreported || (weights.comma !== null && weights.point === null);
}

/** The decimal marks of our chosen columns of numbers, as far as the file shows them. */
function columnMarks(file: Sampled): Map<string, 'point' | 'comma' | 'ask'> {
  const columns = NUMBERS.flatMap((name) =>
    positionsOf(file, [name]).map((at) => ({ name, own: file.numbers[at] ?? NO_MARKS })),
  );
  return new Map(
    columns.map(({ name, own }) => {
      const others = columns.filter((other) => other.name !== name).map((other) => other.own);
      return [name, columnMark({ own, others, separator: file.separator })];
    }),
  );
}

/** The decimal mark of each of our columns. @param answer for those that the file leaves open */
export function marksToRead(
  file: Sampled,
  answer: 'point' | 'comma',
): ReadonlyMap<string, 'point' | 'comma'> {
  return new Map([...columnMarks(file)].map(([name, mark]) => [name, mark === 'ask' ? answer : mark]));
}

/** The mark of the file as a whole: a comma only where no column has a point. */
function decimalMarkOf(file: Sampled): 'point' | 'comma' | 'ask' {
  const marks = [...columnMarks(file)];
  if (marks.some(([, mark]) => mark === 'ask')) return 'ask';
  const { point } = numberMarksOf(file);
  return point === null && marks.some(([, mark]) => mark === 'comma') ? 'comma' : 'point';
}

function positionsOf({ mapping }: Sampled, names: readonly string[]): number[] {
  return names.flatMap((name) => mapping[name] ?? []);
}

function headingsOf(file: Sampled, names: readonly string[]): string[] {
  return positionsOf(file, names).map((at) => file.header[at] ?? '');
}

/** Days and times of the first rows, and those further down that decide something else. */
function daysOf(file: Sampled): string[] {
  const further = positionsOf(file, MOMENTS).flatMap((at) => file.numbers[at]?.days ?? []);
  return [...samplesOf(file, MOMENTS), ...further];
}

function samplesOf(file: Sampled, names: readonly string[]): string[] {
  const at = positionsOf(file, names);
  return file.preview.flatMap((row) => at.map((cell) => (row[cell] ?? '').trim()));
}
