import { expect, test } from 'vitest';
import { type Floor, withoutFloor } from '#tests/support/fee-promises.ts';

test('only a listing that was in no list because it sold out is without a floor on purpose', () => {
  const missing = (sku: string, reason: string | null): Floor => ({ sku, isMissing: true, reason });
  const groups = new Map<string, readonly Floor[]>([
    ['etsy FBM, published', [missing('SOLD', 'gone'), missing('LISTED', 'gone'), null]],
    ['amazon FBM, secret', [missing('SOLD-2', 'no_fee_schedule'), missing('NEW', null)]],
  ]);
  expect(withoutFloor(groups, new Set(['SOLD', 'SOLD-2']))).toEqual([
    'etsy FBM, published: LISTED gone',
    'amazon FBM, secret: SOLD-2 no_fee_schedule',
    'amazon FBM, secret: NEW null',
  ]);
});
