import { describe, expect, test } from 'vitest';
import { mayConnect, reachOf } from './public-address.ts';

describe('an address on the internet', () => {
  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '64:ff9b::808:808',
    '::ffff:8.8.8.8',
  ])('%s may be called', (address) => {
    expect(mayConnect(address, 'public')).toBe(true);
    expect(mayConnect(address, 'loopback')).toBe(false);
  });
});

describe('an address that is not', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a00:1',
    '::FFFF:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::1',
    '2002:7f00:1::',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'ff02::1',
    'localhost',
    '2130706433',
    '0177.0.0.1',
    '',
  ])('%s may not be called', (address) => {
    expect(mayConnect(address, 'public')).toBe(false);
  });
});

describe('a service that may be inside of a company', () => {
  test.each([
    '8.8.8.8',
    '10.1.2.3',
    '127.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '::1',
    'fd00::1',
    '::ffff:10.0.0.1',
  ])('may be called at %s', (address) => {
    expect(mayConnect(address, 'inside')).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '::',
    'fe80::1',
    'ff02::1',
    '::ffff:169.254.169.254',
    'fd00::1%eth0',
  ])('may not be called at %s', (address) => {
    expect(mayConnect(address, 'inside')).toBe(false);
  });
});

describe('where the address itself names this machine', () => {
  test.each([
    'http://127.0.0.1:9',
    'http://localhost',
    'https://[::1]:1',
    'http://2130706433',
    'http://0x7f.1',
  ])('%s reaches it alone', (url) => {
    expect(reachOf(url)).toBe('loopback');
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'])('%s may be called', (address) => {
    expect(mayConnect(address, 'loopback')).toBe(true);
  });

  test.each(['10.0.0.1', '8.8.8.8', '::ffff:10.0.0.1', 'fe80::1', '2606:4700::1111'])(
    '%s may not',
    (address) => {
      expect(mayConnect(address, 'loopback')).toBe(false);
    },
  );

  test.each([
    'https://api.veeqo.com',
    'https://localhost.example.com',
    'https://10.0.0.1',
    'https://127.0.0.2',
  ])('%s is none of them', (url) => {
    expect(reachOf(url)).toBe('public');
  });
});
