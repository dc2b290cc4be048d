import { expect, test } from 'vitest';
import { addressSubject } from './attempt-limits.ts';

test.each([
  ['203.0.113.9', 'address:203.0.113.9'],
  ['::ffff:203.0.113.9', 'address:203.0.113.9'],
  ['::1', 'address:0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', 'address:2001:db8:1:2::/64'],
  ['2001:db8::5:6', 'address:2001:db8:0:0::/64'],
  ['2001:db8:1:2::9', 'address:2001:db8:1:2::/64'],
])('%s counts as %s', (address, subject) => {
  expect(addressSubject(address)).toBe(subject);
});
