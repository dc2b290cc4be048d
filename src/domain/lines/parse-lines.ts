import type { Bps, Cents } from '#domain/units.ts';
import {
  type Condition,
  type IfTooLow,
  type Line,
  type LineAction,
  MAX_CONDITIONS,
  MAX_LINES,
  MAX_LINES_TEXT,
  type Shift,
  STEP_AMOUNT,
  STEP_PERCENT,
  type Target,
  type Turn,
} from './line.ts';
import { readCondition } from './parse-condition.ts';
import { readTarget } from './parse-target.ts';
import { LinesError, type LinesProblem, TextReader } from './text-reader.ts';

/** The lines of a rule, or why their text is refused. */
export type ParsedLines =
  | { readonly lines: readonly Line[]; readonly problem: null }
  | { readonly lines: null; readonly problem: LinesProblem };

/**
 * Reads the text of a rule: one line for each line or `;`, "winning or alone: hold". Case and blanks do not matter. Never
 * throws.
 */
export function parseLines(text: string): ParsedLines {
  if (text.length > MAX_LINES_TEXT) {
    const why = `is longer than ${MAX_LINES_TEXT} characters`;
    return refused({ line: 1, at: MAX_LINES_TEXT, found: '', possible: [], why });
  }
  const reader = new TextReader(text);
  try {
    const lines = readLines(reader);
    return lines === null ? refused(reader.problem()) : { lines, problem: null };
  } catch (error) {
    if (error instanceof LinesError) return refused(error.problem);
    throw error;
  }
}

/**
 * What could stand at the end of a text, such as "hold" or "a percentage", for completion while typing. Empty where the
 * text is not understood before its end.
 */
export function possibleNext(text: string): readonly string[] {
  if (text.length > MAX_LINES_TEXT) return [];
  const reader = new TextReader(text);
  try {
    readLines(reader);
  } catch (error) {
    if (error instanceof LinesError) return [];
    throw error;
  }
  const { at, possible } = reader.problem();
  return at === text.length ? possible : [];
}

function refused(problem: LinesProblem): ParsedLines {
  return { lines: null, problem };
}

function readLines(reader: TextReader): Line[] | null {
  const lines: Line[] = [];
  reader.skipEmptyLines();
  do {
    if (lines.length > 0 && reader.isAtEnd()) break;
    reader.expect(
      lines.length < MAX_LINES,
      reader.here(),
      `begins line ${MAX_LINES + 1}; a rule has up to ${MAX_LINES}`,
    );
    const line = readLine(reader);
    if (line === null) return null;
    lines.push(line);
  } while (reader.lineEnd());
  return reader.isAtEnd() ? lines : null;
}

function readLine(reader: TextReader): Line | null {
  const when = reader.attempt(() => readConditions(reader)) ?? [];
  const action = readAction(reader);
  if (action === null) return null;
  return readOptions(reader, when, action);
}

function readConditions(reader: TextReader): Condition[] | null {
  if (reader.words('otherwise')) return reader.mark(':') ? [] : null;
  const conditions: Condition[] = [];
  do {
    const at = reader.here();
    const condition = readCondition(reader);
    if (condition === null) return null;
    reader.expect(
      conditions.length < MAX_CONDITIONS,
      at,
      `is condition ${MAX_CONDITIONS + 1}; a line has up to ${MAX_CONDITIONS}`,
    );
    conditions.push(condition);
  } while (reader.words('and'));
  return reader.mark(':') ? conditions : null;
}

function readAction(reader: TextReader): LineAction | null {
  if (reader.words('hold')) return { kind: 'hold' };
  const moved = reader.attempt(() => readMove(reader));
  if (moved !== null) return moved;
  const target = readTarget(reader);
  return target === null ? null : { kind: 'ask', target, notUnder: null, notOver: null, ifTooLow: 'stop' };
}

/** "raise 1% every 24 h up to own price" */
function readMove(reader: TextReader): LineAction | null {
  const kind = reader.oneOf(['raise', 'lower']);
  if (kind === null) return null;
  const at = reader.here();
  const percent = reader.percent();
  const by = percent === null ? reader.amount() : percent;
  if (by === null || !reader.words('every')) return null;
  reader.expect(isStep(percent, by), at, 'is not a step from 0.1% to 15%, or from $0.01 to $100.00');
  const every = reader.duration();
  if (every === null) return null;
  const step: Shift = percent === null ? { amount: by as Cents } : { percent };
  if (!reader.words(kind === 'raise' ? 'up to' : 'down to')) return { kind, by: step, every, to: null };
  const to = readTarget(reader);
  return to === null ? null : { kind, by: step, every, to };
}

function isStep(percent: Bps | null, by: number): boolean {
  const { min, max } = percent === null ? STEP_AMOUNT : STEP_PERCENT;
  return by >= min && by <= max;
}

interface Options {
  notUnder: Target | null;
  notOver: Target | null;
  ifTooLow: IfTooLow | null;
  turn: Turn | null;
  asksFirst: boolean;
}

const IF_TOO_LOW = [
  ['else next line', 'next_line'],
  ['else next competitor', 'next_competitor'],
  ['else keep', 'keep'],
] as const satisfies readonly (readonly [string, IfTooLow])[];

function readOptions(reader: TextReader, when: Condition[], action: LineAction): Line | null {
  const options: Options = { notUnder: null, notOver: null, ifTooLow: null, turn: null, asksFirst: false };
  while (reader.mark(',')) {
    if (!(action.kind === 'ask' && readAskOption(reader, options)) && !readLineOption(reader, options))
      return null;
  }
  const { notUnder, notOver, ifTooLow, turn, asksFirst } = options;
  return {
    when,
    action: action.kind === 'ask' ? { ...action, notUnder, notOver, ifTooLow: ifTooLow ?? 'stop' } : action,
    turn,
    asksFirst,
  };
}

function readAskOption(reader: TextReader, options: Options): boolean {
  const at = reader.here();
  const once = (isFirst: boolean): void => reader.expect(isFirst, at, 'is there twice');
  if (reader.words('not under')) {
    once(options.notUnder === null);
    options.notUnder = readTarget(reader);
    return options.notUnder !== null;
  }
  if (reader.words('not over')) {
    once(options.notOver === null);
    options.notOver = readTarget(reader);
    return options.notOver !== null;
  }
  const [, ifTooLow] = IF_TOO_LOW.find(([words]) => reader.words(words)) ?? [];
  if (ifTooLow === undefined) return false;
  once(options.ifTooLow === null);
  options.ifTooLow = ifTooLow;
  return true;
}

function readLineOption(reader: TextReader, options: Options): boolean {
  const at = reader.here();
  const once = (isFirst: boolean): void => reader.expect(isFirst, at, 'is there twice');
  if (reader.words('ask first')) {
    once(!options.asksFirst);
    options.asksFirst = true;
    return true;
  }
  if (!reader.words('for')) return false;
  once(options.turn === null);
  const lasts = reader.duration();
  const rests = lasts !== null && reader.words('then not for') ? reader.duration() : null;
  if (lasts === null || rests === null) return false;
  options.turn = { lasts, rests };
  return true;
}
