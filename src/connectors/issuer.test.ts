import { expect, test } from 'vitest';
import { isIssuer, isSameIssuer, isSecureFor } from './issuer.ts';

test.each([
  'https://login.example.com',
  'https://login.example.com/realms/shop/',
  'http://localhost:8080/realms/shop',
  'http://127.0.0.1:9',
  'http://[::1]:9',
])('%s is an issuer', (text) => {
  expect(isIssuer(text)).toBe(true);
});

test.each([
  'http://login.example.com',
  'http://192.168.1.4',
  'http://localhost.example.com',
  'https://login.example.com/?tenant=1',
  'https://login.example.com/#a',
  'https://ann:secret@login.example.com',
  'ftp://login.example.com',
  'login.example.com',
  '',
])('%j is none', (text) => {
  expect(isIssuer(text)).toBe(false);
});

test('a provider on https never leads to http, not even on this machine', () => {
  expect(isSecureFor('https://login.example.com', 'https://keys.example.com/jwks')).toBe(true);
  expect(isSecureFor('https://login.example.com', 'http://127.0.0.1:9/jwks')).toBe(false);
  expect(isSecureFor('http://127.0.0.1:9', 'http://127.0.0.1:10/jwks')).toBe(true);
  expect(isSecureFor('http://127.0.0.1:9', 'http://192.168.1.4/jwks')).toBe(false);
});

test.each([
  ['https://login.example.com', 'https://LOGIN.example.com/', true],
  ['https://login.example.com/realms/shop', 'https://login.example.com/realms/shop/', false],
  ['https://login.example.com', 'https://login.example.com:8443', false],
  ['https://login.example.com', 'login.example.com', false],
])('%s and %s are one issuer: %s', (one, other, isSame) => {
  expect(isSameIssuer(one, other)).toBe(isSame);
});
