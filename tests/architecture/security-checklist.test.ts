import { describe, expect, test } from 'vitest';
import { hasTest, proofsIn, rowsOf } from './proof-table.ts';

/** The number of lines of each part: A1 to A12, T1 to T9, ... */
const PARTS = { A: 12, T: 9, C: 9, Z: 5, I: 15, K: 8, L: 3, P: 5 } as const;
const LINES = Object.entries(PARTS).flatMap(([part, count]) =>
  Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
);

const rows = rowsOf('tests/architecture/security-checklist.md').map(
  ({ line, cells: [id = '', what = '', proof = '', state = ''] }) => ({ line, id, what, proof, state }),
);
const exceptions = rowsOf('tests/architecture/security-exceptions.md').map(
  ({ line, cells: [id = '', what = '', why = '', control = '', owner = '', date = ''] }) => ({
    line,
    id,
    what,
    why,
    control,
    owner,
    date,
  }),
);

describe('the security checklist', () => {
  test('has each line once, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(LINES);
  });

  test('states for each line what the product does, and whether that is complete', () => {
    const empty = rows.filter(
      ({ what, state }) =>
        what.length < 40 ||
        !['met', 'excepted'].includes(state.replace(/^\[(\w+)\]\(security-exceptions\.md\)$/, '$1')),
    );
    expect(empty.map(({ id, state }) => `${id}: ${state}`)).toEqual([]);
  });

  test('names existing tests', () => {
    const unproved = rows.flatMap(({ id, proof }) =>
      proofsIn(proof)
        .filter((each) => !hasTest(each))
        .map(({ path, name }) => `${id}: ${path}: ${name}`),
    );
    expect(unproved).toEqual([]);
  });
});

describe('the exceptions', () => {
  test('are exactly those of the checklist', () => {
    const excepted = rows.filter(({ state }) => state !== 'met').map(({ id }) => id);
    const explained = new Set(exceptions.map(({ id }) => id));
    expect([...explained].sort()).toEqual([...excepted].sort());
  });

  test('state what, why, the mitigation, the owner and the date', () => {
    const thin = exceptions.filter(
      ({ id, what, why, control, owner, date }) =>
        !LINES.includes(id) ||
        [what, why, control].some((text) => text.length < 20) ||
        owner === '' ||
        !/^20\d\d-[01]\d-[0-3]\d$/.test(date),
    );
    expect(thin.map(({ line, id }) => `line ${line}: ${id}`)).toEqual([]);
  });
});
