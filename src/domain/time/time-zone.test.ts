import { expect, test } from 'vitest';
import { isTimeZone } from './time-zone.ts';

test('a zone is a name that the platform knows', () => {
  expect(['UTC', 'Europe/Berlin'].every(isTimeZone)).toBe(true);
  expect(['Mars/Olympus', '', 'a b'].some(isTimeZone)).toBe(false);
});
