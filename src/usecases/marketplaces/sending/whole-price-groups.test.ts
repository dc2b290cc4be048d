import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wholePriceGroups } from './whole-price-groups.ts';

const alone = (id: number) => ({ id, groupOrder: null, groupSize: null });
const member = (id: number, groupOrder: string, groupSize: number) => ({ id, groupOrder, groupSize });
const idsOf = (parts: readonly { readonly id: number }[]) => parts.map(({ id }) => id);

describe('whole orders', () => {
  test('keep the members of a group together, where the first of them is', () => {
    const parts = [alone(1), member(2, 'a', 2), alone(3), member(4, 'a', 2)];
    expect(idsOf(wholePriceGroups(parts))).toEqual([1, 2, 4, 3]);
  });

  test('are not cut by the limit, and leave out a group with a missing member', () => {
    const parts = [member(1, 'a', 3), member(2, 'b', 2), member(3, 'b', 2), alone(4), member(5, 'a', 3)];
    expect(idsOf(wholePriceGroups(parts, 1))).toEqual([2, 3]);
  });

  test('are at most the limit and one group more, in the given order, no group in parts', () => {
    const part = fc.record({
      order: fc.option(fc.constantFrom('a', 'b', 'c')),
      size: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(part), fc.integer({ min: 0, max: 10 }), (drawn, limit) => {
        const sizes = new Map(drawn.map(({ order, size }) => [order, size]));
        const parts = drawn.map(({ order }, id) =>
          order === null ? alone(id) : member(id, order, sizes.get(order) ?? 1),
        );
        const whole = wholePriceGroups(parts, limit);
        for (const { groupOrder, groupSize } of whole) {
          if (groupOrder === null) continue;
          expect(whole.filter((one) => one.groupOrder === groupOrder)).toHaveLength(groupSize ?? 0);
        }
        expect(new Set(whole).size).toBe(whole.length);
        expect(whole.length).toBeLessThan(limit + 4);
      }),
    );
  });
});
