import { describe, expect, test } from 'vitest';
import { type Files, listings, reprice, rowsOf, SKU_HEADER } from '#tests/support/reprice-scenario.ts';

describe('rows that cannot be read are named, the others are priced', () => {
  const TWO_LISTINGS = listings('A-1,Mug,14.50,FBM,,0.00\nB-2,Cup,14.50,FBM,,0.00');
  const twoSkus = (second: string): Files => ({ skus: `${SKU_HEADER}\nA-1,Mug,10.00,8,0,0,\n${second}\n` });

  test.each([
    ['1e3', 'is not an amount. Write dollars and cents with a point, such as 19.99 or 1,299.00.'],
    ['"12,99"', 'is not an amount. Write the cents after a point: 12.99.'],
    ['"1.299,00"', 'is not an amount. Write the cents after a point: 1299.00.'],
    ['1.999', 'has more than two decimals. Round it to whole cents.'],
    ['-5', 'is negative. Write an amount of 0.00 or more.'],
    ['ten', 'is not an amount. Write dollars and cents with a point, such as 19.99 or 1,299.00.'],
    ['123456789.00', 'is too large. The largest amount is 99,999,999.99.'],
  ])('a cost of %s', async (cost, complaint) => {
    const result = await reprice({ ...TWO_LISTINGS, ...twoSkus(`B-2,Cup,${cost},8,0,0,`) });
    const value = JSON.stringify(cost.replaceAll('"', ''));
    expect(result.errors).toContain(`skus.csv, line 3, productCost ${value}: ${complaint}\n`);
    expect(rowsOf(result)).toMatchObject([
      { sku: 'A-1', outcome: 'change', newPrice: '14.29' },
      { sku: 'B-2', outcome: 'blocked', reasonCode: 'unknown_cost' },
    ]);
    expect(rowsOf(result)[1]?.reason).toBe('The total cost is unknown. Correct line 3 of skus.csv.');
    expect(result.code).toBe(1);
  });

  test.each([
    ['short', 'B-2,Cup', 'skus.csv, line 3: has 2 cells where the header has 7. Add the missing cells.'],
    ['long', 'B-2,Cup,1,299.00,8,0,0,', 'skus.csv, line 3: has 8 cells where the header has 7. Put a cell'],
    [
      'with a stray quote',
      'B-2,5" cup,10,8,0,0,',
      'skus.csv, line 3, name: has a quote in the middle of a cell.',
    ],
  ])('a SKU row that is %s', async (_, row, complaint) => {
    const result = await reprice({ ...TWO_LISTINGS, ...twoSkus(row) });
    expect(result.errors).toContain(complaint);
    expect(rowsOf(result)[1]).toMatchObject({ sku: 'B-2', outcome: 'blocked', reasonCode: 'unknown_cost' });
    expect(result.code).toBe(1);
  });

  test.each([
    ['12 oz', 'Write ounces alone: 12.'],
    ['"14,5"', 'Write ounces alone: 14.5.'],
    ['"1,299"', 'Write ounces with a point, such as 12 or 12.5.'],
    ['2 lb', 'Write ounces with a point, such as 12 or 12.5.'],
  ])('a weight of %s is refused with what to write', async (weight, fix) => {
    const result = await reprice({ ...TWO_LISTINGS, ...twoSkus(`B-2,Cup,1.00,${weight},0,0,`) });
    expect(result.errors).toContain(`is not a weight. ${fix}`);
  });

  test('a SKU without a code, and a second row of one', async () => {
    const result = await reprice(twoSkus(',Cup,1,8,0,0,\nA-1,Mug,1.00,8,0,0,'));
    expect(result.errors).toContain('skus.csv, line 3, sku "": is blank.');
    expect(result.errors).toContain('skus.csv, line 4, sku "A-1": is already the SKU of line 2.');
    expect(rowsOf(result)[0]).toMatchObject({ outcome: 'change', floor: '14.29' });
    expect(result.code).toBe(1);
  });

  test('a listing with an unreadable price appears as blocked', async () => {
    const result = await reprice(listings('A-1,Mug,"12,99",FBM,,0.00'));
    expect(rowsOf(result)).toMatchObject([
      { outcome: 'blocked', oldPrice: '', reasonCode: 'unreadable_price' },
    ]);
    expect(rowsOf(result)[0]?.reason).toContain('Correct line 2, currentPrice "12,99": it is not an amount.');
    expect(result.code).toBe(1);
  });

  test.each([
    ['minPrice', 'A-1,Mug,14.50,FBM,,0.00,abc', ',minPrice', 'minPrice "abc": it is not an amount'],
    ['maxPrice', 'A-1,Mug,14.50,FBM,,0.00,0.00', ',maxPrice', 'maxPrice "0.00": it is not a price'],
    ['shippingCost', 'A-1,Mug,14.50,FBM,,-1', '', 'shippingCost "-1": it is negative'],
    [
      'shippingCharge',
      'A-1,Mug,14.50,FBM,,0,1.234',
      ',shippingCharge',
      'shippingCharge "1.234": it has more than',
    ],
    [
      'fulfillmentCost',
      'A-1,Mug,14.50,FBM,,0,x',
      ',fulfillmentCost',
      'fulfillmentCost "x": it is not an amount',
    ],
    ['fulfillmentType', 'A-1,Mug,14.50,Drone,,0', '', 'fulfillmentType "Drone": it is not a known word here'],
    ['a blank fulfillmentType', 'A-1,Mug,14.50,,,0', '', 'fulfillmentType "": it is blank'],
    [
      'the switch',
      'A-1,Mug,14.50,FBM,,0,maybe',
      ',autoRepricingEnabled',
      'autoRepricingEnabled "maybe": it is neither',
    ],
    [
      'the rule',
      'A-1,Mug,14.50,FBM,,0,Fixd',
      ',rule',
      'rule "Fixd": it is not the name of a rule. Write one of: "Fixed".',
    ],
  ])('a listing with an unreadable cell: %s', async (_, cells, columns, fix) => {
    const result = await reprice(listings(cells, columns));
    expect(rowsOf(result)).toMatchObject([
      { outcome: 'blocked', newPrice: '', reasonCode: 'unreadable_facts' },
    ]);
    expect(rowsOf(result)[0]?.reason).toContain(`Correct line 2, ${fix}`);
    expect(result.errors).toContain('listings.csv, line 2, ');
    expect(result.code).toBe(1);
  });

  test('a minimum price above the maximum price', async () => {
    const result = await reprice(listings('A-1,Mug,14.50,FBM,,0,20,15', ',minPrice,maxPrice'));
    expect(rowsOf(result)).toMatchObject([{ outcome: 'blocked', reasonCode: 'minimum_above_maximum' }]);
    expect(result.errors).toContain('listings.csv, line 2, minPrice "20": is above maxPrice.');
    expect(result.code).toBe(1);
  });

  test.each([
    [
      'a second row of a listing',
      'A-1,Cup,9.00,FBM,,0.00,walmart',
      'sku "A-1": is already a walmart listing on line 2.',
    ],
    [
      'an unknown marketplace',
      'B-2,Cup,9.00,FBM,,0.00,target',
      'marketplace "target": is not a known word here.',
    ],
    ['a blank SKU', ',Cup,9.00,FBM,,0.00,walmart', 'sku "": is blank.'],
    ['a short row', 'B-2,Cup', 'has 2 cells where the header has 7.'],
  ])('%s has no row in the output', async (_, row, complaint) => {
    const result = await reprice(listings(`A-1,Mug,14.50,FBM,,0.00,\n${row}`, ',marketplace'));
    expect(rowsOf(result).map(({ sku }) => sku)).toEqual(['A-1']);
    expect(result.errors).toContain('listings.csv, line 3');
    expect(result.errors).toContain(complaint);
    expect(result.code).toBe(1);
  });

  test('one SKU on two marketplaces is two listings', async () => {
    const result = await reprice(
      listings('A-1,Mug,14.50,FBM,,0,walmart\nA-1,Mug,14.50,FBM,,0,ebay', ',marketplace'),
    );
    expect(rowsOf(result).map(({ marketplace }) => marketplace)).toEqual(['walmart', 'ebay']);
    expect(result.code).toBe(0);
  });

  test('a value never reaches the terminal raw', async () => {
    const result = await reprice(listings('A-1,Mug,\u001b[31m9,FBM,,0'));
    expect(result.errors).toContain('\\u001b[31m9');
    expect(result.errors).not.toContain('\u001b');
  });
});
