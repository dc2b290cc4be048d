import { expect, test } from 'vitest';
import { tiersFile, weightText } from './tier-texts.ts';

test.each([
  [0, '0.0'],
  [16.25, '16.25'],
  [1000, '1,000.0'],
  [Math.fround(16.3), '16.3'],
])('%d oz reads %s', (weight, text) => expect(weightText(weight)).toBe(text));

test('the file of tiers has the columns of the import', () => {
  const tier = {
    id: '1',
    marketplace: 'walmart',
    fulfillmentType: 'FBA/WFS',
    minWeightOz: 0,
    maxWeightOz: 16.5,
    cost: '3.99',
  } as const;
  expect(tiersFile([tier])).toBe(
    'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost\r\nwalmart,FBA/WFS,0,16.5,3.99\r\n',
  );
});
