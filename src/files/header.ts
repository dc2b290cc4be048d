import { isUtf8 } from 'node:buffer';
import { MAX_COLUMNS } from './csv-limits.ts';
import type { CsvRow } from './csv-row.ts';
import { FileError } from './file-error.ts';
import { quoted } from './row-problem.ts';

/** The columns a format knows; a file without a required one is refused before any of its rows is read. */
export type ColumnSpec<Name extends string> = Readonly<Record<Name, 'required' | 'optional'>>;

/** Where the columns of a format stand in a file. */
export interface Header<Name extends string> {
  /** Position from 0; -1 for an optional column that the file does not have. */
  readonly at: Readonly<Record<Name, number>>;
  /** Each column as the file names it. */
  readonly names: readonly string[];
  /** Columns of the file that the format does not know, as written. */
  readonly unknown: readonly string[];
}

/** Comma, semicolon, tab and the vertical bar. */
const SEPARATORS = [44, 59, 9, 124] as const;
const QUOTE = 34;
/** Names that would mean something to JavaScript; no honest file has them. */
const REFUSED = new Set(['proto', 'constructor', 'prototype']);

/** The separator a header uses: the one of comma, semicolon, tab and | that occurs most outside quotes. */
export function findSeparator(header: Uint8Array): number {
  const counts = new Map<number, number>();
  let isQuoted = false;
  for (const byte of header) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  }
  let best: number = SEPARATORS[0];
  for (const separator of SEPARATORS) {
    if ((counts.get(separator) ?? 0) > (counts.get(best) ?? 0)) best = separator;
  }
  return best;
}

/**
 * Finds a format's columns in the first row of a file, without regard to case, spaces and underscores.
 * @throws FileError for a missing required column, a known column that occurs twice, and unusable bytes
 */
export function matchHeader<Name extends string>(
  row: CsvRow,
  columns: ColumnSpec<Name>,
  aliases: Readonly<Partial<Record<string, Name>>>,
): Header<Name> {
  const line = `line ${row.line}`;
  const known = knownNames(columns, aliases);
  const at = Object.fromEntries(Object.keys(columns).map((name) => [name, -1])) as Record<Name, number>;
  const names = headerNames(row);
  const unknown: string[] = [];
  for (const [cell, written] of names.entries()) {
    const name = known.get(plainName(written));
    if (name === undefined) unknown.push(written);
    else if (at[name] >= 0) {
      throw new FileError(`${line}: two columns are called ${quoted(written)}. Delete or rename one.`);
    } else at[name] = cell;
  }
  requireColumns(at, columns, names, line);
  return { at, names, unknown };
}

/**
 * The columns of a file as it names them.
 * @throws FileError for bytes that are no text, too many columns, and names that no honest file has
 */
export function headerNames(row: CsvRow): string[] {
  const line = `line ${row.line}`;
  if (row.fault?.kind === 'bare_return') {
    throw new FileError(
      `${line}: lines end with a carriage return alone. Save the file as CSV UTF-8, not for Macintosh.`,
    );
  }
  if (row.fault !== null || !isUtf8(row.bytes.subarray(0, row.ends[0]))) {
    throw new FileError(`${line}: the header is not plain text. Save the file as CSV (UTF-8).`);
  }
  if (row.count > MAX_COLUMNS) {
    throw new FileError(`${line}: ${row.count} columns; at most ${MAX_COLUMNS} are read. Delete some.`);
  }
  const names: string[] = [];
  for (let cell = 0; cell < row.count; cell++) {
    const written = row.text(cell);
    if (REFUSED.has(plainName(written)))
      throw new FileError(`${line}: a column may not be called ${quoted(written)}. Rename it.`);
    names.push(written);
  }
  return names;
}

function requireColumns<Name extends string>(
  at: Readonly<Record<Name, number>>,
  columns: ColumnSpec<Name>,
  names: readonly string[],
  line: string,
): void {
  const all = Object.keys(columns) as Name[];
  const missing = all.filter((name) => columns[name] === 'required' && at[name] < 0);
  if (missing.length === 0) return;
  const what = missing.length === 1 ? 'the required column' : 'the required columns';
  const found = names.map((name) => quoted(name)).join(', ');
  throw new FileError(
    `${line}: ${what} ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. The header has ${found}.`,
  );
}

function knownNames<Name extends string>(
  columns: ColumnSpec<Name>,
  aliases: Readonly<Partial<Record<string, Name>>>,
): Map<string, Name> {
  const known = new Map<string, Name>();
  for (const name of Object.keys(columns) as Name[]) known.set(plainName(name), name);
  for (const [alias, name] of Object.entries(aliases))
    if (name !== undefined) known.set(plainName(alias), name);
  return known;
}

/** A name as it is compared: without regard to case, spaces and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_]+/g, '');
}
