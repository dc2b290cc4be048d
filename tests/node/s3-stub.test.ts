import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SignedRequest, signatureOf } from '#tests/support/s3-signature.ts';
import { type S3Stub, startS3Stub } from '#tests/support/s3-stub.ts';

/** The examples of "Signature Calculations for the Authorization Header", Amazon S3 API reference. */
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const example = (over: Partial<SignedRequest> & { headers?: Record<string, string> }): SignedRequest => ({
  method: 'GET',
  path: '/',
  query: [],
  ...over,
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': EMPTY,
    ...over.headers,
  },
});
const EXAMPLES: readonly (readonly [string, SignedRequest, string])[] = [
  [
    'an object is read in part',
    example({ path: '/test.txt', headers: { range: 'bytes=0-9' } }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an object with a dollar sign is written',
    example({
      method: 'PUT',
      path: '/test$file.text',
      headers: {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
    }),
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a query has no value',
    example({ query: [['lifecycle', '']] }),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a query has two',
    example({
      query: [
        ['prefix', 'J'],
        ['max-keys', '2'],
      ],
    }),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

test.each(EXAMPLES)('the signature of the stub is the published one where %s', (_, request, signature) => {
  const signedHeaders = Object.keys(request.headers).sort();
  const scope = { day: '20130524', region: 'us-east-1', service: 's3', signedHeaders };
  expect(signatureOf(request, scope, SECRET)).toBe(signature);
});

describe('the stub', () => {
  const NOW = Date.UTC(2026, 10, 28, 14);
  let stub: S3Stub;
  beforeEach(async () => {
    stub = await startS3Stub(() => NOW);
  });
  afterEach(() => stub.close());

  /** A PUT that is signed here, with mistakes. */
  async function put(over: {
    headers?: Record<string, string>;
    unsigned?: string;
    body?: string;
    secret?: string;
    region?: string;
  }): Promise<string> {
    const { body = 'hello', secret = stub.secretAccessKey, region = stub.region } = over;
    const headers: Record<string, string> = {
      host: `127.0.0.1:${stub.port}`,
      'x-amz-date': '20261128T140000Z',
      'x-amz-content-sha256': createHash('sha256').update('hello').digest('hex'),
      ...over.headers,
    };
    const signedHeaders = Object.keys(headers)
      .filter((name) => name !== over.unsigned)
      .sort();
    const request = { method: 'PUT', path: '/backups/a', query: [], headers };
    const scope = { day: '20261128', region, service: 's3', signedHeaders };
    const credential = `${stub.accessKeyId}/20261128/${region}/s3/aws4_request`;
    const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signatureOf(request, scope, secret)}`;
    const { host: _, ...sent } = headers;
    const answer = await fetch(`${stub.url}/backups/a`, {
      method: 'PUT',
      headers: { ...sent, authorization },
      body,
    });
    return answer.ok ? 'stored' : (/<Code>(\w+)/.exec(await answer.text())?.[1] ?? '');
  }

  test('takes what is signed well, and says what is wrong with the rest', async () => {
    expect(await put({})).toBe('stored');
    expect(stub.objects.get('a')?.bytes.toString()).toBe('hello');
    expect(await put({ secret: 'another' })).toBe('SignatureDoesNotMatch');
    expect(await put({ headers: { 'x-amz-date': '20261128T134400Z' } })).toBe('RequestTimeTooSkewed');
    expect(await put({ headers: { 'x-amz-date': '20261128T134600Z' } })).toBe('stored');
    expect(await put({ region: 'us-east-1' })).toBe('AuthorizationHeaderMalformed');
    expect(await put({ body: 'hallo' })).toBe('XAmzContentSHA256Mismatch');
    expect(await put({ headers: { 'content-md5': 'AAAA' } })).toBe('BadDigest');
    expect(await put({ headers: { 'x-amz-acl': 'private' }, unsigned: 'x-amz-acl' })).toBe('AccessDenied');
    expect(stub.asked).toHaveLength(2);
  });
});
