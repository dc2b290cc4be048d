import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { newTotpSecret, setUpLink, stepOf } from './totp.ts';

/** The secret of RFC 6238, appendix B, and the last six digits of its codes. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32;

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('at second %i the code of the standard is %s', (seconds, code, step) => {
  expect(stepOf(SECRET, code, instant(seconds * 1_000))).toBe(step);
});

// 005924 belongs to step 41,152,263: from second 1,234,567,890, for 30 seconds.
test.each([
  ['the first moment of the step before', 1_234_567_860_000, 41_152_263],
  ['a moment earlier', 1_234_567_859_999, null],
  ['the last moment of the step after', 1_234_567_949_999, 41_152_263],
  ['a moment later', 1_234_567_950_000, null],
])('a code counts one step either way: %s', (_, now, step) => {
  expect(stepOf(SECRET, '005924', instant(now))).toBe(step);
});

test('a new secret has 160 bits and differs each time', () => {
  const [one, two] = [newTotpSecret(), newTotpSecret()];
  expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(Secret.fromBase32(one).bytes).toHaveLength(20);
  expect(one).not.toBe(two);
});

test('the link has the account and the parameters', () => {
  const link = new URL(setUpLink(SECRET, 'ann+1@example.com'));
  expect([link.protocol, link.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(link.pathname)).toBe('/Pricewright:ann+1@example.com');
  expect(Object.fromEntries(link.searchParams)).toEqual({
    issuer: 'Pricewright',
    secret: SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
