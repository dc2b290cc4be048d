import { expect, test } from 'vitest';
import { hasTest, proofsIn, rowsOf } from './proof-table.ts';

const rows = rowsOf('tests/architecture/connectors-checklist.md').map(
  ({ line, cells: [id = '', what = '', proof = ''] }) => ({ line, id, what, proof }),
);

test('each line about money and reliability says what the product does', () => {
  expect(rows.length).toBeGreaterThan(30);
  const thin = rows.filter(({ id, what }) => !/^[MR]\d{1,2}$/.test(id) || what.length < 40);
  expect(thin.map(({ line, id }) => `line ${line}: ${id}`)).toEqual([]);
});

test('each line about reliability has a row', () => {
  const ids = new Set(rows.map(({ id }) => id));
  const lines = Array.from({ length: 18 }, (_, index) => `R${index + 1}`);
  expect(lines.filter((id) => !ids.has(id))).toEqual([]);
});

test('and names existing tests', () => {
  const unproved = rows.flatMap(({ line, id, proof }) =>
    proofsIn(proof)
      .filter((each) => !hasTest(each))
      .map(({ path, name }) => `line ${line}, ${id}: ${path}: ${name}`),
  );
  expect(unproved).toEqual([]);
});
