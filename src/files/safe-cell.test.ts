import { expect, test } from 'vitest';
import { safeCell, unguardedCsvLine } from './safe-cell.ts';

test.each([
  ['MUG-1', 'MUG-1'],
  ['', ''],
  ['=1+1', "'=1+1"],
  ['+44', "'+44"],
  ['-5', "'-5"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  // Another apostrophe, so that taking one off gives the text back.
  ["'=1", "''=1"],
  ["'n Sync", "'n Sync"],
])('%j is written as %j', (text, cell) => {
  expect(safeCell(text)).toBe(cell);
});

test('commas, quotes, line breaks and spaces at the ends are quoted', () => {
  expect(unguardedCsvLine(['a', 'b,c', 'say "hi"', 'two\nlines', ' x', ''])).toBe(
    'a,"b,c","say ""hi""","two\nlines"," x",\r\n',
  );
});
