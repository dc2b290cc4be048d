import { describe, expect, test } from 'vitest';
import { hasTest, isThere, proofsIn, rowsOf } from './proof-table.ts';

const FILE = /`([\w./$-]+\.(?:tsx?|mjs|sql|css|json))`/g;

const rows = rowsOf('tests/architecture/specification.md').map(
  ({ line, cells: [what = '', where = '', proof = ''] }) => ({
    line,
    what,
    where,
    proof,
  }),
);

describe('each row of the specification', () => {
  test('there are rows to check', () => {
    expect(rows.length).toBeGreaterThan(300);
  });

  test('names existing files', () => {
    const lost = rows.filter(({ where }) => {
      const files = [...where.matchAll(FILE)].map(([, path = '']) => path);
      return files.length === 0 || !files.every(isThere);
    });
    expect(lost.map(({ line, where }) => `line ${line}: ${where}`)).toEqual([]);
  });

  test('names existing tests', () => {
    const unproved = rows.flatMap(({ line, what, proof }) =>
      proofsIn(proof)
        .filter((each) => !hasTest(each))
        .map(({ path, name }) => `line ${line}, ${what}: ${path}: ${name}`),
    );
    expect(unproved).toEqual([]);
  });
});
