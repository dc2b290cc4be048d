import { expect, test } from 'vitest';
import { cents } from '#domain/units.ts';
import { reconcileSale, type SaleToReconcile } from './reconcile-sale.ts';
import type { SalePart } from './settle-sale.ts';

const part = (kind: SalePart['kind'], estimated: number | null, reported: number | null): SalePart => ({
  kind,
  estimated: estimated === null ? null : cents(estimated),
  told: reported === null ? null : cents(reported),
});

const reconcile = (
  parts: readonly SalePart[],
  state: SaleToReconcile['state'],
  over: Partial<SaleToReconcile> = {},
) =>
  reconcileSale({
    marketplace: 'amazon',
    quantity: 1,
    state,
    parts,
    feesEstimated: cents(1),
    feesTold: null,
    ...over,
  });

test('example 21: a fee reported within a cent matches, and one more than a cent off differs', () => {
  const parts = [
    part('commission', -850, -849),
    part('fulfillment', -818, -810),
    part('principal', null, 4_998),
  ];
  const { sale, kinds } = reconcile(parts, 'told');
  expect(sale).toBe('differs');
  expect([...kinds]).toEqual([
    ['commission', 'matching'],
    ['fulfillment', 'differs'],
  ]);
  expect(reconcile(parts.slice(0, 1), 'told').sale).toBe('matching');
});

test('a sale waits while it is not reported; then a fee that was not reported was not charged', () => {
  const parts = [part('commission', -850, -850), part('closing', -180, null), part('per_order', 0, null)];
  expect(reconcile(parts, 'partly_told').sale).toBe('waiting');
  expect(reconcile(parts, 'partly_told').kinds.get('closing')).toBe('waiting');
  const { sale, kinds } = reconcile(parts, 'told');
  expect([sale, kinds.get('closing'), kinds.get('per_order')]).toEqual(['differs', 'differs', 'matching']);
});

test('nothing is compared without an estimate', () => {
  const { sale, kinds } = reconcile([part('commission', null, -300)], 'told');
  expect([sale, kinds.size]).toEqual([null, 0]);
});

test('of several units a fee waits that is reported for some, and of one that is not all', () => {
  const parts = [
    part('commission', -600, -300),
    part('fulfillment', -800, -801),
    part('closing', -180, -100),
  ];
  const { sale, kinds } = reconcile(parts, 'partly_told', { quantity: 2 });
  expect([sale, ...kinds.values()]).toEqual(['waiting', 'waiting', 'matching', 'waiting']);
  expect(reconcile(parts, 'partly_told').kinds.get('commission')).toBe('differs');
});

test('fees reported as one amount are held against the sum of the estimates, and of no kind', () => {
  const parts = [part('commission', -272, null), part('per_order', -40, null)];
  const of = (feesTold: number, over: Partial<SaleToReconcile> = {}) =>
    reconcile(parts, 'told', {
      marketplace: 'ebay',
      feesEstimated: cents(312),
      feesTold: cents(feesTold),
      ...over,
    });
  expect([of(333).sale, of(333).kinds.size]).toEqual(['differs', 0]);
  expect(of(313).sale).toBe('matching');
  expect(of(312, { state: 'partly_told' }).sale).toBe('waiting');
  expect(of(312, { feesEstimated: null }).sale).toBeNull();
  // Another marketplace ships it, for a fee that eBay does not know.
  const shipped = [...parts, part('fulfillment', -500, -500)];
  expect(of(312, { parts: shipped }).sale).toBe('matching');
  expect(of(812, { parts: shipped, marketplace: 'amazon' }).sale).toBe('matching');
  // Booked since: kind by kind.
  const booked = [part('commission', -272, -293), part('per_order', -40, -40)];
  expect([...of(333, { parts: booked }).kinds.values()]).toEqual(['differs', 'matching']);
});
