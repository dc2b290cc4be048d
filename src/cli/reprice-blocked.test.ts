import { describe, expect, test } from 'vitest';
import { listings, onlyRow, reprice, rowsOf, SKU_HEADER } from '#tests/support/reprice-scenario.ts';

describe('what blocks a listing and still exits with 0', () => {
  test.each([
    ['a blank cost', { skus: `${SKU_HEADER}\nA-1,Mug,,8,0,0,\n` }, 'Enter the product cost of SKU A-1'],
    ['a cost of 0.00', { skus: `${SKU_HEADER}\nA-1,Mug,0.00,8,0,0,\n` }, 'Enter the product cost of SKU A-1'],
    ['no SKU', { skus: `${SKU_HEADER}\n` }, 'Add SKU A-1'],
    ['no tier', listings('A-1,Mug,14.50,FBM,,'), 'Add a shipping tier for Walmart FBM that covers 8 oz'],
    [
      'no weight',
      { ...listings('A-1,Mug,14.50,FBM,,'), skus: `${SKU_HEADER}\nA-1,Mug,10,,0,0,\n` },
      'Enter the weight of SKU A-1',
    ],
    ['no FBA/WFS fee', listings('A-1,Mug,9.50,FBA/WFS,,0.00'), 'Enter the FBA/WFS fee for SKU A-1'],
    ['a missing part', { bundles: 'listing_sku,component_sku,quantity\nA-1,B-9,2\n' }, 'Add SKU B-9'],
  ] as const)('%s', async (_, changed, fix) => {
    const result = await reprice(changed);
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', newPrice: '', reasonCode: 'unknown_cost' });
    expect(rowsOf(result)[0]?.reason).toContain(fix);
    expect(result.code).toBe(0);
  });

  test('a fee category without a schedule is never the default', async () => {
    const row = await onlyRow(listings('A-1,Mug,14.50,FBM,,0.00,Jewelry', ',feeCategory'));
    expect(row).toMatchObject({ outcome: 'blocked', reasonCode: 'no_fee_schedule' });
  });

  test('a blank current price', async () => {
    const result = await reprice(listings('A-1,Mug,,FBM,,0.00'));
    expect(rowsOf(result)[0]).toMatchObject({
      outcome: 'blocked',
      oldPrice: '',
      reasonCode: 'unreadable_price',
    });
    expect(result.code).toBe(0);
  });
});
