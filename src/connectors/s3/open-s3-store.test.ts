import { createHash, randomBytes } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectorError } from '#connectors/connector-error.ts';
import type { Bucket, ObjectStore, UploadSource } from '#connectors/object-store.ts';
import { type Instant, instant, minutes } from '#domain/units.ts';
import { asMany } from '#tests/support/breadth.ts';
import { type S3Asked, type S3Stub, s3Error, startS3Stub } from '#tests/support/s3-stub.ts';
import { openS3Store, partBytes } from './open-s3-store.ts';
import type { S3Options } from './s3-calls.ts';

const MIB = 1_024 * 1_024;
const NEVER = new AbortController().signal;
const SECRET = 'secret/with+signs/EXAMPLEKEY';

let stub: S3Stub;
let now: Instant;
/** Milliseconds that were waited between attempts. */
let waits: number[];
beforeEach(async () => {
  now = instant(Date.UTC(2026, 10, 28, 14));
  waits = [];
  stub = await startS3Stub(() => now);
});
afterEach(() => stub.close());

function bucketOf(over: Partial<Bucket> = {}): Bucket {
  return {
    endpoint: stub.url,
    region: stub.region,
    name: stub.bucket,
    isPathStyle: true,
    accessKeyId: stub.accessKeyId,
    secretAccessKey: SECRET,
    sessionToken: null,
    ...over,
  };
}

function open(over: Partial<Bucket> = {}, options: S3Options = {}): ObjectStore {
  return openS3Store(bucketOf(over), {
    now: () => now,
    wait: async (milliseconds) => void waits.push(milliseconds),
    ...options,
  });
}

function sourceOf(content: Buffer): UploadSource & { readonly reads: number[] } {
  const reads: number[] = [];
  return {
    bytes: content.length,
    reads,
    read: async (target, at) => {
      reads.push(target.length);
      return content.copy(target, 0, at, at + Math.min(target.length, 3 * MIB));
    },
  };
}

const failure = (work: Promise<unknown>): Promise<ConnectorError> =>
  work.then(
    () => expect.fail('nothing failed'),
    (error: ConnectorError) => error,
  );
const isPart =
  (number: number) =>
  ({ method, of }: S3Asked): boolean =>
    method === 'PUT' && of.get('partNumber') === String(number);

/** The first calls that fit fail so. */
function failing(
  fits: (requested: S3Asked) => boolean,
  fault: ReturnType<typeof s3Error> | 'break' | 'silence',
  times = 1,
): void {
  let left = times;
  stub.fault = (requested) => {
    if (left === 0 || !fits(requested)) return null;
    left -= 1;
    return { when: 'before', fault };
  };
}

