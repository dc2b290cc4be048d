import { expect, test } from 'vitest';
import { z } from 'zod';
import { isUnreadable, NAMELESS, readableOf, tolerant } from './passed-over.ts';

const Row = z.object({
  sku: z.string().nullish(),
  offers: z.array(z.object({ price: z.number() })).nullish(),
});
const Rows = z.array(tolerant(Row, 'sku', 'item.id'));

test('a row that does not fit is named with its member and value, and the others are taken', () => {
  const rows = Rows.parse([
    { sku: 'A-1', offers: [{ price: 5 }] },
    { sku: 'A-2', offers: [{ price: 1 }, { price: 'USD 5' }] },
    { sku: 'A-3', more: true },
  ]);
  expect(rows).toEqual([
    { sku: 'A-1', offers: [{ price: 5 }] },
    { kind: 'passed_over', what: 'A-2', why: 'unreadable', member: 'offers.price', value: 'USD 5' },
    { sku: 'A-3' },
  ]);
  expect(readableOf(rows)).toHaveLength(2);
});

test.each<[string, unknown, { what: string; member: string; value: string }]>([
  ['another member', { item: { id: 7 }, sku: 5 }, { what: '5', member: 'sku', value: '5' }],
  ['a nested member', { item: { id: 7 }, offers: 'x' }, { what: '7', member: 'offers', value: 'x' }],
  ['nothing', { offers: 'x' }, { what: NAMELESS, member: 'offers', value: 'x' }],
])('a row is identified by %s', (_, row, expected) => {
  expect(Rows.parse([row])).toEqual([{ kind: 'passed_over', why: 'unreadable', ...expected }]);
});

test.each<[string, unknown, string, string]>([
  ['null', null, 'row', 'null'],
  ['a text', 'oops', 'row', 'oops'],
  ['a long value', { sku: 'x', offers: 'y'.repeat(500) }, 'offers', 'y'.repeat(80)],
  ['a value that PostgreSQL does not store', { sku: 'x', offers: 'a\0b' }, 'offers', 'ab'],
  ['an object', { sku: 'x', offers: { a: 1 } }, 'offers', '{"a":1}'],
])('%s in place of a row or member is shown as it came', (_, row, member, value) => {
  const [read] = Rows.parse([row]);
  expect(read).toMatchObject({ member, value });
  expect(read !== undefined && isUnreadable(read)).toBe(true);
});
