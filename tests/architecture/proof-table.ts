import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** One row of the tables of a page. */
export interface TableRow {
  /** From 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of all tables of a page, without their headers; `\|` is a bar of the text. */
export function rowsOf(page: string): TableRow[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const isRule = (line: string | undefined): boolean => /^\|[\s|-]+$/.test(line ?? '');
  return lines.flatMap((line, index) => {
    if (!line.startsWith('|') || isRule(line) || isRule(lines[index + 1])) return [];
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    return [{ line: index + 1, cells: cells.map((cell) => cell.trim().replaceAll('\\|', '|')) }];
  });
}

/** A test that proves a row. */
export interface Proof {
  /** "src/server/app.test.ts" */
  readonly path: string;
  /** The title in the file, or the start of it. */
  readonly name: string;
}

/** "`tests/x.test.ts`: its name<br>`tests/y.test.ts`: another" */
export function proofsIn(cell: string): Proof[] {
  return cell.split('<br>').map((part) => {
    const [, path = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(part.trim()) ?? [];
    return { path, name };
  });
}

export function isThere(path: string): boolean {
  return existsSync(join(root, path));
}

const texts = new Map<string, string>();

/** Whether a test with this title exists in the file. */
export function hasTest({ path, name }: Proof): boolean {
  if (!/\.(?:test|spec)\.tsx?$/.test(path) || !isThere(path)) return false;
  // Escaped quotes count as quotes.
  const text =
    texts.get(path) ?? readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'").replaceAll('\\"', '"');
  texts.set(path, text);
  return name !== '' && text.includes(name);
}
