import { expect, test } from 'vitest';
import { credentialsOf } from '#domain/credentials.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { CREDENTIALS } from './credentials.ts';

test.each(MARKETPLACES)('what %s is opened with has the names that the settings have', (marketplace) => {
  const names = new Set(credentialsOf(marketplace).map(({ name }) => name));
  expect(Object.keys(CREDENTIALS[marketplace]).filter((name) => !names.has(name))).toEqual([]);
});
