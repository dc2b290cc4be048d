import { describe, expect, test } from 'vitest';
import {
  FEE_HEADER,
  listings,
  offers,
  onlyRow,
  reprice,
  rowsOf,
  rules,
  SKU_HEADER,
  TIER_HEADER,
} from '#tests/support/reprice-scenario.ts';

const NO_SHIPPING_COST = listings('A-1,Mug,20.00,FBM,,');
const WAREHOUSE = listings('A-1,Mug,20.00,FBA/WFS,,,3.70', ',fulfillmentCost');
const tiers = (...rows: string[]) => ({ tiers: `${TIER_HEADER}\n${rows.join('\n')}\n` });
const fees = (...rows: string[]) => ({ fees: `${FEE_HEADER}\n${rows.join('\n')}\n` });
const bundles = (...rows: string[]) => ({
  bundles: `listing_sku,component_sku,quantity\n${rows.join('\n')}\n`,
});

describe('shipping tiers', () => {
  test.each([
    ['of the marketplace', 'walmart,FBM,0,16,4.00'],
    ['of every marketplace', ',FBM,0,16,4.00'],
    ['that ends at the weight and is the last', 'walmart,FBM,0,8,4.00'],
  ])('one %s adds its cost', async (_, tier) => {
    // 14.00 / (1 - 15% - 15%) = 20.00
    expect(await onlyRow({ ...NO_SHIPPING_COST, ...tiers(tier) })).toMatchObject({ floor: '20.00' });
  });

  test('one that ends at the weight gives way to the next', async () => {
    const changed = { ...NO_SHIPPING_COST, ...tiers(',FBM,0,8,1.00', ',FBM,8,16,4.00') };
    expect(await onlyRow(changed)).toMatchObject({ floor: '20.00' });
  });

  test('one that overlaps another is rejected with both lines', async () => {
    const result = await reprice({
      ...NO_SHIPPING_COST,
      ...tiers(',FBM,0,16,4.00', 'walmart,FBM,15,20,1.00'),
    });
    expect(result.errors).toContain(
      'tiers.csv, line 3, minWeightOz "15": overlaps the tier of line 2 (lines 2 and 3).',
    );
    expect(rowsOf(result)[0]).toMatchObject({ floor: '20.00' });
    expect(result.code).toBe(1);
  });

  test('FBA/WFS needs none', async () => {
    // 13.70 / (1 - 15% - 15%) = 19.58
    expect(await onlyRow(WAREHOUSE)).toMatchObject({ floor: '19.58' });
    expect(await onlyRow({ ...WAREHOUSE, ...tiers(',FBM,0,16,4.00') })).toMatchObject({ floor: '19.58' });
  });

  test('a hazardous SKU has the surcharge of WFS, and no estimate for FBA', async () => {
    const skus = (mark: string) => ({ skus: `${SKU_HEADER},isHazardous\nA-1,Mug,10.00,8,0,0,,${mark}\n` });
    const stored = listings('A-1,Mug,20.00,FBA/WFS,,,walmart', ',marketplace');
    // 13.45 and 13.95 / (1 - 15% - 15%)
    expect(await onlyRow({ ...stored, ...skus('') })).toMatchObject({ floor: '19.22' });
    expect(await onlyRow({ ...stored, ...skus('true') })).toMatchObject({ floor: '19.93' });
    const fba = listings('A-1,Mug,20.00,FBA/WFS,,,amazon', ',marketplace');
    const row = await onlyRow({ ...fba, ...skus('true') });
    expect(row).toMatchObject({ outcome: 'blocked', reasonCode: 'unknown_cost' });
    expect(row.reason).toContain('isHazardous in the SKUs file');
    const unreadable = await reprice({ ...stored, ...skus('a bit') });
    expect(unreadable.errors).toContain('skus.csv, line 2, isHazardous "a bit"');
    expect(rowsOf(unreadable)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unknown_cost' });
  });

  test.each(['walmart,FBA/WFS,0,16,', ',,0,16,1.00', 'walmart,FBA'])(
    'a row for FBA/WFS that cannot be used is not 0.00: %s',
    async (tier) => {
      const result = await reprice({ ...WAREHOUSE, ...tiers(tier) });
      expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unknown_cost' });
    },
  );

  test.each([
    ['walmart,,0,16,4.00', 'fulfillmentType "": is blank.'],
    ['walmart,FBM,,16,4.00', 'minWeightOz "": is blank.'],
    ['walmart,FBM,16,16,4.00', 'maxWeightOz "16": is not above minWeightOz.'],
    ['walmart,FBM,0,heavy,4.00', 'maxWeightOz "heavy": is not a weight.'],
    ['walmart,FBM,0,16,', 'cost "": is blank.'],
    ['walmart,FBM,0', 'has 3 cells where the header has 5.'],
  ])('%s is rejected, and the parcel has no cost', async (tier, complaint) => {
    const result = await reprice({ ...NO_SHIPPING_COST, ...tiers(tier) });
    expect(result.errors).toContain('tiers.csv, line 2');
    expect(result.errors).toContain(complaint);
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unknown_cost' });
    expect(result.code).toBe(1);
  });
});

describe('bundles', () => {
  const PARTS = { skus: `${SKU_HEADER}\nB-1,Cup,3.00,4,0.25,0,\nB-2,Lid,2.00,4,0,0.25,\n` };

  test('cost what their parts cost, times their quantity', async () => {
    // 2 x 3.00 + 2 x 0.25 + 2.00 + 0.25 = 8.75; 8.75 / 0.7 = 12.50
    const row = await onlyRow({ ...PARTS, ...bundles('A-1,B-1,2', 'A-1,B-2,1') });
    expect(row).toMatchObject({ floor: '12.50' });
  });

  test('a part that is a bundle itself has no cost of its own: its SKU is the box', async () => {
    const row = await onlyRow({ ...PARTS, ...bundles('A-1,B-1,2', 'B-1,B-2,12') });
    expect(row).toMatchObject({ outcome: 'blocked', reasonCode: 'unknown_cost' });
    expect(row.reason).toContain('SKU B-1 is itself a bundle');
    // A set of two of one article leaves that an article.
    const ofItself = await onlyRow({ ...PARTS, ...bundles('A-1,B-1,2', 'A-1,B-2,1', 'B-1,B-1,2') });
    expect(ofItself).toMatchObject({ floor: '12.50' });
  });

  test.each([
    ['A-1,B-2,0', 'quantity "0": is not a quantity.'],
    ['A-1,B-2,1.5', 'quantity "1.5": is not a quantity.'],
    ['A-1,B-2,', 'quantity "": is blank.'],
    ['A-1,,1', 'component_sku "": is blank.'],
    ['A-1,B-1,1', 'component_sku "B-1": is already in this bundle on line 2.'],
    ['A-1,B-2', 'has 2 cells where the header has 3.'],
  ])('a part that cannot be read (%s) leaves the cost unknown, never lower', async (row, complaint) => {
    const result = await reprice({ ...PARTS, ...bundles('A-1,B-1,2', row) });
    expect(result.errors).toContain('bundles.csv, line 3');
    expect(result.errors).toContain(complaint);
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'unknown_cost' });
    expect(rowsOf(result)[0]?.reason).toContain('Correct line 3 of bundles.csv.');
    expect(result.code).toBe(1);
  });

  test('a part whose SKU row cannot be read leaves the cost unknown', async () => {
    const skus = `${SKU_HEADER}\nB-1,Cup,3.00,4,0,0,\nB-2,Lid,2.00,4,x,0,\n`;
    const result = await reprice({ skus, ...bundles('A-1,B-1,2', 'A-1,B-2,1') });
    expect(rowsOf(result)[0]?.reason).toContain('Correct line 3 of skus.csv.');
  });
});

