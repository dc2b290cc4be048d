import { describe, expect, test } from 'vitest';
import type { ImportKind } from '#contract/imports.ts';
import { chooseColumns } from './column-choice.ts';

/** The choice for a header, by our names, guesses marked; '?' alone where the user must choose a column. */
function chosen(kind: ImportKind, ...header: string[]): Record<string, string> {
  const file = { kind, header, preview: [], numbers: {}, separator: ',', asked: [] };
  const { mapping, guessed } = chooseColumns(file);
  const named = Object.entries(mapping).map(([name, at]) => {
    const heading = at === null ? '' : header[at];
    return [name, `${heading}${guessed.includes(name) ? '?' : ''}`] as const;
  });
  return Object.fromEntries(named.filter(([, text]) => text !== ''));
}

test('common names are guesses, and our own names are not', () => {
  expect(
    chosen(
      'skus',
      'Item SKU',
      'Item Name',
      'COGS',
      'Ship Weight (lb)',
      'Pack Cost',
      'Vendor',
      'Manufacturer',
    ),
  ).toEqual({
    sku: 'Item SKU?',
    name: 'Item Name?',
    productCost: 'COGS?',
    weight: 'Ship Weight (lb)?',
    packagingCost: 'Pack Cost?',
    supplier: 'Vendor?',
    brand: 'Manufacturer?',
  });
  expect(chosen('skus', 'SKU', 'Product Cost ($)', 'Weight (lb)', 'veeqo_id')).toEqual({
    sku: 'SKU',
    productCost: 'Product Cost ($)',
    weight: 'Weight (lb)',
    veeqoId: 'veeqo_id',
  });
  expect(chosen('offers', 'Site', 'SKU', 'Competitor', 'Price', 'Buy Box', 'Checked At')).toEqual({
    marketplace: 'Site?',
    sku: 'SKU',
    seller: 'Competitor?',
    price: 'Price',
    isFeatured: 'Buy Box?',
    seenAt: 'Checked At?',
  });
});

test('a typo is a guess; an unknown name is ignored; no column is used twice', () => {
  expect(chosen('skus', 'sku', 'prodctCost', 'wieght', 'Cost', 'Shelf')).toEqual({
    sku: 'sku',
    productCost: 'Cost?',
  });
  expect(chosen('skus', 'sku', 'prodctCost')).toEqual({ sku: 'sku', productCost: 'prodctCost?' });
  expect(chosen('listings', 'SKU', 'Price', 'Your Price', 'Title')).toEqual({
    sku: 'SKU',
    title: 'Title',
    currentPrice: 'Your Price?',
  });
});

describe('amounts of others, or of another kind', () => {
  test.each([
    ['skus', 'Old Cost Price', 'productCost'],
    ['skus', 'Previous Unit Cost', 'productCost'],
    ['skus', 'Shipping Cost Per Item', 'productCost'],
    ['skus', 'Not Our Cost', 'productCost'],
    ['skus', 'Supplier Price Total', 'productCost'],
    ['skus', 'Estimated Landed Cost', 'productCost'],
    ['skus', 'Cost Price Currency', 'productCost'],
    ['skus', 'Competitor Unit Cost', 'productCost'],
    ['skus', 'Unit Cost Without Freight', 'productCost'],
    ['listings', 'Was Item Price', 'currentPrice'],
    ['listings', 'Competitor Lowest Price', 'minPrice'],
    ['listings', 'Old Selling Price', 'currentPrice'],
    ['listings', 'Average Selling Price', 'currentPrice'],
    ['listings', 'Item Price incl. Shipping', 'currentPrice', 'shippingCharge'],
    ['listings', 'Suggested Minimum Price', 'minPrice'],
    ['offers', 'Our Item Price', 'price'],
    ['offers', 'Item Price excl. VAT', 'price'],
    ['offers', 'Estimated Shipping Cost', 'shipping'],
    ['tiers', 'Total Shipping Cost', 'cost'],
  ] as const)('%s: %s is not taken, and a person is asked to look', (kind, heading, ...names) => {
    const open = Object.fromEntries(names.map((name) => [name, '?']));
    expect(chosen(kind, 'sku', heading)).toEqual(kind === 'tiers' ? open : { ...open, sku: 'sku' });
  });

  test('no question where another column is used', () => {
    expect(chosen('skus', 'sku', 'productCost', 'Old Cost Price')).toEqual({
      sku: 'sku',
      productCost: 'productCost',
    });
  });

  test.each([
    ['skus', 'productCost', 'Cost per item'],
    ['skus', 'productCost', 'Default Unit Cost'],
    ['skus', 'productCost', 'Purchase Cost'],
    ['skus', 'productCost', 'Supplier Price (USD)'],
    ['skus', 'productCost', 'Last Purchase Price'],
    ['skus', 'productCost', 'Cost/Unit'],
    ['skus', 'productCost', 'Unit Cost (excl. VAT)'],
    ['skus', 'productCost', 'Purchase Price ex VAT'],
    ['skus', 'productCost', 'Total Landed Cost'],
    ['skus', 'productCost', 'Landed Cost incl. Freight'],
    ['skus', 'productCost', 'Average Unit Cost'],
    ['skus', 'miscCost', 'Other Costs'],
    ['listings', 'fulfillmentCost', 'expected-fulfillment-fee-per-unit'],
    ['listings', 'currentPrice', 'your-price'],
    ['listings', 'currentPrice', 'Variant Item Price'],
    ['listings', 'minPrice', 'minimum-seller-allowed-price'],
    ['listings', 'maxPrice', 'maximum-seller-allowed-price'],
    ['listings', 'minPrice', 'Lowest Price'],
    ['listings', 'shippingCharge', 'Shipping Price'],
    ['listings', 'fulfillmentCost', 'FBA Fees'],
    ['offers', 'price', 'Competitor Item Price'],
    ['offers', 'shipping', 'Shipping Fee'],
    ['tiers', 'cost', 'Shipping Cost'],
    ['fees', 'minimum', 'Minimum Fee'],
  ] as const)('%s: %s from %s', (kind, name, heading) => {
    expect(chosen(kind, heading)).toEqual({ [name]: `${heading}?` });
  });
});
