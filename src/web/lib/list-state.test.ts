import { expect, test } from 'vitest';
import { type ListSpec, queryText, readListState, writeListState } from './list-state.ts';

const SPEC: ListSpec<'marketplace' | 'rule', 'sku' | 'margin'> = {
  filters: { marketplace: ['walmart', 'ebay'], rule: /^\d+$/ },
  sorts: ['sku', 'margin'],
  sort: 'sku',
  sizes: [25, 50],
  size: 50,
};
const STANDARD = { q: '', filters: {}, sort: { by: 'sku', descending: false }, page: 1, size: 50 };

test('an empty address means the defaults, and the defaults leave the address empty', () => {
  expect(readListState({}, SPEC)).toEqual(STANDARD);
  expect(writeListState(readListState({}, SPEC), SPEC)).toEqual({});
});

test('the state read from an address writes the same address', () => {
  const address = { q: '00123', marketplace: 'ebay', rule: '7', sort: '-margin', page: '3', size: '25' };
  const state = readListState(address, SPEC);
  expect(state).toEqual({
    q: '00123',
    filters: { marketplace: 'ebay', rule: '7' },
    sort: { by: 'margin', descending: true },
    page: 3,
    size: 25,
  });
  expect(writeListState(state, SPEC)).toEqual(address);
});

test.each([
  [{ marketplace: 'mars' }],
  [{ rule: 'x' }],
  [{ sort: 'colour' }],
  [{ sort: '--sku' }],
  [{ page: '0' }],
  [{ page: '1.5' }],
  [{ size: '33' }],
  [{ panel: 'x' }],
])('%j is ignored, not an error', (search) => {
  expect(readListState(search, SPEC)).toEqual(STANDARD);
});

test('a descending default order can be reversed', () => {
  const spec = { ...SPEC, sort: '-margin' } as const;
  expect(readListState({}, spec).sort).toEqual({ by: 'margin', descending: true });
  const state = readListState({ sort: 'margin' }, spec);
  expect(writeListState(state, spec)).toEqual({ sort: 'margin' });
});

test('a list with a fixed order has no sort parameter', () => {
  const spec = { ...SPEC, sorts: [], sort: '' } as const;
  expect(readListState({ sort: 'sku' }, spec).sort).toBeNull();
  expect(writeListState(readListState({}, spec), spec)).toEqual({});
});

test('a call to the server contains the texts unchanged', () => {
  expect(queryText({ q: 'a&b', page: '2' })).toBe('?q=a%26b&page=2');
  expect(queryText({})).toBe('');
});
