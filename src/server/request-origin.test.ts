import { expect, test } from 'vitest';
import {
  isForThisMachineAlone,
  isFromThisMachine,
  isLoopbackAddress,
  isSameOrigin,
  isServedHost,
  ownOrigins,
} from './request-origin.ts';

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['1270.0.0.1', false],
  [undefined, false],
])('the address %s is loopback: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

const local = { method: 'POST', socketAddress: '127.0.0.1' };

test.each([
  ['a loopback name', { host: '127.0.0.1:5000' }, true],
  ['localhost', { host: 'localhost:5000' }, true],
  ['an IPv6 loopback name', { host: '[::1]:5000' }, true],
  ['a name that was pointed at this machine', { host: 'evil.example:5000' }, false],
  ['a name that only starts like one', { host: 'localhost.evil.example' }, false],
  ['a decimal disguise', { host: '127.0.0.1.evil.example' }, false],
  ['no Host', {}, false],
  ['X-Forwarded-For', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, false],
  ['X-Forwarded-Proto', { host: 'localhost', 'x-forwarded-proto': 'https' }, false],
  ['Forwarded', { host: 'localhost', forwarded: 'for=127.0.0.1' }, false],
  ['Via', { host: 'localhost', via: '1.1 proxy' }, false],
])('a loopback request with %s', (_, headers, expected) => {
  expect(isFromThisMachine({ ...local, headers })).toBe(expected);
});

test('a loopback Host does not make a remote socket local', () => {
  expect(
    isFromThisMachine({ method: 'GET', socketAddress: '10.0.0.7', headers: { host: 'localhost' } }),
  ).toBe(false);
});

const origins = ['http://127.0.0.1:5000'];

test.each([
  ['same-origin fetch', { 'sec-fetch-site': 'same-origin' }, true],
  ['fetch from another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['fetch from a sister host', { 'sec-fetch-site': 'same-site' }, false],
  ['a typed address', { 'sec-fetch-site': 'none' }, false],
  ['another site that forges our Origin', { 'sec-fetch-site': 'cross-site', origin: origins[0] }, false],
  ['our Origin', { origin: origins[0] }, true],
  ['another Origin', { origin: 'http://evil.example' }, false],
  ['our host on another port', { origin: 'http://127.0.0.1:8080' }, false],
  ['an opaque Origin', { origin: 'null' }, false],
  ['neither header', {}, false],
])('a write with %s', (_, headers, expected) => {
  expect(isSameOrigin({ ...local, headers }, origins)).toBe(expected);
});

test('reading is never refused', () => {
  const facts = { method: 'GET', socketAddress: '127.0.0.1', headers: { 'sec-fetch-site': 'cross-site' } };
  expect(isSameOrigin(facts, origins)).toBe(true);
});

test('our origin is the configured one, else the one of the request', () => {
  expect(ownOrigins('https://prices.example.com', { host: 'evil.example' })).toEqual([
    'https://prices.example.com',
  ]);
  expect(ownOrigins(null, { host: 'LocalHost:5000' })).toEqual(['http://localhost:5000']);
});

const alone = { boundToLoopback: true, publicUrl: null, trustedProxies: [] };

test.each([
  ['nothing else said', {}, true],
  ['an open address', { boundToLoopback: false }, false],
  ['a public address', { publicUrl: 'https://prices.example.com' }, false],
  ['a public address that is this machine', { publicUrl: 'http://localhost:5000' }, true],
  ['a proxy', { trustedProxies: ['127.0.0.1'] }, false],
])('with %s the server is for this machine alone: %s', (_, over, expected) => {
  expect(isForThisMachineAlone({ ...alone, ...over })).toBe(expected);
});

test.each([
  ['localhost:5000', true, true],
  ['127.0.0.1:5000', true, true],
  ['[::1]:5000', true, true],
  [undefined, true, true],
  ['evil.example:5000', false, false],
  ['localhost.evil.example', false, false],
  ['127.0.0.1.evil.example', false, false],
  ['', false, false],
  ['192.168.0.7:5000', false, true],
  ['[fd00::7]:5000', false, true],
  ['nas.lan:5000', false, true],
  ['NAS.lan:8080', false, true],
])('the Host %s is served on loopback: %s, on an open address: %s', (host, onLoopback, onOpen) => {
  const home = 'http://nas.lan:5000';
  expect(isServedHost(host, { boundToLoopback: true, home })).toBe(onLoopback);
  expect(isServedHost(host, { boundToLoopback: false, home })).toBe(onOpen);
});
