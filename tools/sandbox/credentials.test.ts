import { expect, test } from 'vitest';
import { credentialsOf } from '#domain/connections/credentials.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { CREDENTIALS } from './credentials.ts';

test.each(MARKETPLACES)('the credentials of %s have the names used in Settings', (marketplace) => {
  const names = new Set(credentialsOf(marketplace).map(({ name }) => name));
  expect(Object.keys(CREDENTIALS[marketplace]).filter((name) => !names.has(name))).toEqual([]);
});
