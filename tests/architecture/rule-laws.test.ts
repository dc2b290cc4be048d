import { expect, test } from 'vitest';
import { hasTest, proofsIn, rowsOf } from './proof-table.ts';

const rows = rowsOf('tests/architecture/rule-laws.md').map(
  ({ line, cells: [numbers = '', what = '', proof = ''] }) => ({ line, numbers, what, proof }),
);
const LAWS = 20;
const EXAMPLES = 56;

test('every law has its row, and then every worked example, once and in order', () => {
  const numbers = rows.flatMap((row) => upTo(row.numbers));
  expect(numbers).toEqual([...counted(LAWS), ...counted(EXAMPLES)]);
});

test('each row says what it is about, and names existing tests', () => {
  const unproved = rows.flatMap(({ line, numbers, what, proof }) =>
    proofsIn(proof)
      .filter((each) => what.length < 20 || !hasTest(each))
      .map(({ path, name }) => `line ${line}, ${numbers}: ${path}: ${name}`),
  );
  expect(unproved).toEqual([]);
});

/** The numbers of "7" and of "1-50". */
function upTo(text: string): number[] {
  const [first = Number.NaN, last = first] = text.split('-').map(Number);
  return counted(last - first + 1).map((number) => first + number - 1);
}

function counted(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}
