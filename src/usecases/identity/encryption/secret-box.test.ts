import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyIdOf, openSecret, SecretError, sealSecret, secretKeyOf } from './secret-box.ts';

const KEY = secretKeyOf(randomBytes(32));
const PLACE = 'app_settings/default/veeqo_api_key';

describe('an encrypted secret', () => {
  test('is decrypted with its key in its place', () => {
    const record = sealSecret(KEY, PLACE, 'vq-läkey-1');
    expect(record).not.toContain('vq-');
    expect(openSecret(KEY, PLACE, record)).toBe('vq-läkey-1');
  });

  test('names its key, and looks different every time', () => {
    const [one, two] = [sealSecret(KEY, PLACE, 'x'), sealSecret(KEY, PLACE, 'x')];
    expect(keyIdOf(one)).toBe(KEY.id);
    expect(KEY.id).toMatch(/^[0-9a-f]{8}$/);
    expect(one).not.toBe(two);
  });

  test('is not decrypted in another place: swapping two records does not work', () => {
    const record = sealSecret(KEY, PLACE, 'x');
    expect(() => openSecret(KEY, 'app_settings/default/shopify_api_key', record)).toThrow(SecretError);
  });

  test('is not decrypted with another key, and the error says what to do', () => {
    const record = sealSecret(secretKeyOf(randomBytes(32)), PLACE, 'x');
    expect(() => openSecret(KEY, PLACE, record)).toThrow(/another secret key.*PRICEWRIGHT_SECRET_KEY/);
  });

  test.each([
    ['a changed byte', (text: string) => `${text.slice(0, -2)}${text.endsWith('AA') ? 'BB' : 'AA'}`],
    ['a cut', (text: string) => text.slice(0, text.length - 20)],
    ['no ciphertext', (text: string) => text.split('.').slice(0, 3).join('.')],
    ['no nonce', (text: string) => text.replace(/^(v1\.\w+)\.[^.]+/, '$1.')],
  ])('with %s it does not open', (_, damage) => {
    const record = sealSecret(KEY, PLACE, 'secret');
    expect(() => openSecret(KEY, PLACE, damage(record))).toThrow(SecretError);
  });

  test('plain text is not a record', () => {
    expect(keyIdOf('plain')).toBeNull();
    expect(() => openSecret(KEY, PLACE, 'plain')).toThrow(SecretError);
  });
});
