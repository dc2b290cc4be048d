import { expect, test } from 'vitest';
import { changedValues } from './changed-values.ts';

test.each([
  [{ live: ['ebay'] }, 'Live'],
  [{ setToRecommendOnly: ['ebay'] }, 'Set to recommend only'],
  // As 1.3.0 wrote them.
  [{ armed: ['ebay'] }, 'Live'],
  [{ disarmed: ['ebay'] }, 'Set to recommend only'],
])('the marketplaces of %o are named %s', (after, name) => {
  expect(changedValues(null, after).changed).toEqual([{ name, before: null, after: 'eBay' }]);
});

test('a marketplace of another release keeps its id, and a text that is like one stays as it is', () => {
  const { changed } = changedValues(null, { live: ['walmart', 'other'], name: 'ebay' });
  expect(changed.map(({ after }) => after)).toEqual(['Walmart, other', 'ebay']);
});
