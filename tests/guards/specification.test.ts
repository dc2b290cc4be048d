import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/specification.md';

interface Row {
  readonly line: number;
  readonly what: string;
  readonly where: string;
  readonly proof: string;
}

/** The rows of the tables of a page: three cells, where `\|` is a bar of the text. */
function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, what = '', where = '', proof = ''] = cells;
    const isRow = line.startsWith('|') && !/^\|[\s|-]+$/.test(line) && what !== 'Specification';
    return isRow ? [{ line: index + 1, what, where, proof }] : [];
  });
}

const FILE = /`([\w./$-]+\.(?:tsx?|mjs|sql|css|json))`/g;

/** "`tests/x.test.ts`: its name<br>`tests/y.test.ts`: another" */
function proofsOf({ proof }: Row): { path: string; name: string }[] {
  return proof.split('<br>').map((part) => {
    const [, path = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(part.trim()) ?? [];
    return { path, name };
  });
}

const texts = new Map<string, string>();
/** A test's file with its escaped quotes as they read, null when there is no such file. */
function textOf(path: string): string | null {
  const file = join(root, path);
  if (!existsSync(file)) return null;
  const known = texts.get(path) ?? readFileSync(file, 'utf8').replaceAll("\\'", "'").replaceAll('\\"', '"');
  texts.set(path, known);
  return known;
}

const rows = rowsOf(readFileSync(join(root, PAGE), 'utf8'));
const isTest = (path: string): boolean => /\.(?:test|spec)\.tsx?$/.test(path);

describe('each row of the specification', () => {
  test('there are rows to check', () => {
    expect(rows.length).toBeGreaterThan(300);
  });

  test('lives in files that exist', () => {
    const lost = rows.filter(({ where }) => {
      const files = [...where.matchAll(FILE)].map(([, path = '']) => path);
      return files.length === 0 || files.some((path) => !existsSync(join(root, path)));
    });
    expect(lost.map(({ line, where }) => `line ${line}: ${where}`)).toEqual([]);
  });

  test('is proved by tests that exist under this name', () => {
    const unproved = rows.flatMap((row) =>
      proofsOf(row)
        .filter(({ path, name }) => !(isTest(path) && textOf(path)?.includes(name)))
        .map(({ path, name }) => `line ${row.line}, ${row.what}: ${path}: ${name}`),
    );
    expect(unproved).toEqual([]);
  });
});