describe('an upload', () => {
  const CONTENT = randomBytes(17 * MIB + 5);

  test('goes in parts, one in memory, and is proved by size and hash without being read back', async () => {
    const source = sourceOf(CONTENT);
    await open().upload('shop/a.tar', source, NEVER);
    expect(stub.objects.get('shop/a.tar')?.bytes.equals(CONTENT)).toBe(true);
    expect(stub.uploads.size).toBe(0);
    expect(Math.max(...source.reads)).toBe(8 * MIB);
    expect(stub.asked.map(({ method, body }) => [method, Math.floor(body.length / MIB)])).toEqual([
      ['POST', 0],
      ['PUT', 8],
      ['PUT', 8],
      ['PUT', 1],
      ['POST', 0],
      ['HEAD', 0],
    ]);
    const sums = stub.asked
      .filter(({ method }) => method === 'PUT')
      .map(
        ({ headers, body }) =>
          headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex'),
      );
    expect(sums).toEqual([true, true, true]);
  });

  test('is read back where the entity tag is no hash of the content', async () => {
    stub.hasOpaqueTags = true;
    await open().upload('a.tar', sourceOf(CONTENT), NEVER);
    expect(stub.asked.filter(({ method }) => method === 'GET').map(({ headers }) => headers.range)).toEqual([
      `bytes=0-${8 * MIB - 1}`,
      `bytes=${8 * MIB}-${16 * MIB - 1}`,
      `bytes=${16 * MIB}-${17 * MIB + 4}`,
    ]);
    expect(stub.objects.size).toBe(1);
  });

  test('that is stored otherwise than it was sent is an error and is removed', async () => {
    for (const spoil of [
      (bytes: Buffer) => bytes.subarray(1),
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of((bytes.at(-1) ?? 0) ^ 1)]),
    ]) {
      stub.fault = ({ method }) => {
        const object = stub.objects.get('a.tar');
        if (method === 'HEAD' && object !== undefined)
          stub.objects.set('a.tar', { bytes: spoil(object.bytes), etag: '"x"' });
        return null;
      };
      const error = await failure(open().upload('a.tar', sourceOf(CONTENT), NEVER));
      expect(error.fault).toBe('service');
      expect(stub.objects.size).toBe(0);
    }
  });

  const PASSING = [
    ['an error', s3Error(500, 'InternalError')],
    ['a broken connection', 'break' as const],
    ['a request to slow down', s3Error(503, 'SlowDown')],
    ['too many requests', s3Error(429, 'TooManyRequests')],
    ['bytes that were changed on the way', s3Error(400, 'BadDigest')],
    ['a request that took too long', s3Error(400, 'RequestTimeout')],
  ] as const;
  test.each(PASSING.slice(0, asMany(2, PASSING.length)))(
    'goes on with the same part after %s',
    async (_, problem) => {
      failing(isPart(3), problem, 2);
      await open().upload('a.tar', sourceOf(CONTENT), NEVER);
      expect(stub.objects.get('a.tar')?.bytes.equals(CONTENT)).toBe(true);
      expect(stub.asked.filter(isPart(3))).toHaveLength(3);
      expect(stub.asked.filter(isPart(2))).toHaveLength(1);
      expect(waits).toHaveLength(2);
    },
  );

  test('waits as long as the service asks, and gives up where that is too long', async () => {
    const slow = s3Error(503, 'SlowDown');
    failing(isPart(1), { ...slow, headers: { ...slow.headers, 'retry-after': '7' } });
    await open().upload('a.tar', sourceOf(CONTENT), NEVER);
    expect(waits).toEqual([7_000]);
    failing(isPart(1), { ...slow, headers: { ...slow.headers, 'retry-after': '700' } });
    expect((await failure(open().upload('b.tar', sourceOf(CONTENT), NEVER))).fault).toBe('busy');
    expect(stub.uploads.size).toBe(0);
  });

  test('is signed anew after each wait, so that a long one makes no signature too old', async () => {
    failing(isPart(1), s3Error(500, 'InternalError'));
    const wait = async (): Promise<void> => {
      now = instant(now + minutes(20));
    };
    await open({}, { wait }).upload('a.tar', sourceOf(CONTENT), NEVER);
    expect(stub.objects.size).toBe(1);
  });

  test('that takes too long is tried again, and leaves nothing in the end', async () => {
    failing(isPart(1), 'silence', 99);
    const error = await failure(
      open({}, { longest: 100, attempts: 2 }).upload('a.tar', sourceOf(CONTENT), NEVER),
    );
    expect(error.fault).toBe('time');
    expect(waits).toHaveLength(1);
    expect([stub.uploads.size, stub.objects.size]).toEqual([0, 0]);
  });

  test('is aborted at a failure, and when it is stopped', async () => {
    failing(isPart(3), s3Error(403, 'AccessDenied'));
    expect((await failure(open().upload('a.tar', sourceOf(CONTENT), NEVER))).fault).toBe('permission');
    expect(stub.uploads.size).toBe(0);

    const stopping = new AbortController();
    stub.fault = (requested) => {
      if (isPart(2)(requested)) stopping.abort(new Error('the process stops'));
      return null;
    };
    const error = await failure(open().upload('b.tar', sourceOf(CONTENT), stopping.signal));
    expect(error.message).toBe('the process stops');
    expect([stub.uploads.size, stub.objects.size]).toEqual([0, 0]);
  });

  test('is whole where the answer to its end was lost, and where that says 200 and means an error', async () => {
    const isEnd = ({ method, of }: S3Asked): boolean => method === 'POST' && of.has('uploadId');
    let isLost = false;
    stub.fault = (requested) => {
      if (!isEnd(requested) || isLost) return null;
      isLost = true;
      return { when: 'after', fault: 'break' };
    };
    await open().upload('a.tar', sourceOf(CONTENT), NEVER);
    expect(stub.objects.get('a.tar')?.bytes.equals(CONTENT)).toBe(true);

    failing(isEnd, { ...s3Error(500, 'InternalError'), status: 200 });
    await open().upload('b.tar', sourceOf(CONTENT), NEVER);
    expect(stub.objects.get('b.tar')?.bytes.equals(CONTENT)).toBe(true);
  });

  test('has larger parts for more bytes, and no more than the service allows', () => {
    expect([1, 70_000 * MIB, 100_000 * MIB, 640_000 * MIB, 640_001 * MIB].map(partBytes)).toEqual([
      8 * MIB,
      8 * MIB,
      10 * MIB,
      64 * MIB,
      null,
    ]);
  });
});

