import { expect, test } from 'vitest';
import { runCommand } from '#tests/support/memory-io.ts';

const FILES = {
  'skus.csv': 'sku,productCost,weight,packagingCost,miscCost\nA-1,10.00,8,0.00,0.00\nA-2,10.00,8,0.00,0.00\n',
  'tiers.csv': 'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost\n,FBM,0,100,0.00\n',
  'rules.csv': `name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive,refuseCrossChannel
Match,,All,Match Competitor,10,0.00,true,true
`,
  'listings.csv': `sku,currentPrice,fulfillmentType,marketplace,shippingCharge
A-1,20.00,FBM,amazon,0.00
A-1,15.00,FBM,etsy,5.00
A-1,1.00,FBM,etsy,0.00
A-2,20.00,FBM,amazon,0.00
`,
  'offers.csv': `marketplace,sku,seller,price,shipping,fulfillmentType,isFeatured,seenAt
amazon,A-1,Corner Store,21.00,0.00,FBM,false,2026-11-21T12:00:00Z
amazon,A-2,Corner Store,21.00,0.00,FBM,false,2026-11-21T12:00:00Z
`,
} as const;
const args = (...more: string[]) => [
  ...['reprice', '--skus', 'skus.csv', '--rules', 'rules.csv', '--tiers', 'tiers.csv'],
  ...['--offers', 'offers.csv', '--seller', 'My Shop', ...more],
];

test('a price that would leave Amazon higher is only recommended; the first row of a listing counts', async () => {
  const { out, code, errors } = await runCommand(args('--listings', 'listings.csv'), { files: FILES });
  const [, dear, , alone] = out.split('\n');
  expect(dear).toMatch(/^amazon,A-1,recommend,20\.00,21\.00/);
  expect(dear).toContain(
    'The price on Amazon would then be $1.00 higher than on Etsy, which rule Match does not allow',
  );
  expect(alone).toMatch(/^amazon,A-2,change,20\.00,21\.00/);
  // The second Etsy row is rejected once, by the pricing.
  expect(errors.match(/is already a etsy listing on line 3/g)).toHaveLength(1);
  expect(code).toBe(1);
});

test('listings from standard input cannot be read twice, and say so', async () => {
  const files = { ...FILES, '-': FILES['listings.csv'] };
  const { errors, code } = await runCommand(args('--listings', '-'), { files });
  expect(code).toBe(2);
  expect(errors).toContain('and then the listings are read twice');
});

test('without such a rule they are read once', async () => {
  const rules = FILES['rules.csv'].replace(',true,true', ',true,false');
  const files = { ...FILES, 'rules.csv': rules, '-': FILES['listings.csv'] };
  const { out, code } = await runCommand(args('--listings', '-'), { files });
  expect(code).toBe(1);
  expect(out.split('\n')[1]).toMatch(/^amazon,A-1,change,20\.00,21\.00/);
});
