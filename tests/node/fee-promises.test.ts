import { expect, test } from 'vitest';
import { type Floor, type MissingFloor, withoutFloor } from '#tests/support/fee-promises.ts';

test('only a listing that was in no list because it sold out is without a floor on purpose', () => {
  const missing = (sku: string, over: Partial<MissingFloor> = {}): Floor => ({
    sku,
    isMissing: true,
    isUnlisted: false,
    reason: null,
    ...over,
  });
  const groups = new Map<string, readonly Floor[]>([
    [
      'etsy FBM, published',
      [missing('SOLD', { isUnlisted: true }), missing('LISTED', { isUnlisted: true }), null],
    ],
    ['amazon FBM, secret', [missing('SOLD-2', { reason: 'no_fee_schedule' }), missing('NEW')]],
  ]);
  expect(withoutFloor(groups, new Set(['SOLD', 'SOLD-2']))).toEqual([
    'etsy FBM, published: LISTED null',
    'amazon FBM, secret: SOLD-2 no_fee_schedule',
    'amazon FBM, secret: NEW null',
  ]);
});
