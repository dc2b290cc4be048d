import { describe, expect, test } from 'vitest';
import { textSource } from './byte-source.ts';
import { csvLine, safeUnlessNumber } from './csv-writer.ts';
import { headerNames } from './header.ts';
import { RawRows } from './raw-rows.ts';
import { Table } from './table.ts';

/** The rows of a text, each cell as an import reads it. */
async function read(text: string, quotes: 'paired' | 'raw' = 'paired'): Promise<string[][]> {
  const rows: string[][] = [];
  const table = await Table.openWith('x.csv', textSource(text), (row) => ({
    header: { at: {}, names: headerNames(row), unknown: [] },
    quotes,
  }));
  await table.read((row) => {
    rows.push(Array.from({ length: row.count }, (_none, cell) => row.text(cell)));
  });
  return rows;
}

describe('a line for people', () => {
  test.each([
    '=1+1',
    '+49 30 1',
    '-cmd',
    '@SUM(A1)',
    "'=1",
    "''=1",
    '\t=1',
    "it's",
    'a,b',
    'a;b',
    'say "hi"',
    'two\nlines',
    '0042',
  ])('%j comes back as it was', async (cell) => {
    expect(await read(`a,b\r\n${csvLine([cell, 'x'])}`)).toEqual([[cell, 'x']]);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-cmd', "'-cmd"],
    ['@x', "'@x"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
  ])('%j is not run by a spreadsheet', (cell, safe) => {
    expect(safeUnlessNumber(cell)).toBe(safe);
  });

  test.each(['-0.05', '+3', '-12.5%', '-1,299.00', '$5'])('the number %s stays a number', (cell) => {
    expect(safeUnlessNumber(cell)).toBe(cell);
  });
});

test('raw quotes are characters like any other', async () => {
  const text = 'name\tsku\r\n"Blue" mug 12"\tA\r\n"Unclosed\tB\r\n';
  expect(await read(text, 'raw')).toEqual([
    ['"Blue" mug 12"', 'A'],
    ['"Unclosed', 'B'],
  ]);
  await expect(read(text)).rejects.toThrow(/text follows a closing quote/);
});

test('kept rows give back each cell as it was written, however many rows there are', async () => {
  const kept = new RawRows();
  const rows = Array.from({ length: 3_000 }, (_none, at) => [`  ${at} `, 'x'.repeat(at % 60), `"${at}"`]);
  const text = `a,b,c\n${rows.map((cells) => `${cells[0]},${cells[1]},"""${cells[0]?.trim()}"""\n`).join('')}`;
  const table = await Table.openWith('x.csv', textSource(text), (row) => ({
    header: { at: {}, names: headerNames(row), unknown: [] },
    quotes: 'paired',
  }));
  await table.read((row) => void kept.add(row));
  expect([0, 1, 59, 2_999].map((row) => kept.cells(row))).toEqual([0, 1, 59, 2_999].map((row) => rows[row]));
});
