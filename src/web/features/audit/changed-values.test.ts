import { expect, test } from 'vitest';
import { changedValues } from './changed-values.ts';

test.each([
  [{ live: ['ebay'] }, 'Live'],
  [{ setToRecommendOnly: ['ebay'] }, 'Set to recommend only'],
  // As 1.3.0 wrote them.
  [{ armed: ['ebay'] }, 'Live'],
  [{ disarmed: ['ebay'] }, 'Set to recommend only'],
])('the marketplaces of %o are named %s', (after, name) => {
  expect(changedValues(null, after).changed).toEqual([{ name, before: null, after: 'ebay' }]);
});
