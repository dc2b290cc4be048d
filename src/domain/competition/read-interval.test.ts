import { describe, expect, test } from 'vitest';
import { hours, minutes } from '#domain/units.ts';
import { readInterval } from './read-interval.ts';

const SYNC = minutes(15);

describe('the competitors of listings are read', () => {
  test('as often as their last readings show, once 95 of 100 were read', () => {
    const readings = { listings: 100, read: 95, age95: hours(5) };
    expect(readInterval('ebay', readings, 1, SYNC)).toEqual({ time: hours(5), basis: 'measured' });
  });

  test('as often as calls allow while fewer were read', () => {
    const readings = { listings: 3_600, read: 3_419, age95: minutes(20) };
    expect(readInterval('ebay', readings, 1, SYNC)).toEqual({ time: hours(24), basis: 'estimated' });
    expect(readInterval('ebay', readings, 0.5, SYNC)).toEqual({ time: hours(48), basis: 'estimated' });
  });

  test('not more often than syncs start', () => {
    const fast = { listings: 10, read: 10, age95: minutes(1) };
    expect(readInterval('amazon', fast, 1, SYNC)).toEqual({ time: SYNC, basis: 'measured' });
    const unread = { listings: 10, read: 0, age95: null };
    expect(readInterval('amazon', unread, 1, SYNC)).toEqual({ time: SYNC, basis: 'estimated' });
  });

  test('never without listings, and where none are shown', () => {
    expect(readInterval('amazon', { listings: 0, read: 0, age95: null }, 1, SYNC)).toBeNull();
    expect(readInterval('etsy', { listings: 5, read: 5, age95: SYNC }, 1, SYNC)).toBeNull();
  });
});
