import { expect, test } from 'vitest';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { weakPasswordReason } from './password-rules.ts';

test('the list is long enough, in lower case, and has no entry below the minimum length', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(3_000);
  for (const entry of COMMON_PASSWORDS) {
    if (entry.length < 8 || entry !== entry.toLowerCase()) throw new Error(`wrong entry: ${entry}`);
  }
});

test.each([
  'password',
  'Password1',
  'P@ssw0rd!',
  '12345678',
  '1234567890',
  'qwertyuiop',
  'Qwerty123',
  'iloveyou',
  'Summer2024!',
  'aaaaaaaa',
  '11111111',
  'abcabcabc',
  '1q2w3e4r',
  'letmein123',
  'Welcome2025',
  'administrator',
  'trustno1!',
  'Pricewright1!',
  'jane.doe2024',
  'xjane.doex',
])('%s is too easy to guess', (password) => {
  expect(weakPasswordReason(password, 'Jane.Doe@example.com')).toMatch(/\.$/);
});

test.each([
  'correct horse battery staple',
  'xK7#mpl2qz',
  'pricewright keeps my floor',
  'jane.doe and nine more cats',
  '  spaces at both ends  ',
  'ünïcödé lésérävé',
])('%s is fine', (password) => {
  expect(weakPasswordReason(password, 'jane.doe@example.com')).toBeNull();
});

test('a short email name does not reject good passwords', () => {
  expect(weakPasswordReason('xK7ajmpl2', 'aj@example.com')).toBeNull();
});
