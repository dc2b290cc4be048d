import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isReachableFrom, isSigned } from './marketplace-events.ts';

const BODY = Buffer.from('{"id": 1}');
const mac = createHmac('sha256', 'secret').update(BODY).digest();

test.each<[string, boolean, string | string[] | undefined]>([
  ['base64', true, mac.toString('base64')],
  ['hex', true, mac.toString('hex')],
  ['hex in capitals', true, mac.toString('hex').toUpperCase()],
  ['base64url', false, mac.toString('base64url')],
  ['two of them', false, [mac.toString('base64'), mac.toString('base64')]],
  ['none', false, undefined],
  ['an empty one', false, ''],
  ['one byte more', false, Buffer.concat([mac, Buffer.from([0])]).toString('base64')],
  ['the first half', false, mac.subarray(0, 16).toString('base64')],
  ['one bit other', false, Buffer.from(mac.map((byte, at) => (at === 31 ? byte ^ 1 : byte))).toString('hex')],
  ['letters that are none', false, `${mac.toString('base64').slice(0, 42)}é=`],
])('a signature: %s, good: %s', (_, isGood, signature) => {
  expect(isSigned(BODY, 'secret', signature)).toBe(isGood);
});

const REAL = 'https://marketplace.walmartapis.com';
test.each([
  [REAL, 'https://prices.example.com/api', true],
  [REAL, 'http://prices.example.com/api', false],
  [REAL, 'https://prices/api', false],
  [REAL, 'https://prices.shop.local/api', false],
  [REAL, 'https://localhost:5000/api', false],
  [REAL, 'https://192.168.1.20/api', false],
  [REAL, 'https://[::1]/api', false],
  [REAL, 'https://8.8.8.8/api', true],
  ['http://127.0.0.1:5050/walmart', 'http://127.0.0.1:5000/api', true],
])('%s can send something to %s: %s', (baseUrl, address, expected) => {
  expect(isReachableFrom(baseUrl, address)).toBe(expected);
});
