import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalFromCents } from '#domain/decimal.ts';
import { cents } from '#domain/units.ts';
import {
  addPart,
  type Draft,
  draftOf,
  isSameDraft,
  quantityOf,
  removePart,
  type SkuOption,
  setQuantity,
  totalsOf,
} from './draft.ts';

const MUG: SkuOption = {
  id: '1',
  sku: 'MUG',
  name: 'Mug',
  productCost: '10.00',
  weightOz: 8,
  packagingCost: '0.50',
  miscCost: '0.10',
};
const PLATE: SkuOption = { ...MUG, id: '2', sku: 'PLATE', productCost: '4.00', weightOz: 5.3 };

test('the draft starts with the stored components', () => {
  const row = { ...PLATE, id: '77', listingSku: 'SET-1', componentSkuId: '2', quantity: 3, isDeleted: false };
  expect(draftOf([row])).toEqual(addPart([], PLATE, 3));
});

test('adding a SKU again increases its quantity and keeps its position', () => {
  const draft = addPart(addPart(addPart([], MUG, 2), PLATE, 1), MUG, 3);
  expect(draft.map(({ sku, quantity }) => `${quantity} x ${sku}`)).toEqual(['5 x MUG', '1 x PLATE']);
});

test.each([
  ['1', 1],
  ['12', 12],
  [' 7 ', 7],
  ['1,200', 1200],
  ['', 1],
  ['two', 1],
  ['0', 1],
  ['-4', 1],
  ['2.9', 2],
  ['NaN', 1],
  ['1e99', 999_999_999],
])('the quantity "%s" counts as %i', (text, quantity) => expect(quantityOf(text)).toBe(quantity));

describe('the totals', () => {
  test('are product, packaging and misc, and the weight', () => {
    const draft = addPart(addPart([], MUG, 2), PLATE, 3);
    // 2 x 10.60 + 3 x 4.60; 2 x 8 + 3 x 5.3
    expect(totalsOf(draft, null)).toEqual({
      cost: cents(3500),
      weight: 31.9,
      withoutCost: [],
      withoutWeight: [],
      deleted: [],
      bundles: [],
    });
  });

  test('use the packaging cost of the box instead of that of the parts', () => {
    const box = { productCost: null, weightOz: null, packagingCost: '1.25', miscCost: '9.00' };
    expect(totalsOf(addPart([], MUG, 2), box).cost).toBe(cents(2145));
  });

  test('are unknown with an unknown part, and name it', () => {
    const blank: SkuOption = { ...MUG, id: '3', sku: 'BLANK', productCost: null, weightOz: null };
    const free: SkuOption = { ...MUG, id: '4', sku: 'FREE', productCost: '0.00' };
    const draft = addPart(addPart(addPart([], MUG, 1), blank, 1), free, 1);
    expect(totalsOf(draft, null)).toMatchObject({
      cost: null,
      weight: null,
      withoutCost: ['BLANK', 'FREE'],
      withoutWeight: ['BLANK'],
    });
  });

  test('are unknown with a deleted SKU', () => {
    const draft = addPart([], MUG, 1).map((part) => ({ ...part, isDeleted: true }));
    expect(totalsOf(draft, null)).toMatchObject({ cost: null, weight: null, deleted: ['MUG'] });
  });

  test('are unknown with a bundle inside, even with a known box cost', () => {
    const draft = addPart(addPart([], MUG, 1), { ...PLATE, weightOz: null }, 2);
    expect(totalsOf(draft, null, ['PLATE'])).toMatchObject({
      cost: null,
      weight: null,
      withoutCost: [],
      withoutWeight: [],
      bundles: ['PLATE'],
    });
  });

  test('are unknown above the maximum amount', () => {
    expect(totalsOf(addPart([], MUG, 999_999_999), null).cost).toBeNull();
  });
});

const amount = (least: number) =>
  fc.integer({ min: least, max: 500_000 }).map((n) => decimalFromCents(cents(n)));
const anySku = fc.record({
  id: fc.integer({ min: 1, max: 6 }).map(String),
  productCost: amount(1),
  weightOz: fc.integer({ min: 1, max: 9_999 }).map((tenths) => tenths / 10),
  packagingCost: amount(0),
  miscCost: amount(0),
});
/** SKUs added one after the other; equal ids are the same SKU. */
const additions = fc
  .array(fc.tuple(anySku, fc.integer({ min: 1, max: 50 })), { maxLength: 20 })
  .map((drawn) => {
    const first = new Map<string, SkuOption>();
    return drawn.map(([sku, quantity]): [SkuOption, number] => {
      const known = first.get(sku.id) ?? { ...sku, sku: `S-${sku.id}`, name: `SKU ${sku.id}` };
      first.set(sku.id, known);
      return [known, quantity];
    });
  });
const built = (steps: readonly [SkuOption, number][]): Draft =>
  steps.reduce<Draft>((draft, [sku, quantity]) => addPart(draft, sku, quantity), []);
const hundredths = (money: string | null): bigint => BigInt((money ?? '').replace('.', ''));

describe('properties', () => {
  test('cost and weight of a draft are the sum of all added SKUs, to the cent and the tenth of an ounce', () => {
    fc.assert(
      fc.property(additions, (steps) => {
        const { cost, weight } = totalsOf(built(steps), null);
        let sum = 0n;
        let tenths = 0n;
        for (const [sku, quantity] of steps) {
          const each = hundredths(sku.productCost) + hundredths(sku.packagingCost) + hundredths(sku.miscCost);
          sum += BigInt(quantity) * each;
          tenths += BigInt(quantity) * BigInt(Math.round((sku.weightOz ?? 0) * 10));
        }
        expect(BigInt(cost ?? -1)).toBe(sum);
        expect(Math.round((weight ?? -1) * 10)).toBe(Number(tenths));
      }),
    );
  });

  test('every SKU occurs once, every quantity is at least 1, and the order of adding does not matter', () => {
    fc.assert(
      fc.property(additions, (steps) => {
        const draft = built(steps);
        expect(new Set(draft.map(({ id }) => id)).size).toBe(draft.length);
        expect(draft.every(({ quantity }) => Number.isInteger(quantity) && quantity >= 1)).toBe(true);
        expect(isSameDraft(draft, built([...steps].reverse()))).toBe(true);
        expect(totalsOf(draft, null)).toEqual(totalsOf(built([...steps].reverse()), null));
      }),
    );
  });

  test('adding and removing restores the draft', () => {
    fc.assert(
      fc.property(additions, fc.integer({ min: 2, max: 9 }), (steps, quantity) => {
        const before = built(steps);
        const more: SkuOption = { ...MUG, id: '99' };
        const after = addPart(before, more, 1);
        expect(isSameDraft(before, after)).toBe(false);
        expect(isSameDraft(after, setQuantity(after, '99', quantity))).toBe(false);
        expect(removePart(after, '99')).toEqual(before);
      }),
    );
  });
});
