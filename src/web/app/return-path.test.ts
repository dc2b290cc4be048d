import { expect, test } from 'vitest';
import { safeReturnPath } from './return-path.ts';

test('an address of this site is kept whole', () => {
  expect(safeReturnPath({ redirect: '/listings?q=662E41#row-2' })).toBe('/listings?q=662E41#row-2');
});

test.each([
  undefined,
  '',
  'listings',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/auth',
  '/auth?tab=login',
])('%o leads to the Dashboard', (redirect) => expect(safeReturnPath({ redirect })).toBe('/'));
