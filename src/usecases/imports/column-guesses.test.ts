import { describe, expect, test } from 'vitest';
import type { ImportKind } from '#contract/imports.ts';
import { chooseColumns } from './column-choice.ts';

/** What is chosen for a header, by our names, guesses marked. */
function chosen(kind: ImportKind, ...header: string[]): Record<string, string> {
  const file = { kind, header, preview: [], numbers: {}, separator: ',', asked: [] };
  const { mapping, guessed } = chooseColumns(file);
  const taken = Object.entries(mapping).flatMap(([name, at]) => (at === null ? [] : [[name, at] as const]));
  return Object.fromEntries(
    taken.map(([name, at]) => [name, `${header[at]}${guessed.includes(name) ? '?' : ''}`]),
  );
}

test('names that sellers use are guessed, and our own names are not', () => {
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
    ...{ sku: 'Item SKU?', name: 'Item Name?', productCost: 'COGS?', weight: 'Ship Weight (lb)?' },
    ...{ packagingCost: 'Pack Cost?', supplier: 'Vendor?', brand: 'Manufacturer?' },
  });
  expect(chosen('skus', 'SKU', 'Product Cost ($)', 'Weight (lb)', 'veeqo_id')).toEqual({
    ...{ sku: 'SKU', productCost: 'Product Cost ($)', weight: 'Weight (lb)', veeqoId: 'veeqo_id' },
  });
  expect(chosen('offers', 'Site', 'SKU', 'Competitor', 'Price', 'Buy Box', 'Checked At')).toEqual({
    ...{ marketplace: 'Site?', sku: 'SKU', seller: 'Competitor?', price: 'Price' },
    ...{ isFeatured: 'Buy Box?', seenAt: 'Checked At?' },
  });
});

test('a slip of the hand is a guess; what is like nothing stays out; no column is taken twice', () => {
  expect(chosen('skus', 'sku', 'prodctCost', 'wieght', 'Cost', 'Shelf')).toEqual({
    ...{ sku: 'sku', productCost: 'Cost?' },
  });
  expect(chosen('skus', 'sku', 'prodctCost')).toEqual({ sku: 'sku', productCost: 'prodctCost?' });
  expect(chosen('listings', 'SKU', 'Price', 'Your Price', 'Title')).toEqual({
    ...{ sku: 'SKU', title: 'Title', currentPrice: 'Your Price?' },
  });
});

describe('money that is not ours, or not the money meant', () => {
  test.each([
    ['skus', 'Old Cost Price'],
    ['skus', 'Previous Unit Cost'],
    ['skus', 'Shipping Cost Per Item'],
    ['skus', 'Not Our Cost'],
    ['skus', 'Supplier Price Total'],
    ['skus', 'Estimated Landed Cost'],
    ['skus', 'Cost Price Currency'],
    ['skus', 'Competitor Unit Cost'],
    ['listings', 'Was Item Price'],
    ['listings', 'Competitor Lowest Price'],
    ['listings', 'Old Selling Price'],
    ['listings', 'Average Selling Price'],
    ['listings', 'Item Price incl. Shipping'],
    ['listings', 'Suggested Minimum Price'],
    ['offers', 'Our Item Price'],
    ['offers', 'Estimated Shipping Cost'],
    ['tiers', 'Total Shipping Cost'],
  ] as const)('%s: %s is no guess', (kind, heading) => {
    expect(chosen(kind, 'sku', heading)).toEqual(kind === 'tiers' ? {} : { sku: 'sku' });
  });

  test.each([
    ['skus', 'productCost', 'Cost per item'],
    ['skus', 'productCost', 'Default Unit Cost'],
    ['skus', 'productCost', 'Purchase Cost'],
    ['skus', 'productCost', 'Supplier Price (USD)'],
    ['skus', 'productCost', 'Last Purchase Price'],
    ['skus', 'miscCost', 'Other Costs'],
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