describe('fees', () => {
  test('replace the shipped ones of the same marketplace and leave the others', async () => {
    const result = await reprice({
      ...listings('A-1,Mug,14.50,FBM,,0,walmart\nA-1,Mug,14.50,FBM,,0,michaels', ',marketplace'),
      ...fees('walmart,,5,0,0,,,'),
    });
    expect(rowsOf(result).map(({ floor }) => floor)).toEqual(['12.50', '14.29']);
  });

  test('of a category find it without regard to case and spaces', async () => {
    const row = await onlyRow({
      ...listings('A-1,Mug,14.50,FBM,,0, HOME goods', ',feeCategory'),
      ...fees('walmart,Home Goods,5,,,,,'),
    });
    expect(row).toMatchObject({ floor: '12.50' });
  });

  test('hold from their date on', async () => {
    const dated = fees('walmart,,5,0,0,,,2026-11-22', 'walmart,,10,0,0,,,2026-11-01', 'walmart,,20,0,0,,,');
    // 10.00 / (1 - 15% - 10%)
    expect(await onlyRow(dated)).toMatchObject({ floor: '13.34' });
  });

  test('marginal bands take each share from its part', async () => {
    const marginal = fees('walmart,,20,0,0,10.00,marginal,', 'walmart,,10,0.50,0,,marginal,');
    // Fee at 15.34: 2.00 + 10% of 5.34 + 0.50 = 3.034; 15.34 - 10 - 3.034 = 2.306, which is 15.03%.
    expect(await onlyRow(marginal)).toMatchObject({ floor: '15.34' });
  });

  test.each([
    [
      ['walmart,,5,0,0,15.00,whole,'],
      'the schedule of walmart, default cannot be used. Band 1: leave the upper end',
    ],
    [['walmart,,5,0,0,,whole,', 'walmart,,6,0,0,,whole,'], 'only the last band may have no upper end'],
    [
      ['walmart,,5,0,0,15.00,whole,', 'walmart,,6,0,0,,marginal,'],
      'bandKind "marginal": differs from line 2.',
    ],
    [['walmart,,,0,0,,whole,'], 'percent "": is blank.'],
    [['walmart,,105,0,0,,whole,'], 'percent "105": is not a percentage.'],
    [['walmart,,5,0,0,,half,'], 'bandKind "half": is not a known word here. Write one of: whole, marginal.'],
    [['walmart,,5,0,0,,,soon'], 'effectiveFrom "soon": is not a timestamp.'],
    [['walmart,,5,0,0'], 'has 5 cells where the header has 8.'],
  ])('that cannot be used (%j) are unknown, never the shipped ones', async (rows, complaint) => {
    const result = await reprice(fees(...rows));
    expect(result.errors).toContain('fees.csv, line ');
    expect(result.errors).toContain(complaint);
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'blocked', reasonCode: 'no_fee_schedule' });
    expect(result.code).toBe(1);
  });

  test('without a marketplace are rejected', async () => {
    const result = await reprice(fees(',,5,0,0,,,'));
    expect(result.errors).toContain('fees.csv, line 2, marketplace "": is blank.');
    expect(rowsOf(result)[0]).toMatchObject({ floor: '14.29' });
    expect(result.code).toBe(1);
  });
});

