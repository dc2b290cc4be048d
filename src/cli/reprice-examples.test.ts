import { describe, expect, test } from 'vitest';
import {
  FEE_HEADER,
  type Files,
  listings,
  offers,
  onlyRow,
  reprice,
  rules,
  SKU_HEADER,
} from '#tests/support/reprice-scenario.ts';

describe('worked examples', () => {
  const APPAREL: Files = {
    skus: `${SKU_HEADER}\nS-1,Shirt,12.50,8,0,0,\n`,
    fees: `${FEE_HEADER}\nwalmart,Apparel,5,0,0,15.00,whole,\nwalmart,Apparel,10,0,0,20.00,whole,\nwalmart,Apparel,15,0,0,,whole,\n`,
    ...rules('Beat,,All,Beat Competitor,10,0.01,true'),
  };
  const shirt = (price: string): Files => listings(`S-1,Shirt,${price},FBM,,0.00,Apparel`, ',feeCategory');
  const competitor = (price: string): Files =>
    offers(`walmart,S-1,Corner Store,${price},0.00,FBM,true,2026-11-21T11:00:00Z`);

  test.each([
    ['15.90', '15.31', '15.00', 'beaten'],
    // 15.79 would leave less than 15.00, the edge of the band below.
    ['15.90', '15.80', '15.00', 'beaten'],
    ['14.00', '14.00', '14.71', 'beaten'],
    ['17.70', '15.41', '15.63', 'beaten'],
    ['40.00', '15.41', '34.00', 'beaten'],
  ])('apparel at %s against %s is priced at %s', async (price, competitorPrice, expected, reasonCode) => {
    const row = await onlyRow({ ...APPAREL, ...shirt(price), ...competitor(competitorPrice) });
    expect(row).toMatchObject({
      outcome: 'change',
      oldPrice: price,
      newPrice: expected,
      floor: '14.71',
      reasonCode,
    });
  });

  test('apparel at 13.00 without a competitor is repaired', async () => {
    const row = await onlyRow({ ...APPAREL, ...shirt('13.00') });
    expect(row).toMatchObject({ outcome: 'change', newPrice: '14.71', reasonCode: 'repair' });
  });

  test('a cost typo cannot triple a price: a person has to apply it', async () => {
    const row = await onlyRow({ ...APPAREL, ...shirt('12.00') });
    expect(row).toMatchObject({ outcome: 'recommend', newPrice: '14.71' });
  });

  test.each([
    ['walmart', '14.29', '15.04'],
    ['amazon', '14.29', '15.04'],
    ['michaels', '14.29', '15.04'],
    ['ebay', '14.80', '15.03'],
    ['etsy', '13.89', '15.02'],
    ['shopify', '12.59', '15.04'],
  ])('Fixed Margin 15%% on a cost of 10.00 is priced at %s %s', async (marketplace, expected) => {
    const row = await onlyRow(listings(`A-1,Mug,14.00,FBM,,0.00,${marketplace}`, ',marketplace'));
    expect(row).toMatchObject({ marketplace, outcome: 'change', newPrice: expected, floor: expected });
    expect(Number(row.marginAfter)).toBeGreaterThanOrEqual(15);
    expect(Number(row.marginAfter)).toBeLessThan(15.2);
  });

  test('the row of a change, to the byte', async () => {
    const { out, code } = await reprice();
    expect(out).toBe(
      'marketplace,sku,outcome,oldPrice,newPrice,floor,marginBefore,marginAfter,rule,reasonCode,reason,line,situation\n' +
        'walmart,A-1,change,14.50,14.29,14.29,16.03,15.02,Fixed,fixed_margin,The lowest price that keeps your 15% margin.,,\n',
    );
    expect(code).toBe(0);
  });
});
