import { describe, expect, test } from 'vitest';
import type { Sku } from '#contract/skus.ts';
import { EMPTY_SKU, readNewSku, readSkuEdit, textsOf } from './sku-form.ts';

const TYPED = { ...EMPTY_SKU, sku: ' A-1 ', name: 'Mug', productCost: '$1,004.2', weightOz: '12.5' };

describe('a new SKU', () => {
  test("is converted to the API's form", () => {
    expect(
      readNewSku({ ...TYPED, veeqoId: ' V-1 ', brand: ' Acme ', tags: 'blue, , kitchen,blue' }).form,
    ).toEqual({
      sku: 'A-1',
      name: 'Mug',
      productCost: '1004.20',
      weightOz: 12.5,
      lengthIn: null,
      widthIn: null,
      heightIn: null,
      isHazardous: false,
      packagingCost: '0.00',
      miscCost: '0.00',
      veeqoId: 'V-1',
      tags: ['blue', 'kitchen'],
      brand: 'Acme',
      supplier: null,
    });
  });

  test('needs code, name, cost and weight', () => {
    const { form, errors, isMissing } = readNewSku({ ...EMPTY_SKU, packagingCost: '' });
    expect({ form, isMissing }).toEqual({ form: null, isMissing: true });
    expect(Object.keys(errors)).toEqual(['sku', 'name', 'productCost', 'weightOz']);
  });

  test.each([
    ['productCost', '1.005'],
    ['productCost', '-1'],
    ['packagingCost', '12,5O'],
    ['packagingCost', '0.005'],
    ['miscCost', '0.001'],
    ['weightOz', '12.55555'],
    ['weightOz', '-0'],
    ['miscCost', '-0'],
    ['weightOz', '-1'],
    ['weightOz', '1000001'],
    ['lengthIn', '12 cm'],
    ['widthIn', '10001'],
    ['heightIn', '0.00001'],
    ['tags', 'a|b'],
    ['supplier', 'a|b'],
  ])('an invalid %s of %s is marked', (field, text) => {
    const { form, errors, isMissing } = readNewSku({ ...TYPED, [field]: text });
    expect({ form, isMissing }).toEqual({ form: null, isMissing: false });
    expect(Object.keys(errors)).toEqual([field]);
  });
});

test.each([
  ['productCost', '0.01', '0.01'],
  ['packagingCost', '0.01', '0.01'],
  ['miscCost', '12.3', '12.30'],
  ['weightOz', '0.1', 0.1],
  ['weightOz', '12.5555', 12.5555],
])('a new SKU accepts the %s %s', (field, text, value) => {
  expect(readNewSku({ ...TYPED, [field]: text }).form).toMatchObject({ [field]: value });
});

describe('an edited SKU', () => {
  const stored: Sku = {
    id: '1',
    sku: 'MUG-1',
    name: 'Blue mug',
    productCost: '4.20',
    weightOz: 16.35,
    lengthIn: null,
    widthIn: null,
    heightIn: null,
    isHazardous: false,
    packagingCost: '0.35',
    miscCost: '0.00',
    veeqoId: null,
    tags: ['blue'],
    version: 3,
    brand: 'Acme',
    supplier: null,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
  };

  test('has no changes while nothing differs, with any number of decimals in the stored value', () => {
    expect(readSkuEdit(textsOf(stored), stored)).toEqual({ changed: {}, costs: null, errors: {} });
  });

  test('has the changed fields, and those that affect costs', () => {
    const texts = { ...textsOf(stored), name: 'Cup', brand: '', productCost: '5', weightOz: '' };
    expect(readSkuEdit(texts, stored)).toMatchObject({
      changed: { name: 'Cup', brand: null, productCost: '5.00', weightOz: null },
      costs: { productCost: '5.00', weightOz: null },
    });
  });

  test('affects costs when it is marked as hazardous, or no longer', () => {
    const marked = { ...stored, isHazardous: true };
    expect(readSkuEdit(textsOf(marked), stored).costs).toEqual({ isHazardous: true });
    expect(readSkuEdit(textsOf(stored), marked).costs).toEqual({ isHazardous: false });
  });

  test('needs a name', () => {
    expect(readSkuEdit({ ...textsOf(stored), name: ' ' }, stored)).toMatchObject({ changed: null });
  });
});
