import { expect, test } from 'vitest';
import { DoubleColumn, NullableColumn, NumberColumn } from './columns.ts';

test('numbers are 0 until set, and rows far apart take only their own pages', () => {
  const column = new NumberColumn();
  expect(column.get(5_000_000)).toBe(0);
  column.set(5_000_000, 4_294_967_295);
  column.set(3, 7);
  expect([column.get(3), column.get(4), column.get(5_000_000)]).toEqual([7, 0, 4_294_967_295]);
  expect(column.byteLength).toBe(2 * 32_768 * 4);
});

test.each([0, 1, 4_294_967_293, 4_294_967_294, 4_294_967_295, 9_999_999_999])('%i is not lost', (value) => {
  const column = new NullableColumn();
  expect(column.get(0)).toBeNull();
  column.set(0, value);
  expect(column.get(0)).toBe(value);
  column.set(0, null);
  expect(column.get(0)).toBeNull();
});

test('doubles are null until set', () => {
  const column = new DoubleColumn();
  column.set(40_000, 12.5);
  column.set(40_001, null);
  expect([column.get(0), column.get(40_000), column.get(40_001)]).toEqual([null, 12.5, null]);
});