describe('objects', () => {
  test('are written, measured, read in part and deleted, by either kind of address', async () => {
    const lookup: LookupFunction = (name, { all }, callback) => {
      expect(name).toBe('backups.s3.test');
      if (all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    };
    const virtual = open({ endpoint: `http://s3.test:${stub.port}`, isPathStyle: false }, { lookup });
    for (const store of [open(), virtual]) {
      await store.put('shop/small', Buffer.from('hello'), NEVER);
      const state = await store.stateOf('shop/small', NEVER);
      if (state === null) return expect.fail('There is no object.');
      expect(state.bytes).toBe(5);
      expect((await store.read('shop/small', state, { at: 1, bytes: 3 }, NEVER)).toString()).toBe('ell');
      await store.put('shop/small', Buffer.from('other'), NEVER);
      const stale = store.read('shop/small', state, { at: 1, bytes: 3 }, NEVER);
      expect((await failure(stale)).code).toBe('PreconditionFailed');
      await store.remove('shop/small', NEVER);
      await store.remove('shop/small', NEVER);
      expect(await store.stateOf('shop/small', NEVER)).toBeNull();
    }
  });

  test('are listed over many pages, without those of deeper folders', async () => {
    const bytes = Buffer.alloc(3);
    for (let n = 0; n < 2_345; n += 1) stub.objects.set(`shop/${n}`, { bytes, etag: '""' });
    for (const key of ['shop/deep/1', 'other', 'shop/ä & +%<b>'])
      stub.objects.set(key, { bytes, etag: '""' });
    const found = await open().list('shop/', NEVER);
    expect(found).toHaveLength(2_346);
    expect(found).toContainEqual({ key: 'shop/ä & +%<b>', bytes: 3 });
    expect(stub.asked).toHaveLength(3);
  });

  const page = (content: string) => ({
    status: 200,
    body: `<ListBucketResult>${content}</ListBucketResult>`,
  });
  test.each([
    ['breaks off', { status: 200, body: '<ListBucketResult><IsTruncated>false</IsTruncated><Contents>' }],
    ['does not say whether it is whole', page('<Contents><Key>a</Key><Size>1</Size></Contents>')],
    ['goes on without a place to go on', page('<IsTruncated>true</IsTruncated>')],
    [
      'goes on at the same place for ever',
      page('<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>'),
    ],
    ['is a page for people', { status: 200, body: '<!DOCTYPE html><html></html>' }],
    ['is empty', { status: 200, body: '' }],
  ])('whose list %s are an error, never taken for whole', async (_, reply) => {
    stub.fault = () => ({ when: 'before', fault: reply });
    expect((await failure(open().list('', NEVER))).fault).toBe('unreadable');
  });

  test('that are unfinished are found over many pages and aborted', async () => {
    for (let n = 0; n < 7; n += 1)
      stub.uploads.set(`id ${n}`, { key: `shop/${n % 3}`, begunAt: now - minutes(n), parts: new Map() });
    stub.pageSize = 2;
    const looked: string[] = [];
    const isOld = (key: string, begunAt: Instant): boolean => {
      looked.push(key);
      return begunAt < now - minutes(2);
    };
    await open().abortUploads('shop/', isOld, NEVER);
    expect(looked).toHaveLength(7);
    expect([...stub.uploads.keys()]).toEqual(['id 0', 'id 1', 'id 2']);
  });
});

describe('an error says what is wrong', () => {
  const listed = (store: ObjectStore) => store.list('', NEVER);
  test.each([
    ['a wrong access key', { accessKeyId: 'AKIAOTHER' }, 'key', 'InvalidAccessKeyId', /access key/],
    ['a wrong secret key', { secretAccessKey: 'other' }, 'key', 'SignatureDoesNotMatch', /secret key/],
    ['a wrong bucket', { name: 'other' }, 'refused', 'NoSuchBucket', /bucket other at http/],
    ['a wrong region', { region: 'us-east-1' }, 'refused', 'AuthorizationHeaderMalformed', /eu-test-1/],
  ] as const)('%s', async (_, over, fault, code, words) => {
    const error = await failure(listed(open(over)));
    expect(error).toMatchObject({ fault, code, message: expect.stringMatching(words) });
    expect(error.message).not.toContain(SECRET);
    expect(waits).toEqual([]);
  });

  test.each([
    ['ahead', 40, /40 min ahead of/],
    ['behind', -40, /40 min behind/],
  ])('a clock that is %s', async (_, difference, words) => {
    stub.now = () => now - minutes(difference);
    expect(await failure(listed(open()))).toMatchObject({
      code: 'RequestTimeTooSkewed',
      message: expect.stringMatching(words),
    });
  });

  test('a right that is missing, by its name in a policy', async () => {
    stub.fault = () => ({ when: 'before', fault: s3Error(403, 'AccessDenied') });
    const calls = {
      's3:DeleteObject': () => open().remove('a', NEVER),
      's3:PutObject': () => open().put('a', Buffer.from('a'), NEVER),
      's3:GetObject': () => open().stateOf('a', NEVER),
      's3:ListBucket': () => listed(open()),
    };
    for (const [right, call] of Object.entries(calls)) {
      const error = await failure(call());
      expect(error.fault).toBe('permission');
      expect(error.message).toContain(right);
    }
  });

  test.each([
    [
      'a bucket of another region',
      { ...s3Error(301, 'PermanentRedirect'), headers: { 'x-amz-bucket-region': 'eu-north-1' } },
      /eu-north-1/,
    ],
    [
      'another address',
      { status: 308, headers: { location: 'https://elsewhere.example.com/' } },
      /another address/,
    ],
    ['a full disk', s3Error(507, 'XMinioStorageFull'), /no space/],
    ['a quota', s3Error(403, 'QuotaExceeded'), /no space/],
    ['an ended session', s3Error(400, 'ExpiredToken'), /session token/],
  ])('%s, and no redirect is followed', async (_, reply, words) => {
    stub.fault = () => ({ when: 'before', fault: reply });
    expect((await failure(listed(open()))).message).toMatch(words);
    expect(stub.asked).toHaveLength(1);
  });

  test('a service that cannot be reached, after several attempts', async () => {
    await stub.close();
    const error = await failure(listed(open()));
    expect(error).toMatchObject({ fault: 'network', message: expect.stringContaining('ECONNREFUSED') });
    expect(waits).toHaveLength(7);
  });

  test('an address that clouds keep credentials at, which is never called', async () => {
    const error = await failure(listed(open({ endpoint: 'http://169.254.169.254' })));
    expect(error).toMatchObject({ fault: 'network', message: expect.stringContaining('link-local') });
    expect(waits).toEqual([]);
  });

  test('https where the service speaks http', async () => {
    const error = await failure(listed(open({ endpoint: stub.url.replace('http', 'https') })));
    expect(error.message).toContain('TLS');
  });
});

test('temporary credentials send their token', async () => {
  await open({ sessionToken: 'a/session+token==' }).list('', NEVER);
  expect(stub.asked[0]?.headers['x-amz-security-token']).toBe('a/session+token==');
});
