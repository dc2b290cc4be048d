import { expect, test } from 'vitest';
import { listings, reprice, rowsOf, SKU_HEADER } from '#tests/support/reprice-scenario.ts';

test.each(['=1+1', '+44', '-5', '@SUM(A1)'])(
  'a code that looks like a formula is written as it is: %s',
  async (code) => {
    const skus = `${SKU_HEADER}\n${code},Mug,10.00,8,0.00,0.00,\n`;
    const result = await reprice({ ...listings(`${code},Mug,14.50,FBM,,0.00`), skus });
    expect(rowsOf(result)).toMatchObject([{ sku: code, outcome: 'change', newPrice: '14.29' }]);
    expect(result.out).toContain(`\nwalmart,${code},change,`);
  },
);
