import { expect, test } from 'vitest';
import {
  amazonEndpoint,
  asEndpoint,
  asPrefix,
  bucketText,
  isBucketName,
  isBucketText,
  isReadableOnTheWay,
  isRegion,
  parseBucketPlace,
} from './bucket-address.ts';

test.each([
  ['s3://backups', { bucket: 'backups', prefix: '' }, 's3://backups/'],
  ['s3://backups/', { bucket: 'backups', prefix: '' }, 's3://backups/'],
  [
    's3://my.bucket-1/shop/2026',
    { bucket: 'my.bucket-1', prefix: 'shop/2026/' },
    's3://my.bucket-1/shop/2026/',
  ],
])('%s is a place in a bucket', (text, place, written) => {
  expect(isBucketText(text)).toBe(true);
  expect(parseBucketPlace(text)).toEqual(place);
  expect(bucketText(place)).toBe(written);
});

test.each([
  's3://',
  's3://ab',
  's3://Backups',
  's3://my_bucket',
  's3://a..b',
  's3://-ab',
  's3://backups//shop',
  's3://backups/a b',
  's3://backups/../other',
  's3://backups/shop\n',
  'backups/shop',
])('%j is none', (text) => {
  expect(parseBucketPlace(text)).toBeNull();
});

test.each([
  ['', ''],
  ['/', ''],
  ['shop', 'shop/'],
  ['/shop/a_b-1.2/', 'shop/a_b-1.2/'],
  ['shop//a', null],
  ['./shop', null],
  ['shöp', null],
  ['a+b', null],
  ['a'.repeat(500), null],
])('the prefix %j begins keys as %j', (typed, prefix) => {
  expect(asPrefix(typed)).toBe(prefix);
});

test.each([
  ['https://s3.eu-central-1.amazonaws.com', 'https://s3.eu-central-1.amazonaws.com'],
  ['http://MinIO.lan:9000/', 'http://minio.lan:9000'],
  ['https://[fd00::5]:9000', 'https://[fd00::5]:9000'],
  ['https://example.com/storage', null],
  ['https://me:secret@example.com', null],
  ['https://example.com?x=1', null],
  ['ftp://example.com', null],
  ['example.com', null],
  ['https://', null],
])('the endpoint %j is %j', (typed, endpoint) => {
  expect(asEndpoint(typed)).toBe(endpoint);
});

test.each([
  ['https://minio.lan', false],
  ['http://127.0.0.1:9000', false],
  ['http://localhost:9000', false],
  ['http://[::1]:9000', false],
  ['http://minio.lan:9000', true],
  ['http://192.168.1.5:9000', true],
  ['http://localhost.example.com', true],
])('what goes to %s can be read on the way: %s', (endpoint, isReadable) => {
  expect(isReadableOnTheWay(endpoint)).toBe(isReadable);
});

test('regions and names of buckets have no other characters than those of host names', () => {
  expect(['us-east-1', 'auto', 'eu west', 'EU', ''].map(isRegion)).toEqual([true, true, false, false, false]);
  expect(['abc', 'a.b', 'a-.b', '-abc', 'ab'].map(isBucketName)).toEqual([true, true, false, false, false]);
  expect([amazonEndpoint('eu-central-1'), amazonEndpoint('cn-north-1')]).toEqual([
    'https://s3.eu-central-1.amazonaws.com',
    'https://s3.cn-north-1.amazonaws.com.cn',
  ]);
});