describe('sales', () => {
  const HEADER =
    'marketplace,sku,saleDate,quantitySold,unitPrice,totalRevenue,unitCost,totalCost,marketplaceFees,shippingCost';
  const DYNAMIC = rules('D,,All,Dynamic Pricing,15,,true');

  test('give Dynamic Pricing the number of units sold here', async () => {
    const sales = `${HEADER}\nwalmart,A-1,2026-11-01,2,14.50,29.00,10,20,4.35,0\nwalmart,A-1,2026-11-02,1,,,,,,\nebay,A-1,2026-11-02,5,,,,,,\n`;
    const none = offers('walmart,A-1,,,,,,2026-11-21T11:00:00Z');
    expect((await onlyRow({ ...DYNAMIC, ...none, sales })).reason).toContain(
      'Not enough sales yet (3 of 30)',
    );
  });

  test('that cannot be read are named', async () => {
    const result = await reprice({ ...DYNAMIC, sales: `${HEADER}\nwalmart,A-1,soon,0,,,,,,\n` });
    expect(result.errors).toContain('sales.csv, line 2, saleDate "soon": is not a timestamp.');
    expect(result.errors).toContain('sales.csv, line 2, quantitySold "0": is not a quantity.');
    expect(result.code).toBe(1);
  });
});
