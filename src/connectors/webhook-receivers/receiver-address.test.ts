import { describe, expect, test } from 'vitest';
import { receiverAddress } from './receiver-address.ts';

describe('the address of a receiver', () => {
  test.each([
    ['https://hooks.example.com/in?key=1#top', 'https://hooks.example.com/in?key=1'],
    ['HTTPS://Hooks.Example.com:8443', 'https://hooks.example.com:8443/'],
    ['https://203.0.114.9/', 'https://203.0.114.9/'],
  ])('%s is accepted', (text, address) => {
    expect(receiverAddress(text, false)).toEqual({ address });
  });

  test.each([
    ['', 'invalid'],
    ['hooks.example.com', 'invalid'],
    ['ftp://hooks.example.com/', 'invalid'],
    ['javascript:alert(1)', 'invalid'],
    [`https://hooks.example.com/${'a'.repeat(500)}`, 'invalid'],
    ['http://hooks.example.com/', 'not_https'],
    ['https://user@hooks.example.com/', 'credentials'],
    ['https://user:pass@hooks.example.com/', 'credentials'],
    ['https://10.0.0.1/', 'private'],
    ['https://169.254.169.254/latest/meta-data', 'private'],
    ['https://0251.0376.0251.0376/', 'private'],
    ['https://2852039166/', 'private'],
    ['https://0/', 'private'],
    ['https://[::]/', 'private'],
    ['https://[fd00::1]/', 'private'],
    ['https://[::ffff:10.0.0.1]/', 'private'],
    ['https://127.1/', 'private'],
    ['https://localhost/', 'private'],
    ['https://localhost./', 'private'],
    ['https://shop.localhost/', 'private'],
  ])('%j is refused: %s', (text, problem) => {
    expect(receiverAddress(text, false)).toEqual({ problem });
  });

  test('of this machine is accepted only where that is allowed', () => {
    expect(receiverAddress('http://localhost:9000/in', true)).toEqual({
      address: 'http://localhost:9000/in',
    });
    expect(receiverAddress('http://[::1]:9000/', true)).toEqual({ address: 'http://[::1]:9000/' });
    expect(receiverAddress('http://127.0.0.1:9000/in', false)).toEqual({ problem: 'private' });
    expect(receiverAddress('http://10.0.0.1/', true)).toEqual({ problem: 'private' });
    expect(receiverAddress('http://hooks.example.com/', true)).toEqual({ problem: 'not_https' });
  });
});
