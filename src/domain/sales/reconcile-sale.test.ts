import { expect, test } from 'vitest';
import { cents } from '#domain/units.ts';
import { reconcileSale } from './reconcile-sale.ts';
import type { SalePart } from './settle-sale.ts';

const part = (kind: SalePart['kind'], estimated: number | null, told: number | null): SalePart => ({
  kind,
  estimated: estimated === null ? null : cents(estimated),
  told: told === null ? null : cents(told),
});

test('example 21: a fee told within a cent matches, and one more than a cent off differs', () => {
  const parts = [
    part('commission', -850, -849),
    part('fulfillment', -818, -810),
    part('principal', null, 4_998),
  ];
  const { sale, kinds } = reconcileSale(parts, 'told');
  expect(sale).toBe('differs');
  expect([...kinds]).toEqual([
    ['commission', 'matching'],
    ['fulfillment', 'differs'],
  ]);
  expect(reconcileSale(parts.slice(0, 1), 'told').sale).toBe('matching');
});

test('a sale waits while it is not told; then a fee that was not told was not charged', () => {
  const parts = [part('commission', -850, -850), part('closing', -180, null), part('per_order', 0, null)];
  expect(reconcileSale(parts, 'partly_told').sale).toBe('waiting');
  expect(reconcileSale(parts, 'partly_told').kinds.get('closing')).toBe('waiting');
  const { sale, kinds } = reconcileSale(parts, 'told');
  expect([sale, kinds.get('closing'), kinds.get('per_order')]).toEqual(['differs', 'differs', 'matching']);
});

test('nothing is compared without an estimate', () => {
  const { sale, kinds } = reconcileSale([part('commission', null, -300)], 'told');
  expect([sale, kinds.size]).toEqual([null, 0]);
});
