import { expect, test } from 'vitest';
import { basisText, freshText, intervalText } from './offer-refresh-text.ts';

const READINGS = {
  listings: 1_240,
  unread: 0,
  fresh: 1_190,
  interval: { minutes: 299, basis: 'measured' as const },
  contested: 200,
  contestedInterval: { minutes: 40, basis: 'measured' as const },
  callsPerDay: 5_000,
  usedPerDay: 3_600,
  listingsPerCall: 1,
  isDocumented: true,
  source: 'https://example.com',
};
const AGE = { hours: 30, chosen: null, automatic: 30 };

test('the interval is said for all listings and for the contested ones', () => {
  expect(intervalText(READINGS)).toBe(
    'Competitors of 1,240 listings are checked about every 5 hours; those of the 200 contested ones every 40 minutes.',
  );
  const one = { ...READINGS, listings: 1, interval: { minutes: 60, basis: 'measured' as const } };
  expect(intervalText({ ...one, contested: 0, contestedInterval: null })).toBe(
    'Competitors of 1 listing are checked about every hour.',
  );
  expect(intervalText({ ...one, contested: 1 })).toContain('of the contested one every 40 minutes.');
  expect(
    intervalText({ ...READINGS, interval: { minutes: 3_000, basis: 'measured' }, contestedInterval: null }),
  ).toContain('every 2.5 days.');
});

test('it says what it is known from', () => {
  expect(basisText('ebay', READINGS)).toBe('Measured: 95% were last checked within that time.');
  const estimated = { ...READINGS, unread: 400, interval: { minutes: 500, basis: 'estimated' as const } };
  expect(basisText('ebay', estimated)).toBe(
    'Estimated, because 400 were never checked: eBay allows 5,000 calls a day, and 3,600 of them are used for this.',
  );
  expect(basisText('walmart', { ...estimated, isDocumented: false })).toContain('Walmart seems to allow');
});

test('the share that counts is rounded down', () => {
  expect(freshText(READINGS, AGE)).toBe(
    '1,190 of 1,240 (95%) were checked within the last 30 h and are used now.',
  );
});

test('a store without listings sees only that', () => {
  const none = { ...READINGS, listings: 0, fresh: 0, interval: null, contested: 0, contestedInterval: null };
  expect(intervalText(none)).toBe('No listing is for sale there yet, so no competitors are checked.');
  expect(basisText('ebay', none)).toBeNull();
  expect(freshText(none, AGE)).toBeNull();
});
