import { expect, test } from 'vitest';
import { tiersFile } from './tier-texts.ts';

test('the exported file has the columns of the import', () => {
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
