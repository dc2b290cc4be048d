import { describe, expect, test } from 'vitest';
import { ounces } from '#domain/units.ts';
import type { TierRange } from './cost.ts';
import { tierGaps } from './tier-gaps.ts';

const tier = (min: number, max: number, over: Partial<TierRange> = {}): TierRange => ({
  marketplace: 'walmart',
  fulfillmentType: 'FBM',
  minWeight: ounces(min),
  maxWeight: ounces(max),
  ...over,
});

describe('gaps between shipping tiers', () => {
  test.each([
    ['none where one tier starts where the other ends', [tier(0, 16), tier(16, 48)], []],
    ['none without tiers', [], []],
    ['between two tiers', [tier(0, 16), tier(20, 48)], [tier(16, 20)]],
    ['below the lightest tier', [tier(4, 16)], [tier(0, 4)]],
    ['the order of the rows does not matter', [tier(20, 48), tier(0, 16)], [tier(16, 20)]],
  ] as const)('%s', (_, tiers, gaps) => expect(tierGaps(tiers)).toEqual(gaps));

  test('each marketplace has its own series', () => {
    const amazon = { marketplace: 'amazon' } as const;
    expect(tierGaps([tier(0, 16), tier(16, 20, amazon)])).toEqual([tier(0, 16, amazon)]);
  });

  test('none between tiers for warehouses, which need none', () => {
    const fba = { fulfillmentType: 'FBA/WFS' } as const;
    expect(tierGaps([tier(20, 48, fba), tier(16, 20)])).toEqual([tier(0, 16)]);
  });
});
