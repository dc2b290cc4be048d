import { describe, expect, test } from 'vitest';
import { isProved, proofsIn, rowsOf } from './proof-table.ts';

/** How many lines each part has: A1 to A12, T1 to T9, ... */
const PARTS = { A: 12, T: 9, C: 9, Z: 5, I: 15, K: 8, L: 3 } as const;
const LINES = Object.entries(PARTS).flatMap(([part, count]) =>
  Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
);

/** Lines whose rows are not on the page yet. Shrinks to nothing; a line that is on the page has to leave it. */
const STILL_TO_COME: readonly string[] = [
  ...['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10', 'A11', 'A12'],
  ...['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9'],
  ...['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9'],
  ...['Z1', 'Z2', 'Z3', 'Z4', 'Z5'],
  ...['K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7'],
  ...['L1', 'L2', 'L3'],
];

const rows = rowsOf('docs/security-checklist.md').map(
  ({ line, cells: [id = '', what = '', proof = '', state = ''] }) => ({ line, id, what, proof, state }),
);
const exceptions = rowsOf('docs/exceptions.md').map(
  ({ line, cells: [id = '', what = '', why = '', control = '', owner = '', date = ''] }) => ({
    ...{ line, id, what, why, control, owner, date },
  }),
);

describe('the security checklist', () => {
  test('has each line once, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(LINES.filter((id) => !STILL_TO_COME.includes(id)));
  });

  test('says of each line what the product does, and whether that is all of it', () => {
    const empty = rows.filter(
      ({ what, state }) =>
        what.length < 40 ||
        !['met', 'excepted'].includes(state.replace(/^\[(\w+)\]\(exceptions\.md\)$/, '$1')),
    );
    expect(empty.map(({ id, state }) => `${id}: ${state}`)).toEqual([]);
  });

  test('names tests that exist under this name', () => {
    const unproved = rows.flatMap(({ id, proof }) =>
      proofsIn(proof)
        .filter((each) => !isProved(each))
        .map(({ path, name }) => `${id}: ${path}: ${name}`),
    );
    expect(unproved).toEqual([]);
  });
});

describe('the exceptions', () => {
  test('are those of the checklist, no more and no fewer', () => {
    const excepted = rows.filter(({ state }) => state !== 'met').map(({ id }) => id);
    const explained = new Set(exceptions.map(({ id }) => id).filter((id) => !STILL_TO_COME.includes(id)));
    expect([...explained].sort()).toEqual([...excepted].sort());
  });

  test('say what, why, what helps instead, who answers for it and since when', () => {
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
