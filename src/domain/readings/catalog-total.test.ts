import { expect, test } from 'vitest';
import { hoursUntilRetry, type PartialCatalog, partialCatalog } from './catalog-total.ts';

const nineAndEight = { told: 9, came: 8 };
const first: PartialCatalog = { readings: 1, ...nineAndEight, digest: 'a', isBelieved: false };

test.each([
  ['no total', null],
  ['everything came', { told: 9, came: 9 }],
  ['more came', { told: 9, came: 10 }],
])('%s: the catalog is whole', (_, total) => {
  expect(partialCatalog(first, total, 'a')).toBeNull();
});

test('one that lacks entries is partial, and believed when it comes like that again', () => {
  expect(partialCatalog(null, nineAndEight, 'a')).toEqual(first);
  expect(partialCatalog(first, nineAndEight, 'a')).toEqual({ ...first, readings: 2, isBelieved: true });
});

test.each<[string, PartialCatalog, typeof nineAndEight, string]>([
  ['other entries', first, nineAndEight, 'b'],
  ['another number missing', first, { told: 10, came: 8 }, 'a'],
])('with %s it is not believed', (_, before, total, digest) => {
  expect(partialCatalog(before, total, digest)).toMatchObject({ readings: 2, isBelieved: false });
});

test('after a believed one another is the first', () => {
  const believed = { ...first, readings: 5, isBelieved: true };
  expect(partialCatalog(believed, { told: 9, came: 7 }, 'b')).toMatchObject({
    readings: 1,
    isBelieved: false,
  });
  expect(partialCatalog(believed, nineAndEight, 'a')).toMatchObject({ readings: 6, isBelieved: true });
});

test.each([
  [1, 1],
  [2, 6],
  [3, 24],
  [9, 24],
])('after %i in a row the next is read in %i h', (readings, hours) => {
  expect(hoursUntilRetry({ ...first, readings })).toBe(hours);
});

test('a whole or a believed one is read at the usual times', () => {
  expect(hoursUntilRetry(null)).toBeNull();
  expect(hoursUntilRetry({ ...first, readings: 4, isBelieved: true })).toBeNull();
});
